package dev.rowan.app.web;

import dev.rowan.analysis.compare.Axis;
import dev.rowan.app.answers.Arithmetic;
import dev.rowan.app.answers.Asking;
import dev.rowan.app.answers.Plane;
import dev.rowan.app.web.NeighbourEndpoints.Scored;
import dev.rowan.core.Analogy;
import dev.rowan.core.Expression;
import dev.rowan.core.Expression.Inputs;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Arithmetic on rows. */
final class AnalogyEndpoints {
  private final ServedModels models;

  AnalogyEndpoints(ServedModels models) {
    this.models = models;
  }

  /** The best row that is no input, and where it stood before any arithmetic. */
  record Best(String token, long id, double score, double scoreBefore, long rankBefore) {}

  /**
   * A row of the expression. Words without a row are told in the title.
   *
   * @param respelled how a word was, whose row is that of another case or of no accents
   */
  record Input(String token, long id, double weight, Optional<String> respelled) {}

  /**
   * A point of the picture.
   *
   * @param role a, b, c, sum, or answer for a row of the ranking
   * @param off how far from the plane the row lies; 0 for the corners
   */
  record Dot(String role, String token, double x, double y, double off) {}

  /**
   * What vector arithmetic gives.
   *
   * @param start the first term, whose neighbours {@code rankBefore} counts; it may have no row
   */
  record Told(
      List<Scored> raw,
      List<Scored> excludingInputs,
      Optional<Best> answer,
      double baseline,
      boolean unit,
      String title,
      String start,
      Optional<String> remark,
      List<Input> inputs,
      List<Dot> picture) {}

  /** A word at an end of an axis; how it was respelled is as for an {@link Input}. */
  record End(String token, long id, Optional<String> respelled) {}

  /** A word on an axis; how it was respelled is as for an {@link Input}. */
  record Placed(
      String token, long id, double position, double cosine, Optional<String> respelled) {}

  /**
   * Words on an axis, in its order.
   *
   * @param forward the rows that point most along it, by cosine
   * @param backward the rows that point most against it
   */
  record Axed(
      List<End> from,
      List<End> to,
      List<Placed> words,
      List<String> leftOut,
      List<Scored> forward,
      List<Scored> backward,
      double baseline) {}

  List<Endpoint> all() {
    return List.of(
        Endpoint.json(
            Api.ROOT + "analogy",
            "The rows nearest to a − b + c, with and without the inputs, and the picture of the step.",
            Told.class,
            this::analogy,
            Api.model(),
            Parameter.text("expression", 1000, "Tokens with + or - between them."),
            Parameter.whole("k", 5, 0, 1000, "How many rows to list."),
            Parameter.truth("unit", "Scale rows to unit norm first (gensim's rule).")),
        Endpoint.json(
            Api.ROOT + "axis",
            "Where words fall on the line from some tokens, at 0, to others, at 1, rows at unit norm;"
                + " and the rows that point most along it.",
            Axed.class,
            this::axis,
            Api.model(),
            Parameter.texts("from", 16, 500, "A token at the start; several are averaged."),
            Parameter.texts("to", 16, 500, "A token at the end; several are averaged."),
            Parameter.texts("word", 200, 500, "A word to place.").optional(),
            Parameter.whole("k", 8, 0, 100, "How many rows each way.")));
  }

  private Told analogy(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    NamedTable table = served.table();
    Arithmetic arithmetic =
        Arithmetic.of(
            List.of(question.text("expression")), new Asking(served, table), served.asked());
    Inputs inputs = question.truth("unit") ? Inputs.UNIT : Inputs.AS_STORED;
    int k = (int) Math.min(question.whole("k"), table.table().rows());
    Analogy analogy = Analogy.of(served.search(table), arithmetic.expression(), inputs, k);
    Optional<Best> best = Optional.empty();
    if (analogy.answer().isPresent()) {
      Analogy.Answer answer = analogy.answer().get();
      long id = answer.hit().id();
      best =
          Optional.of(
              new Best(
                  served.asked().text(id),
                  id,
                  answer.hit().score(),
                  answer.scoreBefore(),
                  answer.rankBefore()));
    }
    List<Input> terms = new ArrayList<>();
    for (Arithmetic.Input input : arithmetic.inputs()) {
      input
          .id()
          .ifPresent(
              id -> terms.add(new Input(input.token(), id, input.weight(), input.respelled())));
    }
    return new Told(
        Scored.of(served, analogy.raw()),
        Scored.of(served, analogy.excludingInputs()),
        best,
        analogy.baseline(),
        inputs == Inputs.UNIT,
        arithmetic.title(),
        arithmetic.start(),
        arithmetic.remark(),
        terms,
        picture(served, table.table(), arithmetic, inputs, analogy));
  }

  private static List<Dot> picture(
      ServedModel served, Table table, Arithmetic arithmetic, Inputs inputs, Analogy analogy)
      throws IOException {
    Optional<Plane> plane = Plane.of(table, arithmetic.expression(), inputs);
    List<Dot> dots = new ArrayList<>();
    if (plane.isEmpty()) {
      return dots;
    }
    for (int i = 0; i < 3; i++) {
      long id = arithmetic.ids().get(i);
      Plane.Place place = plane.get().place(Expression.of(id).evaluate(table, inputs));
      dots.add(
          new Dot(List.of("a", "b", "c").get(i), served.asked().text(id), place.x(), place.y(), 0));
    }
    Plane.Place sum = plane.get().place(arithmetic.expression().evaluate(table, inputs));
    dots.add(new Dot("sum", arithmetic.title(), sum.x(), sum.y(), 0));
    for (var hit : analogy.excludingInputs().stream().limit(3).toList()) {
      Plane.Place place = plane.get().place(Expression.of(hit.id()).evaluate(table, inputs));
      dots.add(new Dot("answer", served.asked().text(hit.id()), place.x(), place.y(), place.off()));
    }
    return dots;
  }

  private Axed axis(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    NamedTable table = served.table();
    Asking asking = new Asking(served, table);
    List<End> from = ends(served, asking, question.texts("from"));
    List<End> to = ends(served, asking, question.texts("to"));
    Axis axis = Axis.between(table.table(), ids(from), ids(to));
    List<Placed> placed = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    for (String word : question.texts("word")) {
      try {
        End named = end(served, asking, word);
        Axis.Place place = axis.place(named.id());
        placed.add(
            new Placed(
                named.token(), named.id(), place.position(), place.cosine(), named.respelled()));
      } catch (IllegalArgumentException _) {
        leftOut.add(word); // no token of this model: said beside the picture
      }
    }
    placed.sort((a, b) -> Double.compare(a.position(), b.position()));
    Search search = served.search(table);
    int k = (int) Math.min(question.whole("k"), table.table().rows());
    return new Axed(
        from,
        to,
        placed,
        leftOut,
        Scored.of(served, axis.farthest(search, k)),
        Scored.of(served, axis.farthestBack(search, k)),
        table.table().statistics(served.workers()).meanCosine());
  }

  private static List<End> ends(ServedModel served, Asking asking, List<String> words)
      throws IOException {
    List<End> ends = new ArrayList<>();
    for (String word : words) {
      ends.add(end(served, asking, word));
    }
    return ends;
  }

  private static End end(ServedModel served, Asking asking, String word) throws IOException {
    Asking.Named named = asking.named(word);
    return new End(served.asked().text(named.id()), named.id(), named.respelled());
  }

  private static List<Long> ids(List<End> ends) {
    return ends.stream().map(End::id).toList();
  }
}
