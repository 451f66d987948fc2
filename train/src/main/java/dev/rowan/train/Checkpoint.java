package dev.rowan.train;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.Safetensors;
import dev.rowan.formats.safetensors.SafetensorsHeader;
import dev.rowan.formats.safetensors.SafetensorsWriter;
import dev.rowan.formats.safetensors.SafetensorsWriter.Tensor;
import dev.rowan.formats.safetensors.StoredTokens;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.train.corpus.CountedVocabulary;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
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
  private static final String VERSION = "1";
  private static final String INPUT = "rowan.checkpoint.input";
  private static final String OUTPUT = "rowan.checkpoint.output";
  private static final ValueLayout.OfLong COUNT =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Path path;
  private final Safetensors file;
  private final TrainingSettings settings;
  private final int epoch;
  private final int unit;
  private final long corpusWords;

  private Checkpoint(Path path, Safetensors file) {
    this.path = path;
    this.file = file;
    Map<String, String> texts = file.metadata();
    String version = texts.get("rowan.checkpoint.version");
    if (!VERSION.equals(version)) {
      throw new FormatException(
          path,
          version == null
              ? "is no checkpoint of a training; give the file that training left beside its output"
              : "is a checkpoint of version %s; this program reads version %s"
                  .formatted(version, VERSION));
    }
    Map<String, String> own = new LinkedHashMap<>();
    texts.forEach((name, value) -> {
      if (name.startsWith("rowan.train.")) {
        own.put(name.substring("rowan.train.".length()), value);
      }
    });
    try {
      this.settings = TrainingSettings.of(own);
      this.epoch = Integer.parseInt(text("epoch"));
      this.unit = Integer.parseInt(text("unit"));
      this.corpusWords = Long.parseLong(text("corpus-words"));
    } catch (IllegalArgumentException e) {
      throw new FormatException(path, "the header is damaged: " + e.getMessage());
    }
  }

  private String text(String name) {
    String value = file.metadata().get("rowan.checkpoint." + name);
    if (value == null) {
      throw new FormatException(path, "the header has no \"" + name + "\"");
    }
    return value;
  }

  /**
   * Opens a checkpoint.
   *
   * @throws FormatException if the file is none, or damaged
   */
  public static Checkpoint open(Path path) throws IOException {
    Safetensors file = Safetensors.open(path, SafetensorsHeader.DEFAULT_LIMIT);
    try {
      return new Checkpoint(path, file);
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  static void save(Path path, Lesson lesson, int epoch, int unit) throws IOException {
    Weights weights = lesson.weights();
    long stride = weights.stride();
    CountedVocabulary words = lesson.corpus().vocabulary();
    List<Tensor> tensors = new java.util.ArrayList<>(StoredTokens.tensors(words.vocabulary()));
    tensors.add(TrainedTable.counts(words));
    tensors.add(
        new Tensor(
            INPUT,
            TrainedTable.dtype("F32"),
            List.of((long) weights.inputRows(), stride),
            weights.inputBytes()));
    tensors.add(
        new Tensor(
            OUTPUT,
            TrainedTable.dtype("F32"),
            List.of((long) weights.outputRows(), stride),
            weights.outputBytes()));
    Map<String, String> texts = new LinkedHashMap<>();
    lesson.settings().asText().forEach((name, value) -> texts.put("rowan.train." + name, value));
    texts.put("rowan.checkpoint.version", VERSION);
    texts.put("rowan.checkpoint.epoch", String.valueOf(epoch));
    texts.put("rowan.checkpoint.unit", String.valueOf(unit));
    texts.put("rowan.checkpoint.corpus-words", String.valueOf(lesson.corpus().words()));
    SafetensorsWriter.write(path, tensors, texts);
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
    TensorInfo counts = tensor("rowan.counts");
    var words = StoredTokens.of(file);
    if (words.isEmpty() || !counts.shape().equals(List.of((long) words.get().size()))) {
      throw new FormatException(path, "holds no words, or not as many as counts");
    }
    long[] values = file.data(counts).toArray(COUNT);
    return CountedVocabulary.of(words.get(), values);
  }

  private TensorInfo tensor(String name) {
    return file.find(name)
        .orElseThrow(() -> new FormatException(path, "holds no tensor \"" + name + "\""));
  }

  /** Copies the rows into a lesson of the same corpus. */
  void restore(Lesson lesson) {
    CountedVocabulary now = lesson.corpus().vocabulary();
    CountedVocabulary then = vocabulary();
    boolean same = now.size() == then.size() && corpusWords == lesson.corpus().words();
    for (int w = 0; same && w < now.size(); w++) {
      same =
          now.count(w) == then.count(w)
              && now.vocabulary().stored(w).equals(then.vocabulary().stored(w));
    }
    if (!same) {
      throw new IllegalArgumentException(
          "%s was made from another text or other rules for words: %,d words in %,d rows then, %,d in %,d now"
              .formatted(path, corpusWords, then.size(), lesson.corpus().words(), now.size()));
    }
    if (epoch < 0 || epoch > settings.epochs() || unit < 0 || unit > lesson.corpus().units()) {
      throw new FormatException(
          path, "stands at epoch %d, unit %d, which do not exist".formatted(epoch, unit));
    }
    copy(INPUT, lesson.weights().inputBytes());
    copy(OUTPUT, lesson.weights().outputBytes());
  }

  private void copy(String name, MemorySegment target) {
    MemorySegment stored = file.data(tensor(name));
    if (stored.byteSize() != target.byteSize()) {
      throw new FormatException(
          path,
          "tensor \"%s\" has %,d bytes; these settings need %,d"
              .formatted(name, stored.byteSize(), target.byteSize()));
    }
    target.copyFrom(stored);
  }

  @Override
  public void close() {
    file.close();
  }
}
