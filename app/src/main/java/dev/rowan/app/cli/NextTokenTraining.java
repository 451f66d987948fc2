package dev.rowan.app.cli;

import dev.rowan.core.Counted;
import dev.rowan.train.CheckpointPlan;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.lm.LanguageCheckpoint;
import dev.rowan.train.lm.LanguageEvent;
import dev.rowan.train.lm.LanguageReport;
import dev.rowan.train.lm.LanguageSettings;
import dev.rowan.train.lm.LanguageSettings.Tying;
import dev.rowan.train.lm.LanguageTrainer;
import dev.rowan.train.lm.TrainedLanguage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * {@code train --objective next}: learns to predict the next token and says what that is worth.
 *
 * @param out the file to write
 * @param checkpoint where an interrupted training is kept
 * @param plan when to save it; empty for never
 */
record NextTokenTraining(Path out, Path checkpoint, Optional<CheckpointPlan> plan) {

  /**
   * Trains, writes and reports.
   *
   * @param resume whether to go on from the checkpoint
   * @param notes what the settings do not say
   */
  void run(
      Session session,
      EncodedCorpus corpus,
      LanguageSettings settings,
      boolean resume,
      TrainProgress progress,
      Map<String, String> notes)
      throws IOException {
    LanguageTrainer trainer = trainer(session, corpus, settings, resume);
    long began = System.nanoTime();
    try (Interrupts _ =
        Interrupts.asking(() -> {
          progress.say("stopping; once more stops at once");
          trainer.stop();
        })) {
      if (trainer.run(event -> tell(event, progress), plan) == LanguageTrainer.Ending.STOPPED) {
        progress.say(
            plan.isPresent()
                ? "go on with the same command and --resume"
                : "nothing was saved, since --checkpoint-minutes is 0");
        throw new CancellationException("training was stopped");
      }
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    TrainedLanguage.save(out, trainer, notes);
    Files.deleteIfExists(checkpoint);
    answer(session, trainer, seconds);
  }

  private LanguageTrainer trainer(
      Session session, EncodedCorpus corpus, LanguageSettings settings, boolean resume)
      throws IOException {
    if (!resume) {
      return LanguageTrainer.fresh(corpus, settings, session.workers());
    }
    try (LanguageCheckpoint saved = LanguageCheckpoint.open(checkpoint)) {
      if (!saved.settings().equals(settings)) {
        throw new UseException(
            "%s was made with other settings; type the same: %s"
                .formatted(checkpoint, saved.settings().asText()));
      }
      return LanguageTrainer.resumed(corpus, saved, session.workers());
    }
  }

  private static void tell(LanguageEvent event, TrainProgress progress) {
    switch (event) {
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
      case LanguageEvent.Measured(LanguageReport.Epoch epoch) ->
          progress.say(
              String.format(
                  Locale.ROOT,
                  "epoch %d: perplexity of the held-out text %.2f",
                  epoch.number(),
                  epoch.heldOut()));
      case LanguageEvent.Saved(Path file) -> progress.say("saved " + file);
    }
  }

  private void answer(Session session, LanguageTrainer trainer, double seconds) {
    LanguageReport report = trainer.report();
    boolean tied = trainer.settings().tying() == Tying.TIED;
    long words = report.trainingTokens() * trainer.settings().epochs();
    session.answer(
        json -> {
          json.text("path", out.toString())
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
              .number("wordsPerSecond", words / seconds)
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
                  Visible.message(out.toString()),
                  Counted.of(trainer.input().rows(), "row"),
                  trainer.input().width(),
                  tied ? "input and output tied" : "input and output apart",
                  report.parameters(),
                  report.tableParameters()));
          page.line(
              String.format(
                  Locale.ROOT,
                  "perplexity of %s: %.2f; counting words %.2f, counting three in"
                      + " a row (Kneser–Ney) %.2f",
                  Counted.of(report.heldOutTokens(), "held-out token"),
                  report.epochs().getLast().heldOut(),
                  report.unigram(),
                  report.trigram()));
          page.note(
              String.format(
                  Locale.ROOT,
                  "%s, %s, in %.1f s (%s tokens/s)",
                  Counted.of(report.trainingTokens(), "token"),
                  Counted.times(trainer.settings().epochs()),
                  seconds,
                  TrainProgress.speed(words / seconds)));
        });
  }
}
