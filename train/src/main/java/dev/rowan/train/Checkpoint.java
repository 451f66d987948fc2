package dev.rowan.train;

import dev.rowan.core.Counted;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.SafetensorsWriter.Tensor;
import dev.rowan.train.CheckpointFile.Kind;
import dev.rowan.train.CheckpointWriter.Learned;
import dev.rowan.train.corpus.CountedVocabulary;
import dev.rowan.train.corpus.EncodedCorpus;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A training that was interrupted: all rows, padded as they lie in memory, the words, the settings
 * and how far it came, in a safetensors file.
 *
 * <p>Open until {@link #close}; not for several threads at once.
 */
public final class Checkpoint implements AutoCloseable {
  private static final String PREFIX = Kind.WINDOWS.prefix();
  private static final String SETTINGS = "rowan.train.";
  private static final String INPUT = PREFIX + "input";
  private static final String OUTPUT = PREFIX + "output";

  private final CheckpointFile file;
  private final TrainingSettings settings;
  private final int epoch;
  private final int unit;
  private final long corpusWords;
  private final long looked;
  private final LossSums losses;
  private final String frozen;
  private final String taken;
  private @Nullable Start checked; // that which the training began with

  /**
   * How far a training is.
   *
   * @param epoch how many epochs are done
   * @param unit how many units of the next one are
   * @param looked after how many units, of all epochs, rows were last looked at; negative if never
   * @param losses of the epoch that runs
   */
  record State(int epoch, int unit, long looked, LossSums losses) {}

  private Checkpoint(CheckpointFile file) {
    this.file = file;
    this.settings = TrainingSettings.of(file.texts(SETTINGS));
    this.epoch = Integer.parseInt(file.text(PREFIX + "epoch"));
    this.unit = Integer.parseInt(file.text(PREFIX + "unit"));
    this.corpusWords = Long.parseLong(file.text(PREFIX + "corpus-words"));
    this.looked = Long.parseLong(file.text(PREFIX + "looked"));
    this.losses = LossSums.of(file.text(PREFIX + "losses"));
    this.frozen = file.text(PREFIX + "frozen");
    this.taken = file.text(PREFIX + "from");
  }

  /**
   * Opens a checkpoint.
   *
   * @throws FormatException if the file is none, or damaged
   */
  public static Checkpoint open(Path path) throws IOException {
    return CheckpointFile.open(path, Kind.WINDOWS, Checkpoint::new);
  }

  /**
   * Writes a checkpoint.
   *
   * @param taken what {@link Start#taken} says
   */
  static void save(CheckpointPlan plan, Lesson lesson, String taken, State state)
      throws IOException {
    Weights weights = lesson.weights();
    long stride = weights.stride();
    List<Tensor> numbers =
        List.of(
            CheckpointWriter.floats(INPUT, weights.inputBytes(), stride),
            CheckpointWriter.floats(OUTPUT, weights.outputBytes(), stride));
    Map<String, String> texts = new LinkedHashMap<>();
    lesson.settings().asText().forEach((name, value) -> texts.put(SETTINGS + name, value));
    texts.put(PREFIX + "epoch", String.valueOf(state.epoch()));
    texts.put(PREFIX + "unit", String.valueOf(state.unit()));
    texts.put(PREFIX + "looked", String.valueOf(state.looked()));
    texts.put(PREFIX + "losses", state.losses().asText());
    texts.put(PREFIX + "frozen", frozen(lesson.frozen()));
    texts.put(PREFIX + "from", taken);
    texts.put(PREFIX + "corpus-words", String.valueOf(lesson.corpus().words()));
    CheckpointWriter.write(plan, Kind.WINDOWS, Learned.of(lesson.corpus()), numbers, texts);
  }

  /** Returns the settings of the training. */
  public TrainingSettings settings() {
    return settings;
  }

  /** Returns how far it came. */
  State state() {
    return new State(epoch, unit, looked, losses);
  }

  /** Returns what tells frozen rows from others: how many there are, and a hash. */
  private static String frozen(BitSet rows) {
    long hash = 0;
    for (long bits : rows.toLongArray()) {
      hash = 31 * hash + bits;
    }
    return "%d, %016x".formatted(rows.cardinality(), hash);
  }

  /**
   * Returns the words with their counts, so that the corpus need not agree on more than the text.
   *
   * @throws FormatException if they are not there
   */
  public CountedVocabulary vocabulary() {
    var words = file.words();
    if (words.isEmpty()) {
      throw new FormatException(file.path(), "holds no words");
    }
    return CountedVocabulary.of(words.get(), file.counts(words.get().size()));
  }

  /**
   * Checks what the training begins with, before any text is read; the words are the checkpoint's.
   * Cost: reading the rows that are taken over.
   *
   * @throws IllegalArgumentException if it began with other frozen words, or another table
   */
  public void check(Start start) {
    Vocabulary words = vocabulary().vocabulary();
    if (!frozen.equals(frozen(start.frozenRows(words)))) {
      throw new IllegalArgumentException(
          "%s was made with other frozen words; give the same list".formatted(file.path()));
    }
    if (!taken.equals(start.taken(words))) {
      String origin =
          start.from().map(table -> "--from " + table.origin().path()).orElse("no table");
      throw new IllegalArgumentException(
          "%s is another table than the training of %s began with; give that table, or delete the checkpoint to begin anew"
              .formatted(origin, file.path()));
    }
    checked = start;
  }

  /**
   * Copies the rows into a lesson of the same corpus.
   *
   * @param start what the training begins with now
   */
  void restore(Lesson lesson, Start start) {
    EncodedCorpus corpus = lesson.corpus();
    file.checkText(
        corpus,
        amount(corpusWords, vocabulary().size()),
        amount(corpus.words(), corpus.vocabulary().size()));
    if (!start.equals(checked)) {
      check(start);
    }
    long units = (long) lesson.corpus().units() * settings.epochs();
    if (epoch < 0
        || epoch > settings.epochs()
        || unit < 0
        || unit > lesson.corpus().units()
        || looked > units) {
      throw new FormatException(
          file.path(),
          "stands at epoch %d, unit %d, looked at after %d; these do not exist"
              .formatted(epoch, unit, looked));
    }
    copy(INPUT, lesson.weights().inputBytes());
    copy(OUTPUT, lesson.weights().outputBytes());
  }

  private static String amount(long words, int rows) {
    return Counted.of(words, "word") + " in " + Counted.of(rows, "row");
  }

  private void copy(String name, MemorySegment target) {
    target.copyFrom(file.data(name, target.byteSize()));
  }

  @Override
  public void close() {
    file.close();
  }
}
