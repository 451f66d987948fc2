package dev.rowan.app.cli;

import dev.rowan.core.Counted;
import dev.rowan.train.CheckpointPlan;
import dev.rowan.train.TrainingEvent;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.lm.LanguageEvent;
import dev.rowan.train.lm.LanguageReport;
import dev.rowan.train.lm.LanguageSettings.Tying;
import dev.rowan.train.lm.LanguageTrainer;
import dev.rowan.train.lm.TrainedLanguage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * {@code train --objective next}: learns to predict the next token and says what that is worth.
 *
 * @param typed what to learn
 * @param memory of earlier parts of the training
 * @param delivery of what was learned
 */
record NextTokenTraining(
    TrainCommand typed, Session session, TrainMemory memory, TrainDelivery delivery) {

  /** Trains, writes and reports. */
  void run(EncodedCorpus corpus, SavedTraining saved) throws IOException {
    TrainSeen seen = delivery.seen();
    memory.begin();
    LanguageTrainer trainer = trainer(corpus, saved);
    long tokensBefore = trainer.tokensDone();
    memory.remarks(tokensBefore, false).forEach(seen.progress()::say);
    Optional<CheckpointPlan> plan = delivery.plan(typed.betweenCheckpoints());
    seen.run(
        () -> trainer.run(this::tell, plan) == LanguageTrainer.Ending.DONE, trainer::stop, plan);
    double seconds = memory.seconds();
    long timed = trainer.tokensDone() - (memory.isTimed() ? 0 : tokensBefore);
    delivery.deliver(
        place -> {
          TrainedLanguage.save(place, trainer, typed.notes(session, memory));
          return List.of();
        },
        seen.report(trainer.settings().asText(), perplexities(trainer)),
        trainer::save);
    answer(trainer, seconds, timed / seconds);
  }

  private LanguageTrainer trainer(EncodedCorpus corpus, SavedTraining saved) {
    try (saved) {
      return saved.language().isPresent()
          ? LanguageTrainer.resumed(corpus, saved.language().get(), session.workers())
          : LanguageTrainer.fresh(
              corpus, typed.nextToken.settings(typed.options), session.workers());
    }
  }

  private static List<TrainScore> perplexities(LanguageTrainer trainer) {
    LanguageReport report = trainer.report();
    long tokens = report.heldOutTokens();
    return report.epochs().stream()
        .map(epoch ->
            new TrainScore(
                (double) epoch.number() / trainer.settings().epochs(),
                "held-out text",
                TrainScore.PERPLEXITY,
                epoch.heldOut(),
                tokens,
                tokens))
        .toList();
  }

  private void tell(LanguageEvent event) {
    TrainSeen seen = delivery.seen();
    TrainProgress progress = seen.progress();
    switch (event) {
      case LanguageEvent.Seen(TrainingEvent every) -> seen.listener().heard(every);
      case LanguageEvent.Progress p ->
          progress.passing(
              p.loss(),
              String.format(
                  Locale.ROOT,
                  "%5.1f %%  epoch %d  %s tokens/s  loss %.4f",
                  100.0 * p.tokens() / p.totalTokens(),
                  p.epoch(),
                  TrainProgress.speed(p.tokensPerSecond()),
                  p.loss()));
      case LanguageEvent.Measured(LanguageReport.Epoch epoch) -> {
        progress.say(
            String.format(
                Locale.ROOT,
                "epoch %d: perplexity of the held-out text %s",
                epoch.number(),
                perplexity(epoch.heldOut())));
        if (epoch.number() > 0) {
          seen.listener().heard(new TrainingEvent.EpochEnded(epoch.number(), epoch.trainingLoss()));
        }
      }
      case LanguageEvent.Saved(Path file) -> progress.say("saved " + file);
    }
  }

  /** Returns a perplexity, short also where a model knows far less than nothing. */
  static String perplexity(double value) {
    return String.format(Locale.ROOT, value < 1e6 ? "%.2f" : "%.1e", value);
  }

  private void answer(LanguageTrainer trainer, double seconds, double speed) {
    LanguageReport report = trainer.report();
    boolean tied = trainer.settings().tying() == Tying.TIED;
    String out = delivery.target().path().toString();
    session.answer(
        json -> {
          json.text("path", out)
              .text("format", "safetensors")
              .number("rows", trainer.input().rows())
              .number("width", (long) trainer.input().width())
              .truth("tied", tied)
              .number("parameters", report.parameters())
              .number("tableParameters", report.tableParameters())
              .number("trainingTokens", report.trainingTokens())
              .number("heldOutTokens", report.heldOutTokens())
              .object(
                  "perplexity",
                  p ->
                      p.number("heldOut", report.epochs().getLast().heldOut())
                          .number("unigram", report.unigram())
                          .number("trigram", report.trigram()))
              .number("seconds", seconds)
              .number("wordsPerSecond", speed)
              .objects(
                  "epochs",
                  report.epochs(),
                  (o, e) ->
                      o.number("epoch", e.number())
                          .number("trainingLoss", e.trainingLoss())
                          .number("heldOutPerplexity", e.heldOut()))
              .object("settings", s -> trainer.settings().asText().forEach(s::setting));
        },
        page -> {
          page.line(
              String.format(
                  Locale.ROOT,
                  "%s: %s × %,d, %s; %,d numbers learned, %,d of them in tables",
                  Visible.message(out),
                  Counted.of(trainer.input().rows(), "row"),
                  trainer.input().width(),
                  tied ? "input and output tied" : "input and output apart",
                  report.parameters(),
                  report.tableParameters()));
          page.line(
              String.format(
                  Locale.ROOT,
                  "perplexity of %s: %s; counting words %.2f, counting three in"
                      + " a row (Kneser–Ney) %.2f",
                  Counted.of(report.heldOutTokens(), "held-out token"),
                  perplexity(report.epochs().getLast().heldOut()),
                  report.unigram(),
                  report.trigram()));
          page.note(
              String.format(
                  Locale.ROOT,
                  "%s, %s, in %.1f s (%s tokens/s)",
                  Counted.of(report.trainingTokens(), "token"),
                  Counted.times(trainer.settings().epochs()),
                  seconds,
                  TrainProgress.speed(speed)));
        });
  }
}
