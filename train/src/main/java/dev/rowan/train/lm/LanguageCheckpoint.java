package dev.rowan.train.lm;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.Safetensors;
import dev.rowan.formats.safetensors.SafetensorsDtypes;
import dev.rowan.formats.safetensors.SafetensorsHeader;
import dev.rowan.formats.safetensors.SafetensorsWriter;
import dev.rowan.formats.safetensors.SafetensorsWriter.Tensor;
import dev.rowan.formats.safetensors.StoredTokens;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.layer.OptimizerState;
import dev.rowan.layer.WeightTable;
import dev.rowan.train.corpus.CountedVocabulary;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A language model whose training was interrupted: all that is learned, all that the optimizers
 * keep, and how far it came, in a safetensors file.
 *
 * <p>Open until {@link #close}; not for several threads at once.
 */
public final class LanguageCheckpoint implements AutoCloseable {
  private static final String VERSION = "1";
  private static final String PREFIX = "rowan.language.";

  private final Path path;
  private final Safetensors file;
  private final LanguageSettings settings;
  private final int epoch;
  private final int batches;
  private final double epochLoss;
  private final long places;
  private final List<LanguageReport.Epoch> epochs;

  /** What a checkpoint holds beside the model. */
  record State(
      LanguageSettings settings,
      CountedVocabulary vocabulary,
      long places,
      int epoch,
      int batches,
      double epochLoss,
      List<LanguageReport.Epoch> epochs) {}

  private LanguageCheckpoint(Path path, Safetensors file) {
    this.path = path;
    this.file = file;
    String version = file.metadata().get(PREFIX + "version");
    if (!VERSION.equals(version)) {
      throw new FormatException(
          path,
          version == null
              ? "is no checkpoint of next-token training; give the file that training left beside"
                  + " its output"
              : "is a checkpoint of version %s; this program reads version %s"
                  .formatted(version, VERSION));
    }
    Map<String, String> own = new LinkedHashMap<>();
    file.metadata()
        .forEach((name, value) -> {
          if (name.startsWith(PREFIX)) {
            own.put(name.substring(PREFIX.length()), value);
          }
        });
    try {
      this.settings = LanguageSettings.of(own);
      this.epoch = Integer.parseInt(text("epoch"));
      this.batches = Integer.parseInt(text("batches"));
      this.epochLoss = Double.parseDouble(text("epoch-loss"));
      this.places = Long.parseLong(text("places"));
      this.epochs = epochs(text("measured"));
    } catch (IllegalArgumentException e) {
      throw new FormatException(path, "the header is damaged: " + e.getMessage());
    }
  }

  private String text(String name) {
    String value = file.metadata().get(PREFIX + name);
    if (value == null) {
      throw new FormatException(path, "the header has no \"" + PREFIX + name + "\"");
    }
    return value;
  }

  private static List<LanguageReport.Epoch> epochs(String text) {
    List<LanguageReport.Epoch> epochs = new ArrayList<>();
    for (String entry : text.split(" ", -1)) {
      String[] numbers = entry.split(",", -1);
      if (numbers.length != 3) {
        throw new IllegalArgumentException("\"" + entry + "\" is no epoch, loss and perplexity");
      }
      epochs.add(
          new LanguageReport.Epoch(
              Integer.parseInt(numbers[0]),
              Double.parseDouble(numbers[1]),
              Double.parseDouble(numbers[2])));
    }
    return epochs;
  }

  /**
   * Opens a checkpoint.
   *
   * @throws FormatException if the file is none, or damaged
   */
  public static LanguageCheckpoint open(Path path) throws IOException {
    Safetensors file = Safetensors.open(path, SafetensorsHeader.DEFAULT_LIMIT);
    try {
      return new LanguageCheckpoint(path, file);
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  static void save(Path path, State state, LanguageModel model) throws IOException {
    List<Tensor> tensors = new ArrayList<>(StoredTokens.tensors(state.vocabulary().vocabulary()));
    arrays(model).forEach((name, bytes) -> tensors.add(tensor(name, bytes)));
    Map<String, String> texts = new LinkedHashMap<>();
    state.settings().asText().forEach((name, value) -> texts.put(PREFIX + name, value));
    texts.put(PREFIX + "version", VERSION);
    texts.put(PREFIX + "epoch", String.valueOf(state.epoch()));
    texts.put(PREFIX + "batches", String.valueOf(state.batches()));
    texts.put(PREFIX + "epoch-loss", String.valueOf(state.epochLoss()));
    texts.put(PREFIX + "places", String.valueOf(state.places()));
    List<String> measured = new ArrayList<>();
    for (LanguageReport.Epoch e : state.epochs()) {
      measured.add(e.number() + "," + e.trainingLoss() + "," + e.heldOut());
    }
    texts.put(PREFIX + "measured", String.join(" ", measured));
    SafetensorsWriter.write(path, tensors, texts);
  }

  /** Returns all arrays of a model by name. */
  private static Map<String, MemorySegment> arrays(LanguageModel model) {
    Map<String, MemorySegment> arrays = new LinkedHashMap<>();
    addTable(arrays, "input", model.input(), model.inputState());
    if (model.output() != model.input()) {
      addTable(arrays, "output", model.output(), model.outputState());
    }
    model
        .parts()
        .forEach((name, values) -> arrays.put(PREFIX + name, MemorySegment.ofArray(values)));
    return arrays;
  }

  private static void addTable(
      Map<String, MemorySegment> arrays, String name, WeightTable table, OptimizerState state) {
    arrays.put(PREFIX + name, table.table().data());
    arrays.put(PREFIX + name + ".squares", state.parts().getFirst());
  }

  private static Tensor tensor(String name, MemorySegment bytes) {
    return new Tensor(
        name,
        Objects.requireNonNull(SafetensorsDtypes.byLabel().get("F32")),
        List.of(bytes.byteSize() / 4),
        bytes);
  }

  /** Returns the settings of the training. */
  public LanguageSettings settings() {
    return settings;
  }

  int epoch() {
    return epoch;
  }

  int batches() {
    return batches;
  }

  double epochLoss() {
    return epochLoss;
  }

  List<LanguageReport.Epoch> epochs() {
    return epochs;
  }

  /** Copies what was learned into a model of the same text. */
  void restore(CountedVocabulary vocabulary, long placesNow, LanguageModel model) {
    var words = StoredTokens.of(file);
    boolean same =
        words.isPresent() && words.get().size() == vocabulary.size() && places == placesNow;
    for (int w = 0; same && w < vocabulary.size(); w++) {
      same = vocabulary.vocabulary().stored(w).equals(words.orElseThrow().stored(w));
    }
    if (!same) {
      throw new IllegalArgumentException(
          ("%s was made from another text or other rules for words: %,d tokens to learn from then, %,d"
                  + " now")
              .formatted(path, places, placesNow));
    }
    long most = Math.ceilDiv(placesNow, settings.batch());
    if (epoch < 0 || epoch > settings.epochs() || batches < 0 || batches > most) {
      throw new FormatException(
          path, "stands at epoch %d, batch %d, which do not exist".formatted(epoch, batches));
    }
    Map<String, MemorySegment> arrays = arrays(model);
    arrays.forEach(this::check);
    int width = settings.width();
    fill(model.input(), PREFIX + "input", width);
    if (model.output() != model.input()) {
      fill(model.output(), PREFIX + "output", width);
    }
    arrays.forEach((name, bytes) -> {
      if (!name.equals(PREFIX + "input") && !name.equals(PREFIX + "output")) {
        bytes.copyFrom(stored(name));
      }
    });
  }

  private void check(String name, MemorySegment target) {
    if (stored(name).byteSize() != target.byteSize()) {
      throw new FormatException(
          path,
          "tensor \"%s\" has %,d bytes; these settings need %,d"
              .formatted(name, stored(name).byteSize(), target.byteSize()));
    }
  }

  private MemorySegment stored(String name) {
    TensorInfo tensor =
        file.find(name)
            .orElseThrow(() -> new FormatException(path, "holds no tensor \"" + name + "\""));
    return file.data(tensor);
  }

  private void fill(WeightTable table, String name, int width) {
    MemorySegment values = stored(name);
    float[] row = new float[width];
    for (long id = 0; id < table.rows(); id++) {
      MemorySegment.copy(values, 4L * width * id, MemorySegment.ofArray(row), 0, 4L * width);
      table.setRow(id, row);
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
