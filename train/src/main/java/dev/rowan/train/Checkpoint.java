package dev.rowan.train;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.SafetensorsWriter.Tensor;
import dev.rowan.train.CheckpointFile.Kind;
import dev.rowan.train.corpus.CountedVocabulary;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
  private static final String COUNTS = "rowan.counts";
  private static final ValueLayout.OfLong COUNT =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final CheckpointFile file;
  private final TrainingSettings settings;
  private final int epoch;
  private final int unit;
  private final long corpusWords;
  private final long looked;
  private final LossSums losses;
  private final Optional<String> frozen;
  private final Optional<String> taken;

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
    // of these earlier files have nothing: the report and the mean of the epoch begin anew
    this.looked = file.find(PREFIX + "looked").map(Long::parseLong).orElse(-1L);
    this.losses = file.find(PREFIX + "losses").map(LossSums::of).orElseGet(LossSums::new);
    this.frozen = file.find(PREFIX + "frozen");
    this.taken = file.find(PREFIX + "from");
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
    CountedVocabulary words = lesson.corpus().vocabulary();
    List<Tensor> numbers =
        List.of(
            TrainedTable.counts(words),
            CheckpointFile.floats(INPUT, weights.inputBytes(), stride),
            CheckpointFile.floats(OUTPUT, weights.outputBytes(), stride));
    Map<String, String> texts = new LinkedHashMap<>();
    lesson.settings().asText().forEach((name, value) -> texts.put(SETTINGS + name, value));
    texts.put(PREFIX + "epoch", String.valueOf(state.epoch()));
    texts.put(PREFIX + "unit", String.valueOf(state.unit()));
    texts.put(PREFIX + "looked", String.valueOf(state.looked()));
    texts.put(PREFIX + "losses", state.losses().asText());
    texts.put(PREFIX + "frozen", frozen(lesson));
    texts.put(PREFIX + "from", taken);
    texts.put(PREFIX + "corpus-words", String.valueOf(lesson.corpus().words()));
    CheckpointFile.write(plan, Kind.WINDOWS, words.vocabulary(), numbers, texts);
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
  private static String frozen(Lesson lesson) {
    long hash = 0;
    for (long bits : lesson.frozen().toLongArray()) {
      hash = 31 * hash + bits;
    }
    return "%d rows, %016x".formatted(lesson.frozen().cardinality(), hash);
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
    long[] counts = file.data(COUNTS, 8L * words.get().size()).toArray(COUNT);
    return CountedVocabulary.of(words.get(), counts);
  }

  /**
   * Copies the rows into a lesson of the same corpus.
   *
   * @param start what the training begins with now
   */
  void restore(Lesson lesson, Start start) {
    CountedVocabulary now = lesson.corpus().vocabulary();
    CountedVocabulary then = vocabulary();
    boolean same =
        file.hasWords(now.vocabulary())
            && Arrays.equals(now.counts(), then.counts())
            && corpusWords == lesson.corpus().words();
    if (!same) {
      String shape = "%,d words in %,d rows";
      throw file.ofAnotherText(
          shape.formatted(corpusWords, then.size()),
          shape.formatted(lesson.corpus().words(), now.size()));
    }
    if (frozen.isPresent() && !frozen.get().equals(frozen(lesson))) {
      throw new IllegalArgumentException(
          "%s was made with other frozen words; give the same list".formatted(file.path()));
    }
    if (taken.isPresent() && !taken.get().equals(start.taken(now.vocabulary()))) {
      String origin =
          start.from().map(table -> "--from " + table.origin().path()).orElse("no table");
      throw new IllegalArgumentException(
          "%s is another table than the training of %s began with; give that table, or delete the checkpoint to begin anew"
              .formatted(origin, file.path()));
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

  private void copy(String name, MemorySegment target) {
    target.copyFrom(file.data(name, target.byteSize()));
  }

  @Override
  public void close() {
    file.close();
  }
}
