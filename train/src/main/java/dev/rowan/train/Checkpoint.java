package dev.rowan.train;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.SafetensorsWriter.Tensor;
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

/**
 * A training that was interrupted: all rows, padded as they lie in memory, the words, the settings
 * and how far it came, in a safetensors file.
 *
 * <p>Open until {@link #close}; not for several threads at once.
 */
public final class Checkpoint implements AutoCloseable {
  private static final String PREFIX = "rowan.checkpoint.";
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

  private Checkpoint(CheckpointFile file) {
    this.file = file;
    this.settings = TrainingSettings.of(file.texts(SETTINGS));
    this.epoch = Integer.parseInt(file.text(PREFIX + "epoch"));
    this.unit = Integer.parseInt(file.text(PREFIX + "unit"));
    this.corpusWords = Long.parseLong(file.text(PREFIX + "corpus-words"));
  }

  /**
   * Opens a checkpoint.
   *
   * @throws FormatException if the file is none, or damaged
   */
  public static Checkpoint open(Path path) throws IOException {
    return CheckpointFile.open(path, PREFIX, "skip-gram or CBOW", Checkpoint::new);
  }

  static void save(Path path, Lesson lesson, int epoch, int unit) throws IOException {
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
    texts.put(PREFIX + "epoch", String.valueOf(epoch));
    texts.put(PREFIX + "unit", String.valueOf(unit));
    texts.put(PREFIX + "corpus-words", String.valueOf(lesson.corpus().words()));
    CheckpointFile.write(path, PREFIX, words.vocabulary(), numbers, texts);
  }

  /** Returns the settings of the training. */
  public TrainingSettings settings() {
    return settings;
  }

  /** Returns how many epochs were done. */
  int epoch() {
    return epoch;
  }

  /** Returns how many units of the next epoch were done. */
  int unit() {
    return unit;
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

  /** Copies the rows into a lesson of the same corpus. */
  void restore(Lesson lesson) {
    CountedVocabulary now = lesson.corpus().vocabulary();
    CountedVocabulary then = vocabulary();
    boolean same =
        file.hasWords(now.vocabulary())
            && Arrays.equals(now.counts(), then.counts())
            && corpusWords == lesson.corpus().words();
    if (!same) {
      throw new IllegalArgumentException(
          "%s was made from another text or other rules for words: %,d words in %,d rows then, %,d in %,d now"
              .formatted(
                  file.path(), corpusWords, then.size(), lesson.corpus().words(), now.size()));
    }
    if (epoch < 0 || epoch > settings.epochs() || unit < 0 || unit > lesson.corpus().units()) {
      throw new FormatException(
          file.path(), "stands at epoch %d, unit %d, which do not exist".formatted(epoch, unit));
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
