package dev.rowan.train.glove;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.SafetensorsWriter.Tensor;
import dev.rowan.train.CheckpointFile;
import dev.rowan.train.TrainedTable;
import dev.rowan.train.corpus.Cooccurrences;
import dev.rowan.train.corpus.CountedVocabulary;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A training by co-occurrences that was interrupted: every number, as it lies in memory, the words,
 * the settings and how far it came, in a safetensors file.
 *
 * <p>Open until {@link #close}; not for several threads at once.
 */
public final class GloveCheckpoint implements AutoCloseable {
  private static final String PREFIX = "rowan.glove-checkpoint.";
  private static final String[] PARTS = {
    "words", "word-squares", "word-biases", "word-bias-squares",
    "contexts", "context-squares", "context-biases", "context-bias-squares"
  };

  private final CheckpointFile file;
  private final GloveSettings settings;
  private final long pairs;
  private final int epoch;
  private final int bucket;

  /** What is kept beside the numbers. */
  record State(
      GloveSettings settings, CountedVocabulary vocabulary, long pairs, int epoch, int bucket) {}

  private GloveCheckpoint(CheckpointFile file) {
    this.file = file;
    this.settings = GloveSettings.of(file.texts(PREFIX));
    this.pairs = Long.parseLong(file.text(PREFIX + "pairs"));
    this.epoch = Integer.parseInt(file.text(PREFIX + "epoch"));
    this.bucket = Integer.parseInt(file.text(PREFIX + "bucket"));
  }

  /**
   * Opens a checkpoint.
   *
   * @throws FormatException if the file is none, or damaged
   */
  public static GloveCheckpoint open(Path path) throws IOException {
    return CheckpointFile.open(path, PREFIX, "--objective glove", GloveCheckpoint::new);
  }

  static void save(Path path, State state, GloveRows rows) throws IOException {
    List<Tensor> numbers = new ArrayList<>();
    numbers.add(TrainedTable.counts(state.vocabulary()));
    for (int i = 0; i < PARTS.length; i++) {
      numbers.add(CheckpointFile.floats(PREFIX + PARTS[i], rows.state()[i], 1));
    }
    Map<String, String> texts = new LinkedHashMap<>();
    state.settings().asText().forEach((name, value) -> texts.put(PREFIX + name, value));
    texts.put(PREFIX + "pairs", String.valueOf(state.pairs()));
    texts.put(PREFIX + "epoch", String.valueOf(state.epoch()));
    texts.put(PREFIX + "bucket", String.valueOf(state.bucket()));
    CheckpointFile.write(path, PREFIX, state.vocabulary().vocabulary(), numbers, texts);
  }

  /** Returns the settings of the training. */
  public GloveSettings settings() {
    return settings;
  }

  int epoch() {
    return epoch;
  }

  int bucket() {
    return bucket;
  }

  /** Copies the numbers into rows of the same text. */
  void restore(CountedVocabulary vocabulary, Cooccurrences now, GloveRows rows) {
    if (!file.hasWords(vocabulary.vocabulary()) || pairs != now.pairs()) {
      throw new IllegalArgumentException(
          "%s was made from another text or other rules for words: %,d pairs then, %,d now"
              .formatted(file.path(), pairs, now.pairs()));
    }
    if (epoch < 0 || epoch > settings.epochs() || bucket < 0 || bucket > now.buckets()) {
      throw new FormatException(
          file.path(),
          "stands at epoch %d, bucket %d, which do not exist".formatted(epoch, bucket));
    }
    MemorySegment[] numbers = rows.state();
    for (int i = 0; i < PARTS.length; i++) {
      numbers[i].copyFrom(file.data(PREFIX + PARTS[i], numbers[i].byteSize()));
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
