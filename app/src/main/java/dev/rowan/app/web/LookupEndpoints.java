package dev.rowan.app.web;

import dev.rowan.app.answers.Asking;
import dev.rowan.app.answers.OneHot;
import dev.rowan.app.answers.Toy;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Table;
import dev.rowan.core.kernel.Exact;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Rows: one by one, a corner, a panel; and why a lookup is a multiplication. */
final class LookupEndpoints {
  private static final int MOST_PANEL = 1 << 20; // numbers in one answer

  private final ServedModels models;

  LookupEndpoints(ServedModels models) {
    this.models = models;
  }

  /**
   * A row.
   *
   * @param id its number; null for a word that has no row
   * @param remark how the word was taken, where there was a choice, or that it has no row
   * @param respelled how, if the row is that of another case or of no accents
   */
  @SuppressWarnings("ArrayRecordComponent") // carries numbers to the writer, never compared
  record Row(
      String token,
      OptionalLong id,
      double norm,
      float[] values,
      Optional<String> remark,
      Optional<String> respelled) {}

  /** Rows. */
  record Rows(List<Row> rows) {}

  /** A corner of the table. */
  record Corner(List<Long> ids, List<String> tokens, List<float[]> values) {}

  /**
   * One-hot × table beside plain lookup.
   *
   * @param rows V, so that {@code rows × width} multiplications are saved
   */
  @SuppressWarnings("ArrayRecordComponent") // carries numbers to the writer, never compared
  record Step(
      String token,
      long id,
      long rows,
      long width,
      float[] oneHotTimesTable,
      float[] lookedUp,
      boolean equal,
      long multiplicationsSaved) {}

  /** The same on a table small enough to show whole. */
  record ToyStep(List<String> tokens, List<float[]> table, List<Step> steps) {}

  List<Endpoint> all() {
    return List.of(
        Endpoint.json(
            Api.ROOT + "row",
            "The rows of tokens.",
            Rows.class,
            this::row,
            Api.model(),
            Api.token(32)),
        Endpoint.json(
            Api.ROOT + "corner",
            "A corner of the table.",
            Corner.class,
            this::corner,
            Api.model(),
            Parameter.whole("from", 0, 0, Long.MAX_VALUE, "The first row."),
            Parameter.whole("rows", 8, 0, 200, "How many rows."),
            Parameter.whole("columns", 6, 0, 1024, "How many columns.")),
        Endpoint.of(
            Api.ROOT + "panel",
            "Consecutive rows as float32, little-endian, row by row; at most %,d numbers."
                .formatted(MOST_PANEL),
            List.of(
                Api.model(),
                Parameter.whole("from", 0, 0, Long.MAX_VALUE, "The first row."),
                Parameter.whole("rows", 64, 1, 4096, "How many rows.")),
            Endpoint.BINARY,
            Optional.empty(),
            this::panel),
        Endpoint.json(
            Api.ROOT + "toy",
            "One-hot × table on a toy table, for each of its rows.",
            ToyStep.class,
            this::toy),
        Endpoint.json(
            Api.ROOT + "step",
            "One-hot × table on the model, all products computed, beside plain lookup.",
            Step.class,
            this::step,
            Api.model(),
            Api.token(1)));
  }

  private Rows row(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    NamedTable table = served.table();
    Asking asking = new Asking(served, table);
    List<Row> rows = new ArrayList<>();
    for (String token : question.texts("token")) {
      Optional<Asking.Point> composed = asking.composed(token);
      if (composed.isPresent()) {
        rows.add(composed(composed.get()));
        continue;
      }
      Asking.Named named = asking.named(token);
      float[] values = table.table().row(named.id());
      rows.add(
          new Row(
              served.asked().text(named.id()),
              OptionalLong.of(named.id()),
              Math.sqrt(Exact.dot(values, 0, values, 0, values.length)),
              values,
              named.remark(),
              named.respelled()));
    }
    return new Rows(rows);
  }

  private static Row composed(Asking.Point word) {
    return new Row(
        word.tokens().getFirst(),
        OptionalLong.empty(),
        Math.sqrt(Exact.squaredNorm(word.query().vector())),
        word.values(),
        word.remark(),
        word.respelled());
  }

  private Corner corner(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    Table table = served.table().table();
    long from = from(question, table);
    long end = from + Math.min(question.whole("rows"), table.rows() - from);
    int width = (int) Math.min(question.whole("columns"), table.width());
    List<Long> ids = new ArrayList<>();
    List<String> tokens = new ArrayList<>();
    List<float[]> values = new ArrayList<>();
    for (long id = from; id < end; id++) {
      ids.add(id);
      tokens.add(served.asked().text(id));
      values.add(Arrays.copyOf(table.row(id), width));
    }
    return new Corner(ids, tokens, values);
  }

  /** Returns the first row that was asked for; the number of rows is the legal end. */
  static long from(Question question, Table table) {
    long from = question.whole("from");
    if (from > table.rows()) {
      throw new Refusal(400, "from is %d; it takes [0, %d]".formatted(from, table.rows()));
    }
    return from;
  }

  private Answer panel(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    Table table = served.table().table();
    long from = from(question, table);
    long rows = Math.min(question.whole("rows"), table.rows() - from);
    if (rows * table.width() > MOST_PANEL) {
      throw new Refusal(
          400,
          "%,d rows of width %,d are more than %,d numbers; ask for %,d rows at most"
              .formatted(rows, table.width(), MOST_PANEL, MOST_PANEL / table.width()));
    }
    float[] values = new float[(int) rows * table.width()];
    table.copyRows(from, (int) rows, values, 0);
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    return new Answer.Bytes(bytes.array(), Endpoint.BINARY);
  }

  private ToyStep toy(Question question) {
    Table toy = Toy.table();
    List<float[]> rows = new ArrayList<>();
    List<Step> steps = new ArrayList<>();
    for (int id = 0; id < toy.rows(); id++) {
      rows.add(toy.row(id));
      steps.add(step(toy, id, Toy.TOKENS.get(id)));
    }
    return new ToyStep(Toy.TOKENS, rows, steps);
  }

  private Step step(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    NamedTable table = served.table();
    long id = new Asking(served, table).named(question.text("token")).id();
    return step(table.table(), id, served.asked().text(id));
  }

  private static Step step(Table table, long id, String token) {
    float[] multiplied = OneHot.times(table, id);
    float[] row = table.row(id);
    return new Step(
        token,
        id,
        table.rows(),
        table.width(),
        multiplied,
        row,
        OneHot.sameBits(multiplied, row),
        table.parameters());
  }
}
