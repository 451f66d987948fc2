package dev.rowan.formats.fasttext;

import dev.rowan.core.Counted;
import dev.rowan.core.SubwordVectors;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An open fastText model: {@code .bin}, or {@code .ftz} with product-quantised rows.
 *
 * <pre>
 *   {@link Settings settings}, {@link Dictionary dictionary}
 *   u8 quantised?, input {@link Matrix matrix}: a row per word, then one per n-gram bucket
 *   u8 quantised?, output {@link Matrix matrix}          the file ends there
 * </pre>
 *
 * <p>Files of 2016 have neither magic number nor the two flags. The row of a word is the mean of
 * its own row and the rows of its n-grams ({@link Subwords}), in float32 in fastText's order; the
 * end of a sentence, {@code </s>}, has no n-grams except in files of 2016. Opening reads the
 * dictionary; rows are composed when asked for and kept, see {@link ComposedRows}. A model without
 * n-grams is read in place.
 *
 * <p>The output table of an unsupervised model trained with negative sampling or softmax has a row
 * per word and is the lexicon's output table.
 */
public final class FastTextFile implements TensorFile {
  private static final Dtype F32 = Dtype.rows("F32", 32, FloatFormat.F32);
  private static final Dtype CODES = Dtype.opaque("PQ", 8, Dtype.Kind.INTEGER);
  private static final byte[] END_OF_SENTENCE = "</s>".getBytes(StandardCharsets.UTF_8);

  private final MappedFile file;
  private final Arena arena;
  private final Settings settings;
  private final Dictionary dictionary;
  private final Matrix input;
  private final Matrix output;
  private final Subwords subwords;
  private final TensorInfo table;
  private @Nullable Vocabulary vocabulary;

  private FastTextFile(MappedFile file, Arena arena) {
    this.file = file;
    this.arena = arena;
    Input bytes = new Input(file.path(), file.bytes());
    settings = Settings.read(file.path(), bytes);
    dictionary = Dictionary.read(file.path(), file.bytes(), bytes, settings);
    boolean quantized = settings.hasFlags() && bytes.flag("the flag of the input matrix");
    if (dictionary.isPruned() && !quantized) {
      throw bytes.wrong(
          "the dictionary was pruned but the input matrix is not quantised; such a model gives"
              + " words no n-grams, make it again with fastText's quantize");
    }
    input = Matrix.read(bytes, quantized, settings.width(), "the input matrix");
    boolean outputQuantized = settings.hasFlags() && bytes.flag("the flag of the output matrix");
    output =
        Matrix.read(bytes, quantized && outputQuantized, settings.width(), "the output matrix");
    if (bytes.left() != 0) {
      throw bytes.wrong("%,d bytes follow the output matrix".formatted(bytes.left()));
    }
    int words = dictionary.words().count();
    subwords =
        new Subwords(
            settings.shortest(), settings.longest(), settings.bucket(), words, dictionary.kept());
    checkRows(bytes, words);
    table = table(words);
  }

  /**
   * Opens a model.
   *
   * @throws FormatException if the file is not a fastText model or is damaged
   */
  public static FastTextFile open(Path path) throws IOException {
    MappedFile file = MappedFile.open(path);
    @SuppressWarnings("MustBeClosedChecker") // the opened file owns it and closes it
    Arena arena = Arena.ofShared();
    try {
      return new FastTextFile(file, arena);
    } catch (RuntimeException | Error e) {
      arena.close();
      file.close();
      throw e;
    }
  }

  private void checkRows(Input bytes, int words) {
    var kept = dictionary.kept();
    long grams = !settings.hasSubwords() ? 0 : kept == null ? settings.bucket() : kept.size();
    if (words == 0) {
      throw bytes.wrong("the dictionary holds no words; there is nothing to open");
    }
    if (input.rows() < words + grams) {
      throw bytes.wrong(
          "the input matrix has %,d rows; %,d words and %,d n-grams need %,d"
              .formatted(input.rows(), words, grams, words + grams));
    }
  }

  private TensorInfo table(int words) {
    MemorySegment stored = input.data().asSlice(0, words * input.rowBytes());
    boolean inPlace = !settings.hasSubwords() && input instanceof Matrix.Dense;
    String label =
        (input instanceof Matrix.Dense ? "f32" : "pq")
            + (settings.hasSubwords() ? "+subwords" : "");
    Dtype dtype =
        inPlace
            ? F32
            : new Dtype(
                label,
                32,
                Dtype.Kind.OTHER,
                Optional.of(
                    new ComposedRows(
                        label, stored, input.rowBytes(), words, this::compose, arena)));
    return new TensorInfo(
        "words",
        dtype,
        List.of((long) words, (long) settings.width()),
        path(),
        input.offset(),
        stored.byteSize());
  }

  private void compose(int word, float[] target) {
    Arrays.fill(target, 0);
    input.addRow(word, target);
    byte[] spelling = dictionary.words().bytes(file.bytes(), word);
    boolean plain = settings.version() > 0 && Arrays.equals(spelling, END_OF_SENTENCE);
    long[] grams = plain || !settings.hasSubwords() ? new long[0] : subwords.rows(spelling);
    addMean(grams, 1, target);
  }

  /** Adds rows to a sum of so many others and divides, with fastText's roundings. */
  private void addMean(long[] grams, int others, float[] sum) {
    for (long gram : grams) {
      input.addRow(gram, sum);
    }
    float factor = (float) (1.0 / (grams.length + others));
    for (int i = 0; i < sum.length; i++) {
      sum[i] *= factor;
    }
  }

  @Override
  public Optional<SubwordVectors> subwords() {
    return settings.hasSubwords() ? Optional.of(new Grams()) : Optional.empty();
  }

  /** Vectors from n-grams. */
  private final class Grams implements SubwordVectors {
    @Override
    public Optional<float[]> vectorOf(String word) {
      return FastTextFile.this.vectorOf(word);
    }

    @Override
    public int partsOf(String word) {
      return subwords.rows(word.getBytes(StandardCharsets.UTF_8)).length;
    }
  }

  private Optional<float[]> vectorOf(String word) {
    byte[] spelling = word.getBytes(StandardCharsets.UTF_8);
    float[] vector = new float[settings.width()];
    OptionalInt id = words().id(spelling);
    if (id.isPresent()) {
      compose(id.getAsInt(), vector);
      return Optional.of(vector);
    }
    long[] grams = subwords.rows(spelling);
    if (grams.length == 0) {
      return Optional.empty();
    }
    addMean(grams, 0, vector);
    return Optional.of(vector);
  }

  private synchronized Vocabulary words() {
    Vocabulary known = vocabulary;
    if (known == null) {
      known = dictionary.words().vocabulary(file.bytes());
      vocabulary = known;
    }
    return known;
  }

  /** Returns the labels of a supervised model, in the order of the output table's rows. */
  public List<String> labels() {
    return dictionary.labels();
  }

  @Override
  public Path path() {
    return file.path();
  }

  @Override
  public String format() {
    return "fasttext";
  }

  @Override
  public List<TensorInfo> tensors() {
    return List.of(
        stored("input", input), stored(isWordOutput() ? "output.weight" : "output", output));
  }

  /** Rows of the output belong to words, not to labels or to the nodes of a tree. */
  private boolean isWordOutput() {
    return settings.kind() != Settings.Kind.SUPERVISED
        && settings.loss() != Settings.Loss.HIERARCHICAL
        && output instanceof Matrix.Dense
        && output.rows() == dictionary.words().count();
  }

  private TensorInfo stored(String name, Matrix matrix) {
    boolean dense = matrix instanceof Matrix.Dense;
    return new TensorInfo(
        name,
        dense ? F32 : CODES,
        List.of(matrix.rows(), dense ? settings.width() : matrix.rowBytes()),
        path(),
        matrix.offset(),
        matrix.data().byteSize());
  }

  @Override
  public Optional<TensorInfo> table() {
    return Optional.of(table);
  }

  @Override
  public MemorySegment data(TensorInfo tensor) {
    return switch (tensor.name()) {
      case "words" -> input.data().asSlice(0, table.bytes());
      case "input" -> input.data();
      case "output", "output.weight" -> output.data();
      default ->
          throw new IllegalArgumentException(
              "tensor \"%s\" is not one of %s".formatted(tensor.name(), path()));
    };
  }

  @Override
  public Optional<Supplier<Vocabulary>> vocabulary() {
    return Optional.of(this::words);
  }

  @Override
  public ModelConfig config() {
    return ModelConfig.INPUT_ONLY;
  }

  @Override
  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (!dictionary.labels().isEmpty()) {
      notes.add(
          "the model tells %s apart, first \"%s\"; they are not words of the table"
              .formatted(
                  Counted.of(dictionary.labels().size(), "label"), dictionary.labels().getFirst()));
    }
    if (dictionary.isPruned()) {
      notes.add("the model was pruned: words and n-grams that mattered less are gone");
    }
    return notes;
  }

  @Override
  public void close() {
    arena.close();
    file.close();
  }
}
