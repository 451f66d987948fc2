package dev.rowan.train;

import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Origin;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.safetensors.SafetensorsDtypes;
import dev.rowan.formats.safetensors.SafetensorsWriter;
import dev.rowan.formats.safetensors.SafetensorsWriter.Tensor;
import dev.rowan.formats.safetensors.StoredTokens;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.train.corpus.CountedVocabulary;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A table that was trained.
 *
 * @param vocabulary the words: row i is word i
 * @param rows V × d
 * @param output the output rows, V × d, where they belong to words
 * @param parts the rows that words are made of, words first, where words have n-grams
 * @param settings how it was trained, by name, as files keep it
 */
public record TrainedTable(
    CountedVocabulary vocabulary,
    Table rows,
    Optional<Table> output,
    Optional<Table> parts,
    Map<String, String> settings) {
  /** The tensor of the rows. */
  static final String INPUT = "embeddings.weight";

  /** The tensor of the output rows. */
  static final String OUTPUT = "lm_head.weight";

  /** The tensor of the rows that words are made of. */
  static final String PARTS = StoredTokens.PARTS;

  /** The tensor of how often words came. */
  static final String COUNTS = "rowan.counts";

  /** What the names of settings begin with in metadata. */
  static final String SETTING = "rowan.train.";

  /** Copies the settings. */
  public TrainedTable {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }

  static TrainedTable of(Lesson lesson, Dealing dealing) {
    Weights weights = lesson.weights();
    CountedVocabulary words = lesson.corpus().vocabulary();
    boolean plain = lesson.grams().isEmpty() && dealing.blocks() == 1;
    Table rows = plain ? weights.packedInput(words.size()) : copyOfRows(lesson, dealing);
    Optional<Table> output =
        lesson.tree().isPresent()
            ? Optional.empty()
            : Optional.of(plain ? weights.packedOutput() : dealt(weights.copyOfOutput(), dealing));
    Optional<Table> parts = lesson.grams().map(_ -> weights.packedInput(weights.inputRows()));
    return new TrainedTable(words, rows, output, parts, lesson.settings().asText());
  }

  static Table copyOfRows(Lesson lesson, Dealing dealing) {
    Weights weights = lesson.weights();
    int words = lesson.corpus().vocabulary().size();
    if (lesson.grams().isEmpty()) {
      return dealt(weights.copyOfInput(words), dealing);
    }
    GramRows grams = lesson.grams().get();
    int width = weights.width();
    float[] rows = new float[Math.multiplyExact(words, width)];
    for (int w = 0; w < words; w++) {
      int count = grams.parts(w);
      for (int k = 0; k < width; k++) {
        float sum = 0;
        for (int i = 0; i < count; i++) {
          sum += weights.input()[weights.offset(grams.row(w, i)) + k];
        }
        rows[w * width + k] = sum * (float) (1.0 / count); // fastText's roundings
      }
    }
    return Table.of(width, rows);
  }

  /** Returns rows in the order of words. */
  private static Table dealt(Table rows, Dealing dealing) {
    if (dealing.blocks() == 1) {
      return rows;
    }
    int width = rows.width();
    MemorySegment ordered = MemorySegment.ofArray(new float[dealing.words() * width]);
    for (int w = 0; w < dealing.words(); w++) {
      MemorySegment.copy(
          rows.data(), 4L * dealing.row(w) * width, ordered, 4L * w * width, 4L * width);
    }
    return Table.over(ordered, dealing.words(), width, FloatFormat.F32);
  }

  /**
   * Returns the table as other parts of the program know tables.
   *
   * @param path what to call its place of origin
   */
  public Lexicon lexicon(Path path, OutputRows outputRows) {
    Optional<Table> kept = outputRows == OutputRows.KEPT ? output : Optional.empty();
    return new Lexicon(
        new NamedTable(INPUT, rows),
        kept.map(table -> new NamedTable(OUTPUT, table)),
        Optional.of(vocabulary.vocabulary()),
        kept.isPresent() ? Tie.UNTIED : Tie.UNKNOWN,
        "the output rows were trained apart from the input rows",
        new Origin(path, "training", Optional.empty(), OptionalLong.empty(), List.of()),
        () -> {});
  }

  /** Whether the output rows are kept. */
  public enum OutputRows {
    /** They are, as {@code lm_head.weight}. */
    KEPT,
    /** They are not, as word2vec does it. */
    DROPPED
  }

  /**
   * Writes a safetensors file: the rows as {@code embeddings.weight}, the words and their counts
   * with them, every setting in its metadata; with the output rows those of n-grams too. {@link
   * TrainedFile} reads it back.
   *
   * @param notes further texts for the metadata
   * @throws IOException if writing fails; the old file, if any, is untouched then
   */
  public void save(Path file, OutputRows outputRows, Map<String, String> notes) throws IOException {
    List<Tensor> tensors = new ArrayList<>(StoredTokens.tensors(vocabulary.vocabulary()));
    tensors.add(tensor(INPUT, rows));
    boolean kept = outputRows == OutputRows.KEPT && output.isPresent();
    if (kept) {
      tensors.add(tensor(OUTPUT, output.get()));
      parts.ifPresent(table -> tensors.add(tensor(PARTS, table)));
    }
    tensors.add(counts(vocabulary));
    Map<String, String> metadata = metadata(notes);
    metadata.put(StoredTokens.OUTPUT, kept ? OUTPUT : StoredTokens.NO_OUTPUT);
    SafetensorsWriter.write(file, tensors, metadata);
  }

  /** Returns the counts as files keep them. */
  public static Tensor counts(CountedVocabulary vocabulary) {
    return new Tensor(
        COUNTS,
        dtype("I64"),
        List.of((long) vocabulary.size()),
        MemorySegment.ofArray(vocabulary.counts()));
  }

  private Map<String, String> metadata(Map<String, String> notes) {
    Map<String, String> metadata = new LinkedHashMap<>();
    settings.forEach((name, value) -> metadata.put(SETTING + name, value));
    notes.forEach((name, value) -> metadata.put(SETTING + name, value));
    return metadata;
  }

  private static Tensor tensor(String name, Table table) {
    return new Tensor(
        name, dtype("F32"), List.of(table.rows(), (long) table.width()), table.data());
  }

  /** Returns a type of numbers by its name in files. */
  public static Dtype dtype(String label) {
    return Objects.requireNonNull(SafetensorsDtypes.byLabel().get(label), label);
  }
}
