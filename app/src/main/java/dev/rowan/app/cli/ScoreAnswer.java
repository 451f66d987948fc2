package dev.rowan.app.cli;

import dev.rowan.analysis.output.FinalNorm;
import dev.rowan.analysis.output.OutputScores;
import dev.rowan.analysis.output.Scoring;
import dev.rowan.app.answers.Arithmetic;
import dev.rowan.app.answers.Asked;
import dev.rowan.app.answers.Asking;
import dev.rowan.app.answers.OutputTable;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Hit;
import dev.rowan.core.Query;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What vectors score, as text and as JSON. */
record ScoreAnswer(
    OutputTable output,
    Scoring scoring,
    Optional<FinalNorm> norm,
    List<Hidden> hidden,
    List<Asking.Named> named,
    List<OutputScores> scores,
    Asked asked) {

  /**
   * A vector and its name for people.
   *
   * @param inputs the words that it was made of; none if it was read from a file
   */
  record Hidden(String title, List<Arithmetic.Input> inputs, Query vector) {
    /** Copies the list. */
    Hidden {
      inputs = List.copyOf(inputs);
    }
  }

  void write(Json json) {
    if (scores.size() == 1) {
      write(json, 0);
    } else {
      json.array(
          "results",
          results -> {
            for (int v = 0; v < scores.size(); v++) {
              int at = v;
              results.item(j -> write(j.text("vector", hidden.get(at).title()), at));
            }
          });
    }
    json.object("table", j -> j.text("tensor", output.table().tensor()))
        .text("tableReason", output.reason())
        .number("scale", scoring.scale());
    scoring
        .softCap()
        .ifPresentOrElse(cap -> json.number("softCap", cap), () -> json.nothing("softCap"));
    json.number("temperature", scoring.temperature()).number("nonFiniteRows", nonFiniteRows());
    norm.ifPresentOrElse(
        n ->
            json.object(
                "finalNorm",
                j ->
                    j.text("tensor", n.tensor())
                        .text("kind", n.kind().title())
                        .number("epsilon", n.epsilon())),
        () -> json.nothing("finalNorm"));
  }

  private void write(Json json, int vector) {
    OutputScores of = scores.get(vector);
    HitRows rows = new HitRows(asked);
    json.objects(
            "scores",
            of.top(),
            (j, hit) ->
                rows.token(j, hit.id())
                    .number("logit", hit.score())
                    .number("probability", of.probability(hit.score())))
        .number("logSumExp", of.logSumExp())
        .array(
            "ranked",
            ranked -> {
              for (int i = 0; i < named.size(); i++) {
                int at = i;
                ranked.item(j -> write(j, of, at));
              }
            });
    HitRows.inputs(json, hidden.get(vector).inputs());
  }

  private void write(Json json, OutputScores of, int rank) {
    OutputScores.Place place = of.named().get(rank);
    new HitRows(asked).token(json, place.id());
    named.get(rank).respelled().ifPresent(how -> json.text("respelled", how));
    json.number("rank", place.rank())
        .number("logit", place.logit())
        .number("probability", of.probability(place.logit()));
  }

  private long nonFiniteRows() {
    return scores.isEmpty() ? 0 : scores.getFirst().nonFiniteRows(); // the same for each vector
  }

  void print(Page page) {
    for (int v = 0; v < scores.size(); v++) {
      page.part().heading(hidden.get(v).title() + ", scored by " + output.table().tensor());
      if (v == 0) {
        page.note(output.reason());
        norm.ifPresent(n ->
            page.note(
                String.format(
                    Locale.ROOT,
                    "h goes through %s (%s), ε %.3g",
                    n.tensor(),
                    n.kind().title(),
                    n.epsilon())));
        if (!scoring.text().isEmpty()) {
          page.note("logits: " + scoring.text());
        }
        output.leftOut(nonFiniteRows()).ifPresent(page::note);
      }
      print(page, scores.get(v));
    }
  }

  private void print(Page page, OutputScores of) {
    Grid grid = new Grid();
    long rank = 0;
    for (Hit hit : of.top()) {
      row(grid, ++rank, hit.id(), hit.score(), of);
    }
    for (OutputScores.Place place : of.named()) {
      row(grid, place.rank(), place.id(), place.logit(), of);
    }
    page.grid(grid);
  }

  private void row(Grid grid, long rank, long id, double logit, OutputScores of) {
    double probability = of.probability(logit);
    grid.row(
        Grid.right(rank == 0 ? "–" : String.valueOf(rank), Style.FAINT),
        Grid.left(Visible.clipped(asked.name(id), 32), Style.TOKEN),
        Grid.right("#" + id, Style.FAINT),
        Grid.right(HitRows.number(logit), Style.PLAIN),
        Grid.right(Double.isNaN(logit) ? "–" : percent(probability), Style.PLAIN),
        Grid.left(Bar.of(probability, 20), Style.BAR));
  }

  private static String percent(double probability) {
    double percent = 100 * probability;
    String format = percent >= 1 ? "%.2f %%" : percent >= 0.0001 ? "%.4f %%" : "%.1e %%";
    return String.format(Locale.ROOT, format, percent);
  }
}
