package dev.rowan.train.glove;

import dev.rowan.core.Counted;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.SafetensorsWriter.Tensor;
import dev.rowan.train.CheckpointFile;
import dev.rowan.train.CheckpointFile.Kind;
import dev.rowan.train.CheckpointPlan;
import dev.rowan.train.CheckpointWriter;
import dev.rowan.train.CheckpointWriter.Learned;
import dev.rowan.train.LossSums;
import dev.rowan.train.corpus.Cooccurrences;
import dev.rowan.train.corpus.EncodedCorpus;
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
  private static final String PREFIX = Kind.PAIRS.prefix();
  private static final String[] PARTS = {
    "words", "word-squares", "word-biases", "word-bias-squares",
    "contexts", "context-squares", "context-biases", "context-bias-squares"
  };

  private final CheckpointFile file;
  private final GloveSettings settings;
  private final long pairs;
  private final int epoch;
  private final int bucket;
  private final long looked;
  private final LossSums losses;

  /** What was learned. */
  record Text(GloveSettings settings, Learned learned, long pairs) {}

  /**
   * How far a training is.
   *
   * @param epoch how many epochs are done
   * @param bucket how many buckets of the next one are
   * @param looked after how many buckets, of all epochs, rows were last looked at; negative if
   *     never
   * @param losses of the epoch that runs
   */
  record State(int epoch, int bucket, long looked, LossSums losses) {}

  private GloveCheckpoint(CheckpointFile file) {
    this.file = file;
    this.settings = GloveSettings.of(file.texts(PREFIX));
    this.pairs = Long.parseLong(file.text(PREFIX + "pairs"));
    this.epoch = Integer.parseInt(file.text(PREFIX + "epoch"));
    this.bucket = Integer.parseInt(file.text(PREFIX + "bucket"));
    this.looked = Long.parseLong(file.text(PREFIX + "looked"));
    this.losses = LossSums.of(file.text(PREFIX + "losses"));
  }

  /**
   * Opens a checkpoint.
   *
   * @throws FormatException if the file is none, or damaged
   */
  public static GloveCheckpoint open(Path path) throws IOException {
    return CheckpointFile.open(path, Kind.PAIRS, GloveCheckpoint::new);
  }

  static void save(CheckpointPlan plan, Text text, State state, GloveRows rows) throws IOException {
    List<Tensor> numbers = new ArrayList<>();
    for (int i = 0; i < PARTS.length; i++) {
      numbers.add(CheckpointWriter.floats(PREFIX + PARTS[i], rows.state()[i], 1));
    }
    Map<String, String> texts = new LinkedHashMap<>();
    text.settings().asText().forEach((name, value) -> texts.put(PREFIX + name, value));
    texts.put(PREFIX + "pairs", String.valueOf(text.pairs()));
    texts.put(PREFIX + "epoch", String.valueOf(state.epoch()));
    texts.put(PREFIX + "bucket", String.valueOf(state.bucket()));
    texts.put(PREFIX + "looked", String.valueOf(state.looked()));
    texts.put(PREFIX + "losses", state.losses().asText());
    CheckpointWriter.write(plan, Kind.PAIRS, text.learned(), numbers, texts);
  }

  /** Returns the settings of the training. */
  public GloveSettings settings() {
    return settings;
  }

  /** Returns how far it came. */
  State state() {
    return new State(epoch, bucket, looked, losses);
  }

  /** Copies the numbers into rows of the same text. */
  void restore(EncodedCorpus corpus, Cooccurrences now, GloveRows rows) {
    file.checkText(corpus, Counted.of(pairs, "pair"), Counted.of(now.pairs(), "pair"));
    if (epoch < 0
        || epoch > settings.epochs()
        || bucket < 0
        || bucket > now.buckets()
        || looked > (long) now.buckets() * settings.epochs()) {
      throw new FormatException(
          file.path(),
          "stands at epoch %d, bucket %d, looked at after %d; these do not exist"
              .formatted(epoch, bucket, looked));
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
