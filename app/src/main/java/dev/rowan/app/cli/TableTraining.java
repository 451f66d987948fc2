package dev.rowan.app.cli;

import dev.rowan.core.Counted;
import dev.rowan.train.CheckpointPlan;
import dev.rowan.train.Start;
import dev.rowan.train.TableTrainer;
import dev.rowan.train.Threading;
import dev.rowan.train.TrainedTable;
import dev.rowan.train.TrainedTable.OutputRows;
import dev.rowan.train.Trainer;
import dev.rowan.train.TrainingSettings;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.glove.GloveTrainer;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * {@code train} by skip-gram, CBOW or GloVe: learns a table, writes it and says what came of it.
 *
 * @param typed what to learn
 * @param memory of earlier parts of the training
 * @param delivery of what was learned
 */
record TableTraining(
    TrainCommand typed, Session session, TrainMemory memory, TrainDelivery delivery) {

  /** How much was learned in how much time. */
  private record Effort(long words, double seconds, double speed) {}

  /** Trains, writes and reports. */
  void run(EncodedCorpus encoded, Start start, SavedTraining saved) throws IOException {
    TrainSeen seen = delivery.seen();
    Optional<TrainingSettings> windows = delivery.target().settings();
    memory.begin();
    try (TableTrainer trainer = TrainerChoice.of(typed, session, encoded, windows, start, saved)) {
      if (trainer instanceof GloveTrainer pairs) {
        seen.progress()
            .say(
                Counted.of(
                    pairs.pairs(),
                    "pair of words comes near each other",
                    "pairs of words come near each other"));
      }
      long wordsBefore = trainer.wordsDone();
      memory.remarks(wordsBefore, threadsMatter()).forEach(seen.progress()::say);
      Optional<CheckpointPlan> plan = delivery.plan(typed.betweenCheckpoints());
      seen.run(
          () -> trainer.run(seen.listener(), plan) == Trainer.Ending.FINISHED, trainer::stop, plan);
      double seconds = memory.seconds();
      long words = trainer.wordsDone();
      long timed = memory.isTimed() ? words : words - wordsBefore;
      finish(trainer, new Effort(words, seconds, timed / seconds));
    }
  }

  private boolean threadsMatter() {
    Optional<TrainingSettings> windows = delivery.target().settings();
    return windows.isEmpty() || windows.get().threading() instanceof Threading.Shared;
  }

  private void finish(TableTrainer trainer, Effort effort) throws IOException {
    TrainedTable table = trainer.finish();
    Map<String, String> origin = typed.notes(session, memory);
    OutputRows output = typed.keepOutput ? OutputRows.KEPT : OutputRows.DROPPED;
    TrainTarget target = delivery.target();
    List<String> notes =
        delivery.deliver(
            place -> target.write(place, table, output, origin, session),
            delivery.seen().report(table.settings(), List.of()),
            trainer::save);
    long rows = table.rows().rows();
    double loss = delivery.seen().progress().epochLoss();
    session.answer(
        json ->
            json.text("path", target.path().toString())
                .text("format", target.format())
                .number("rows", rows)
                .number("width", (long) table.rows().width())
                .number("words", effort.words())
                .number("seconds", effort.seconds())
                .number("wordsPerSecond", effort.speed())
                .number("loss", loss)
                .object("settings", j -> table.settings().forEach(j::setting))
                .array("notes", j -> notes.forEach(j::element)),
        page -> {
          page.line(
              String.format(
                  Locale.ROOT,
                  "%s: %s × %,d, from %s in %.1f s (%s words/s), loss %s",
                  Visible.message(target.path().toString()),
                  Counted.of(rows, "row"),
                  table.rows().width(),
                  Counted.of(effort.words(), "word"),
                  effort.seconds(),
                  TrainProgress.speed(effort.speed()),
                  Double.isNaN(loss)
                      ? "not measured: too little text to learn from"
                      : String.format(Locale.ROOT, "%.4f", loss)));
          notes.forEach(page::note);
        });
  }
}
