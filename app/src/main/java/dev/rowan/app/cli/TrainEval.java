package dev.rowan.app.cli;

import dev.rowan.analysis.eval.AnalogyScores;
import dev.rowan.analysis.eval.Correlation.Bootstrap;
import dev.rowan.analysis.eval.EvalRules;
import dev.rowan.analysis.eval.EvalRules.Policy;
import dev.rowan.analysis.eval.Evaluator;
import dev.rowan.analysis.eval.PairScores;
import dev.rowan.analysis.eval.TestSet;
import dev.rowan.core.AnalogyBatch.Rule;
import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Origin;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.train.TrainingEvent;
import dev.rowan.train.TrainingListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Scores the table on test sets as training goes: at every fourth of it, by the rules of eval. */
final class TrainEval implements TrainingListener {
  private static final int QUARTERS = 4;

  /** Few samples: the interval is not shown here. */
  private static final Bootstrap BOOTSTRAP = new Bootstrap(100, 42, 0.95);

  private final List<TestSet> sets;
  private final Workers workers;
  private final Consumer<String> say;
  private final List<TrainScore> scores;

  private TrainEval(
      List<TestSet> sets, Workers workers, Consumer<String> say, List<TrainScore> before) {
    this.sets = sets;
    this.workers = workers;
    this.say = say;
    this.scores = new ArrayList<>(before);
  }

  /**
   * Reads the test sets, so that a wrong one is found before training.
   *
   * @param before the scores before an interruption
   */
  static TrainEval of(
      List<Path> files, Workers workers, Consumer<String> say, List<TrainScore> before)
      throws IOException {
    List<TestSet> sets = new ArrayList<>();
    for (Path file : files) {
      sets.add(TestSet.read(file, Policy.ROWAN, TestSet.Reading.automatic()));
    }
    return new TrainEval(sets, workers, say, before);
  }

  /** Returns every result so far. */
  List<TrainScore> scores() {
    return List.copyOf(scores);
  }

  @Override
  public void heard(TrainingEvent event) {
    if (event instanceof TrainingEvent.Look look
        && !sets.isEmpty()
        && look.share() > 0
        && look.endsOneOf(QUARTERS)) {
      score(look.share(), look.view().rows(), look.view().vocabulary().vocabulary());
    }
  }

  private void score(double share, Table rows, Vocabulary words) {
    try (Lexicon lexicon =
        new Lexicon(
            new NamedTable("training", rows),
            Optional.empty(),
            Optional.of(words),
            Tie.NO_OUTPUT,
            "the table is in training",
            new Origin(
                Path.of("training"), "training", Optional.empty(), OptionalLong.empty(), List.of()),
            () -> {})) {
      Evaluator evaluator =
          Evaluator.of(lexicon, Search.over(rows, workers), EvalRules.of(Policy.ROWAN));
      for (TestSet set : sets) {
        switch (set) {
          case TestSet.WordPairs pairs -> pairs(share, evaluator.pairs(pairs, BOOTSTRAP));
          case TestSet.Analogies asked ->
              analogies(share, evaluator.analogies(asked, Rule.ADD, 42));
        }
      }
    }
  }

  private void pairs(double share, PairScores found) {
    TrainScore score =
        new TrainScore(
            share,
            found.name(),
            TrainScore.SPEARMAN,
            found.spearman(),
            found.used(),
            found.total());
    scores.add(score);
    if (Double.isNaN(score.value())) {
      sayUnmeasured(score);
      return;
    }
    say.accept(
        String.format(
            Locale.ROOT,
            "at %.0f %%, %s: Spearman %s over %,d of %,d pairs",
            100 * share,
            found.name(),
            TrainSentences.cosine(found.spearman()),
            found.used(),
            found.total()));
  }

  private void sayUnmeasured(TrainScore score) {
    say.accept(
        String.format(
            Locale.ROOT,
            "at %.0f %%, %s: not measured: %s",
            100 * score.share(),
            score.set(),
            score.unmeasured()));
  }

  private void analogies(double share, AnalogyScores found) {
    AnalogyScores.Tally all = found.all();
    double raw = all.used() == 0 ? Double.NaN : all.share(all.raw());
    double excluding = all.used() == 0 ? Double.NaN : all.share(all.excludingInputs());
    scores.add(new TrainScore(share, found.name(), "raw", raw, all.used(), all.total()));
    TrainScore score =
        new TrainScore(
            share, found.name(), TrainScore.EXCLUDING, excluding, all.used(), all.total());
    scores.add(score);
    if (all.used() == 0) {
      sayUnmeasured(score);
      return;
    }
    say.accept(
        String.format(
            Locale.ROOT,
            "at %.0f %%, %s: %.1f %% raw, %.1f %% excluding inputs, over %,d of %,d questions",
            100 * share,
            found.name(),
            100 * raw,
            100 * excluding,
            all.used(),
            all.total()));
  }
}
