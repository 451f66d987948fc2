package dev.rowan.app.web;

import dev.rowan.app.answers.Asking;
import dev.rowan.app.answers.CosineHistogram;
import dev.rowan.app.answers.Neighbours;
import dev.rowan.core.Hit;
import dev.rowan.core.Metric;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Search;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** What lies close to a token. */
final class NeighbourEndpoints {
  private final ServedModels models;

  NeighbourEndpoints(ServedModels models) {
    this.models = models;
  }

  /** A row with its score. */
  record Scored(String token, long id, double score) {
    static List<Scored> of(ServedModel served, List<Hit> hits) throws IOException {
      List<Scored> scored = new ArrayList<>();
      for (Hit hit : hits) {
        scored.add(new Scored(served.asked().text(hit.id()), hit.id(), hit.score()));
      }
      return scored;
    }
  }

  /**
   * What was searched from.
   *
   * @param id the row; null where it is the mean of several, or a word that has no row
   * @param meanOf those rows; empty where it is one
   * @param title its name for people
   * @param remark how the word was taken, where there was a choice
   * @param respelled how, if its row is that of another case or of no accents
   */
  record From(
      String token,
      OptionalLong id,
      List<Long> meanOf,
      String title,
      Optional<String> remark,
      Optional<String> respelled) {
    static From of(Asking.Point point) {
      boolean single = point.ids().size() == 1;
      return new From(
          String.join(" ", point.tokens()),
          point.id(),
          single ? List.of() : point.ids(),
          point.title(),
          point.remark(),
          point.respelled());
    }
  }

  /** The neighbours of one token. */
  record Result(From query, String metric, double baseline, List<Scored> neighbours) {}

  /** The neighbours of tokens. */
  record Near(List<Result> results, boolean centred, long rowsSearched) {}

  /** How the cosines of a token with all other rows are spread. */
  @SuppressWarnings("ArrayRecordComponent") // carries numbers to the writer, never compared
  record Histogram(
      From query,
      boolean centred,
      long[] counts,
      long rows,
      double mean,
      double deviation,
      double baseline) {}

  List<Endpoint> all() {
    Parameter centred =
        Parameter.truth("centred", "Take the mean row away from every row before comparing.");
    Parameter mean =
        Parameter.truth("mean", "For a word of several tokens, use the mean of their rows.");
    return List.of(
        Endpoint.json(
            Api.ROOT + "near",
            "The rows closest to tokens, from one pass over all rows and all columns.",
            Near.class,
            this::near,
            Api.model(),
            Api.token(16),
            Parameter.whole("k", 10, 0, 1000, "How many neighbours."),
            Parameter.choice(
                "metric", List.of("cosine", "dot", "euclidean"), "How rows are compared."),
            centred,
            mean),
        Endpoint.json(
            Api.ROOT + "histogram",
            "How a token's cosines with all other rows are spread over [−1, 1].",
            Histogram.class,
            this::histogram,
            Api.model(),
            Api.token(1),
            Parameter.whole("bins", 100, 1, 1000, "How many bins of equal width."),
            centred,
            mean));
  }

  private Near near(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    boolean centred = question.truth("centred");
    NamedTable table = centred ? served.centred() : served.table();
    List<Asking.Point> points = new ArrayList<>();
    for (String token : question.texts("token")) {
      points.add(point(served, table, token, question));
    }
    String metric = question.choice("metric");
    Neighbours near =
        Neighbours.of(
            served.search(table),
            points,
            Metric.valueOf(metric.toUpperCase(Locale.ROOT)),
            (int) question.whole("k"));
    List<Result> results = new ArrayList<>();
    for (Neighbours.Result result : near.results()) {
      results.add(
          new Result(
              From.of(result.point()), metric, near.baseline(), Scored.of(served, result.hits())));
    }
    return new Near(results, centred, table.table().rows());
  }

  private Histogram histogram(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    boolean centred = question.truth("centred");
    NamedTable table = centred ? served.centred() : served.table();
    Asking.Point point = point(served, table, question.text("token"), question);
    Search search = served.search(table);
    CosineHistogram counted =
        CosineHistogram.of(search, point.query(), (int) question.whole("bins"));
    return new Histogram(
        From.of(point),
        centred,
        counted.counts(),
        counted.rows(),
        counted.mean(),
        counted.deviation(),
        table.table().statistics(served.workers()).meanCosine());
  }

  private static Asking.Point point(
      ServedModel served, NamedTable table, String token, Question question) throws IOException {
    Asking asking = new Asking(served, table);
    return question.truth("mean") ? asking.pointOrMean(token) : asking.point(token);
  }
}
