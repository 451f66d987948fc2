package dev.rowan.app.web;

import dev.rowan.app.answers.Asking;
import dev.rowan.app.answers.OneHot;
import dev.rowan.app.answers.Toy;
import dev.rowan.app.web.ServedModel.Token;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.kernel.Exact;
import dev.rowan.text.Tokenizer;
import dev.rowan.text.Tokenizer.SpecialTokens;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** From text to tokens to rows. */
final class LookupEndpoints {
  private static final int MOST_TEXT = 20_000;
  private static final int MOST_PANEL = 1 << 20; // numbers in one answer
  private static final int MOST_NAMES = 2000;
  private static final int MOST_MATCHES = 12;

  private final ServedModels models;

  LookupEndpoints(ServedModels models) {
    this.models = models;
  }

  /** A text in tokens. */
  record Tokens(List<Long> ids, List<String> tokens) {}

  /**
   * A row.
   *
   * @param id its number; null for a word that has no row
   * @param remark how the word was taken, where there was a choice, or that it has no row
   */
  @SuppressWarnings("ArrayRecordComponent") // carries numbers to the writer, never compared
  record Row(String token, OptionalLong id, double norm, float[] values, Optional<String> remark) {}

  /** Rows. */
  record Rows(List<Row> rows) {}

  /** A corner of the table. */
  record Corner(List<Long> ids, List<String> tokens, List<float[]> values) {}

  /** The tokens of consecutive rows. */
  record Names(long from, List<String> tokens) {}

  /** Tokens that begin like what was typed so far. */
  record Matches(List<Token> matches) {}

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
            Api.ROOT + "tokens",
            "A text in the model's tokens.",
            Tokens.class,
            this::tokens,
            Api.model(),
            Parameter.text("text", MOST_TEXT, "The text."),
            Parameter.truth("special", "Add the special tokens that frame a text.")),
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
            Api.ROOT + "names",
            "The tokens of consecutive rows.",
            Names.class,
            this::names,
            Api.model(),
            Parameter.whole("from", 0, 0, Long.MAX_VALUE, "The first row."),
            Parameter.whole("count", 64, 1, MOST_NAMES, "How many.")),
        Endpoint.json(
            Api.ROOT + "complete",
            "Tokens that begin like what was typed, in id order, exact ones first.",
            Matches.class,
            this::complete,
            Api.model(),
            Parameter.text("text", 100, "What was typed so far.")),
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

  private Tokens tokens(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    Tokenizer tokenizer =
        served
            .tokenizer()
            .orElseThrow(() ->
                new Refusal(
                    404,
                    "the model has no tokenizer and there is none beside it; name one with --tokenizer"));
    long[] ids =
        tokenizer.encode(
            question.text("text"),
            question.truth("special") ? SpecialTokens.ADD : SpecialTokens.OMIT);
    List<String> tokens = new ArrayList<>();
    for (long id : ids) {
      tokens.add(served.asked().text(id));
    }
    return new Tokens(Arrays.stream(ids).boxed().toList(), tokens);
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
              named.remark()));
    }
    return new Rows(rows);
  }

  private static Row composed(Asking.Point word) {
    double[] vector = word.query().vector();
    float[] values = new float[vector.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) vector[i]; // they were float32
    }
    return new Row(
        word.tokens().getFirst(),
        OptionalLong.empty(),
        Math.sqrt(Exact.squaredNorm(vector)),
        values,
        word.remark());
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

  private static long from(Question question, Table table) {
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

  private Names names(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    Table table = served.table().table();
    long from = from(question, table);
    long end = from + Math.min(question.whole("count"), table.rows() - from);
    List<String> tokens = new ArrayList<>();
    for (long id = from; id < end; id++) {
      tokens.add(served.asked().text(id));
    }
    return new Names(from, tokens);
  }

  private Matches complete(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    Optional<Vocabulary> vocabulary = served.lexicon().vocabulary();
    List<Token> matches = new ArrayList<>();
    String typed = plain(question.text("text"));
    if (vocabulary.isEmpty() || typed.isEmpty()) {
      return new Matches(matches);
    }
    List<Token> longer = new ArrayList<>();
    long end = Math.min(served.table().table().rows(), vocabulary.get().size());
    for (long id = 0; id < end && matches.size() < MOST_MATCHES; id++) {
      if (vocabulary.get().has(id)) {
        String text = vocabulary.get().text(id);
        String token = plain(text);
        if (token.equals(typed)) {
          matches.add(new Token(text, id));
        } else if (longer.size() < MOST_MATCHES && token.startsWith(typed)) {
          longer.add(new Token(text, id));
        }
      }
    }
    longer.stream().limit(MOST_MATCHES - matches.size()).forEach(matches::add);
    return new Matches(matches);
  }

  /** Returns a token without the marks of where it stands in a word. */
  private static String plain(String token) {
    String text = token.strip();
    text = text.startsWith("▁") ? text.substring(1) : text;
    text = text.startsWith("##") && text.length() > 2 ? text.substring(2) : text;
    return text.toLowerCase(Locale.ROOT);
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
