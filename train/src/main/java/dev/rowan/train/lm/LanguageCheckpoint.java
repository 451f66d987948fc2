package dev.rowan.train.lm;

import dev.rowan.core.Counted;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.SafetensorsWriter.Tensor;
import dev.rowan.layer.OptimizerState;
import dev.rowan.layer.WeightTable;
import dev.rowan.train.CheckpointFile;
import dev.rowan.train.CheckpointFile.Kind;
import dev.rowan.train.CheckpointPlan;
import dev.rowan.train.CheckpointWriter;
import dev.rowan.train.CheckpointWriter.Learned;
import dev.rowan.train.LossSums;
import dev.rowan.train.corpus.EncodedCorpus;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A language model whose training was interrupted: all that is learned, all that the optimizers
 * keep, and how far it came, in a safetensors file.
 *
 * <p>Open until {@link #close}; not for several threads at once.
 */
public final class LanguageCheckpoint implements AutoCloseable {
  private static final String PREFIX = Kind.LANGUAGE.prefix();

  private final CheckpointFile file;
  private final LanguageSettings settings;
  private final long places;
  private final State state;

  /** What was learned. */
  record Text(LanguageSettings settings, Learned learned, long places) {}

  /**
   * How far a training is.
   *
   * @param epoch how many epochs are done
   * @param batches how many batches of the next one are
   * @param looked after how many batches, of all epochs, rows were last looked at; negative if
   *     never
   * @param epochLoss the sum over the epoch that runs
   * @param losses of the part that runs
   * @param epochs what was measured
   */
  record State(
      int epoch,
      int batches,
      long looked,
      double epochLoss,
      LossSums losses,
      List<LanguageReport.Epoch> epochs) {}

  private LanguageCheckpoint(CheckpointFile file) {
    this.file = file;
    this.settings = LanguageSettings.of(file.texts(PREFIX));
    this.places = Long.parseLong(file.text(PREFIX + "places"));
    this.state =
        new State(
            Integer.parseInt(file.text(PREFIX + "epoch")),
            Integer.parseInt(file.text(PREFIX + "batches")),
            Long.parseLong(file.text(PREFIX + "looked")),
            Double.parseDouble(file.text(PREFIX + "epoch-loss")),
            LossSums.of(file.text(PREFIX + "losses")),
            epochs(file.text(PREFIX + "measured")));
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
    return CheckpointFile.open(path, Kind.LANGUAGE, LanguageCheckpoint::new);
  }

  static void save(CheckpointPlan plan, Text text, State state, LanguageModel model)
      throws IOException {
    List<Tensor> numbers = new ArrayList<>();
    arrays(model).forEach((name, bytes) -> numbers.add(CheckpointWriter.floats(name, bytes, 1)));
    Map<String, String> texts = new LinkedHashMap<>();
    text.settings().asText().forEach((name, value) -> texts.put(PREFIX + name, value));
    texts.put(PREFIX + "epoch", String.valueOf(state.epoch()));
    texts.put(PREFIX + "batches", String.valueOf(state.batches()));
    texts.put(PREFIX + "looked", String.valueOf(state.looked()));
    texts.put(PREFIX + "losses", state.losses().asText());
    texts.put(PREFIX + "epoch-loss", String.valueOf(state.epochLoss()));
    texts.put(PREFIX + "places", String.valueOf(text.places()));
    List<String> measured = new ArrayList<>();
    for (LanguageReport.Epoch e : state.epochs()) {
      measured.add(e.number() + "," + e.trainingLoss() + "," + e.heldOut());
    }
    texts.put(PREFIX + "measured", String.join(" ", measured));
    CheckpointWriter.write(plan, Kind.LANGUAGE, text.learned(), numbers, texts);
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

  /** Returns the settings of the training. */
  public LanguageSettings settings() {
    return settings;
  }

  /** Returns how far it came. */
  State state() {
    return state;
  }

  /** Copies what was learned into a model of the same text. */
  void restore(EncodedCorpus corpus, long placesNow, LanguageModel model) {
    file.checkText(
        corpus,
        Counted.of(places, "token to learn from", "tokens to learn from"),
        Counted.of(placesNow, "token to learn from", "tokens to learn from"));
    long most = Math.ceilDiv(placesNow, settings.batch());
    if (state.epoch() < 0
        || state.epoch() > settings.epochs()
        || state.batches() < 0
        || state.batches() > most
        || state.looked() > most * settings.epochs()) {
      throw new FormatException(
          file.path(),
          "stands at epoch %d, batch %d, looked at after %d; these do not exist"
              .formatted(state.epoch(), state.batches(), state.looked()));
    }
    Map<String, MemorySegment> arrays = arrays(model);
    arrays.forEach(
        (name, bytes) -> file.data(name, bytes.byteSize())); // all fit before any is copied
    arrays.forEach((name, bytes) -> {
      MemorySegment stored = file.data(name, bytes.byteSize());
      switch (name.substring(PREFIX.length())) {
        case "input" -> fill(model.input(), stored);
        case "output" -> fill(model.output(), stored);
        default -> bytes.copyFrom(stored);
      }
    });
  }

  private void fill(WeightTable table, MemorySegment values) {
    int width = settings.width();
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
