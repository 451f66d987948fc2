package dev.rowan.train.glove;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.Safetensors;
import dev.rowan.formats.safetensors.SafetensorsHeader;
import dev.rowan.formats.safetensors.SafetensorsWriter;
import dev.rowan.formats.safetensors.SafetensorsWriter.Tensor;
import dev.rowan.formats.safetensors.StoredTokens;
import dev.rowan.formats.tensor.TensorInfo;
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
  private static final String VERSION = "1";
  private static final String PREFIX = "rowan.glove-checkpoint.";
  private static final String[] PARTS = {
    "words", "word-squares", "word-biases", "word-bias-squares",
    "contexts", "context-squares", "context-biases", "context-bias-squares"
  };

  private final Path path;
  private final Safetensors file;
  private final GloveSettings settings;
  private final long pairs;
  private final int epoch;
  private final int bucket;

  /** What is kept beside the numbers. */
  record State(
      GloveSettings settings, CountedVocabulary vocabulary, long pairs, int epoch, int bucket) {}

  private GloveCheckpoint(Path path, Safetensors file) {
    this.path = path;
    this.file = file;
    if (!VERSION.equals(file.metadata().get(PREFIX + "version"))) {
      throw new FormatException(
          path,
          "is no checkpoint of --objective glove that this program reads; type the objective it was made with, or delete it to begin anew");
    }
    Map<String, String> own = new LinkedHashMap<>();
    file.metadata()
        .forEach((name, value) -> {
          if (name.startsWith(PREFIX)) {
            own.put(name.substring(PREFIX.length()), value);
          }
        });
    try {
      this.settings = GloveSettings.of(own);
      this.pairs = Long.parseLong(own.getOrDefault("pairs", ""));
      this.epoch = Integer.parseInt(own.getOrDefault("epoch", ""));
      this.bucket = Integer.parseInt(own.getOrDefault("bucket", ""));
    } catch (IllegalArgumentException e) {
      throw new FormatException(path, "the header is damaged: " + e.getMessage());
    }
  }

  /**
   * Opens a checkpoint.
   *
   * @throws FormatException if the file is none, or damaged
   */
  public static GloveCheckpoint open(Path path) throws IOException {
    Safetensors file = Safetensors.open(path, SafetensorsHeader.DEFAULT_LIMIT);
    try {
      return new GloveCheckpoint(path, file);
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  static void save(Path path, State state, GloveRows rows) throws IOException {
    List<Tensor> tensors = new ArrayList<>(StoredTokens.tensors(state.vocabulary().vocabulary()));
    tensors.add(TrainedTable.counts(state.vocabulary()));
    MemorySegment[] numbers = rows.state();
    for (int i = 0; i < PARTS.length; i++) {
      tensors.add(
          new Tensor(
              PREFIX + PARTS[i],
              TrainedTable.dtype("F32"),
              List.of(numbers[i].byteSize() / 4),
              numbers[i]));
    }
    Map<String, String> texts = new LinkedHashMap<>();
    state.settings().asText().forEach((name, value) -> texts.put(PREFIX + name, value));
    texts.put(PREFIX + "version", VERSION);
    texts.put(PREFIX + "pairs", String.valueOf(state.pairs()));
    texts.put(PREFIX + "epoch", String.valueOf(state.epoch()));
    texts.put(PREFIX + "bucket", String.valueOf(state.bucket()));
    SafetensorsWriter.write(path, tensors, texts);
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
    var then = StoredTokens.of(file);
    boolean same =
        then.isPresent() && then.get().size() == vocabulary.size() && pairs == now.pairs();
    for (int w = 0; same && w < vocabulary.size(); w++) {
      same = vocabulary.vocabulary().stored(w).equals(then.orElseThrow().stored(w));
    }
    if (!same) {
      throw new IllegalArgumentException(
          "%s was made from another text or other rules for words: %,d pairs then, %,d now"
              .formatted(path, pairs, now.pairs()));
    }
    if (epoch < 0 || epoch > settings.epochs() || bucket < 0 || bucket > now.buckets()) {
      throw new FormatException(
          path, "stands at epoch %d, bucket %d, which do not exist".formatted(epoch, bucket));
    }
    MemorySegment[] numbers = rows.state();
    for (int i = 0; i < PARTS.length; i++) {
      String name = PREFIX + PARTS[i];
      TensorInfo tensor =
          file.find(name)
              .orElseThrow(() -> new FormatException(path, "holds no tensor \"" + name + "\""));
      MemorySegment stored = file.data(tensor);
      if (stored.byteSize() != numbers[i].byteSize()) {
        throw new FormatException(
            path,
            "tensor \"%s\" has %,d bytes; these settings need %,d"
                .formatted(name, stored.byteSize(), numbers[i].byteSize()));
      }
      numbers[i].copyFrom(stored);
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
