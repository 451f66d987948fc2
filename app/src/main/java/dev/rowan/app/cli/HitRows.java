package dev.rowan.app.cli;

import dev.rowan.app.answers.Arithmetic;
import dev.rowan.app.answers.Asked;
import dev.rowan.app.answers.Asking;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Hit;
import dev.rowan.core.Metric;
import java.util.List;
import java.util.Locale;

/** Ranked rows as text and as JSON, the same for every verb that ranks. */
final class HitRows {
  private static final int MOST_TOKEN_COLUMNS = 32;
  private static final int MOST_BAR = 30;
  private static final int LEAST_BAR = 6;

  private final Asked asked;

  HitRows(Asked asked) {
    this.asked = asked;
  }

  /** Writes a member that is an array of rows with scores. */
  Json write(Json json, String name, List<Hit> hits) {
    return json.objects(name, hits, (j, hit) -> token(j, hit.id()).number("score", hit.score()));
  }

  /** Writes the token and id of a row. */
  Json token(Json json, long id) {
    return json.text("token", asked.text(id)).number("id", id);
  }

  /**
   * Writes the token and id of a point; a word without a row has its count of n-grams instead, one
   * that took the row of another spelling how that differs.
   */
  static Json point(Json json, Asking.Point point) {
    json.text("token", String.join(" ", point.tokens()));
    point.id().ifPresentOrElse(id -> json.number("id", id), () -> json.nothing("id"));
    if (point.ids().size() > 1) {
      json.array("meanOf", j -> point.ids().forEach(j::element));
    }
    point.respelled().ifPresent(how -> json.text("respelled", how));
    return point.ngrams() > 0 ? json.number("ngrams", (long) point.ngrams()) : json;
  }

  /** Writes what went into a vector: tokens as {@link #point}, and their weights. */
  static Json inputs(Json json, List<Arithmetic.Input> inputs) {
    return json.objects(
        "inputs",
        inputs,
        (j, input) -> {
          j.text("token", input.token());
          input.id().ifPresentOrElse(id -> j.number("id", id), () -> j.nothing("id"));
          input.respelled().ifPresent(how -> j.text("respelled", how));
          if (input.ngrams() > 0) {
            j.number("ngrams", (long) input.ngrams());
          }
          j.number("weight", input.weight());
        });
  }

  /** Prints ranked cosines with a bar each and the baseline beneath. */
  void cosines(Page page, List<Hit> hits, double baseline) {
    Grid plain = grid(hits, Metric.COSINE, baseline, 0);
    page.grid(grid(hits, Metric.COSINE, baseline, bar(page, plain)));
  }

  /** Prints ranked scores of a metric; cosines with {@link #cosines}. */
  void scores(Page page, List<Hit> hits, Metric metric, double baseline) {
    if (metric == Metric.COSINE) {
      cosines(page, hits, baseline);
    } else {
      page.grid(grid(hits, metric, Double.NaN, 0));
    }
  }

  private static int bar(Page page, Grid grid) {
    int room = Math.min(MOST_BAR, page.room(grid.columns()) - 2);
    return room < LEAST_BAR ? 0 : room;
  }

  private Grid grid(List<Hit> hits, Metric metric, double baseline, int bar) {
    Grid grid = new Grid();
    int rank = 0;
    for (Hit hit : hits) {
      grid.row(
          Grid.right(String.valueOf(++rank), Style.FAINT),
          Grid.left(Visible.clipped(asked.name(hit.id()), MOST_TOKEN_COLUMNS), Style.TOKEN),
          Grid.right("#" + hit.id(), Style.FAINT),
          Grid.right(number(hit.score()), Style.PLAIN),
          Grid.left(metric == Metric.COSINE ? Bar.of(hit.score(), bar) : "", Style.BAR));
    }
    if (metric == Metric.COSINE) {
      grid.row(
          Grid.right("", Style.FAINT),
          Grid.left("baseline", Style.FAINT),
          Grid.right("", Style.FAINT),
          Grid.right(number(baseline), Style.BASELINE),
          Grid.left(Bar.of(baseline, bar), Style.BASELINE));
    }
    return grid;
  }

  /** Returns a score to three digits, with a sign that no rounding can turn into −0. */
  static String number(double score) {
    if (Double.isNaN(score)) {
      return "–";
    }
    String text = String.format(Locale.ROOT, "%.3f", score);
    return text.equals("-0.000") ? "0.000" : text;
  }
}
