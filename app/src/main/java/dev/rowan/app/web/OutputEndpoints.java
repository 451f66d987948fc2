package dev.rowan.app.web;

import dev.rowan.analysis.output.OutputScorer;
import dev.rowan.analysis.output.OutputScores;
import dev.rowan.analysis.output.OutputSettings;
import dev.rowan.analysis.output.Scoring;
import dev.rowan.app.answers.Asking;
import dev.rowan.app.answers.OutputTable;
import dev.rowan.core.Hit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The table at the output. */
final class OutputEndpoints {
  private final ServedModels models;

  OutputEndpoints(ServedModels models) {
    this.models = models;
  }

  /** What a row scores. */
  record Logit(String token, long id, double logit, double probability) {}

  /** The table that scored. */
  record Scorer(String tensor) {}

  /**
   * What a token's input row scores against every row of the output table.
   *
   * @param respelled how the token was, if its row is that of another case or of no accents
   */
  record Scores(
      List<Logit> scores,
      double logSumExp,
      Scorer table,
      String tableReason,
      String title,
      Optional<String> leftOut,
      Optional<String> remark,
      Optional<String> respelled) {}

  List<Endpoint> all() {
    return List.of(
        Endpoint.json(
            Api.ROOT + "score",
            "Logits h·Eᵀ and probabilities, h being the input row of a token.",
            Scores.class,
            this::score,
            Api.model(),
            Api.token(1),
            Parameter.whole("k", 10, 0, 1000, "How many tokens.")));
  }

  private Scores score(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    OutputTable output = OutputTable.of(served);
    Asking.Point point = new Asking(served, served.lexicon().input()).point(question.text("token"));
    int k = (int) Math.min(question.whole("k"), output.table().table().rows());
    Scoring scoring = OutputSettings.beside(served.lexicon().origin().path()).scoring();
    OutputScores logits =
        OutputScorer.score(
                served.search(output.table()),
                List.of(point.query().excludingNothing()),
                scoring,
                k)
            .getFirst();
    List<Logit> scores = new ArrayList<>();
    for (Hit hit : logits.top()) {
      scores.add(
          new Logit(
              served.asked().text(hit.id()),
              hit.id(),
              hit.score(),
              logits.probability(hit.score())));
    }
    return new Scores(
        scores,
        logits.logSumExp(),
        new Scorer(output.table().tensor()),
        output.reason(),
        point.title(),
        output.leftOut(logits.nonFiniteRows()),
        point.remark(),
        point.respelled());
  }
}
