package dev.rowan.app.cli;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.OwnFile;
import dev.rowan.train.CheckpointPlan;
import dev.rowan.train.TrainingListener;
import dev.rowan.train.TrainingReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is seen of a training while it runs.
 *
 * @param wanted where the report goes, if one is wanted
 */
record TrainSeen(
    TrainProgress progress,
    TrainWatch watching,
    TrainEval scoring,
    TrainingReport story,
    Optional<Path> wanted) {

  /** Returns what is seen from the beginning, or from where a checkpoint stands. */
  static TrainSeen of(
      TrainCommand typed, Session session, TrainMemory memory, TrainProgress progress)
      throws IOException {
    progress.goOn(memory.epochLoss());
    return new TrainSeen(
        progress,
        new TrainWatch(typed.watch, session.workers(), progress::say),
        TrainEval.of(typed.tests, session.workers(), progress::say, memory.scores()),
        new TrainingReport(typed.watch, session.workers(), memory.history()),
        Optional.ofNullable(typed.report));
  }

  /** Refuses words that have no row. */
  void check(Vocabulary words) {
    watching.check(words);
  }

  /** Returns what hears of all events. */
  TrainingListener listener() {
    TrainingListener all = progress.and(watching).and(scoring);
    return wanted.isPresent() ? all.and(story) : all;
  }

  /** A training that runs to its end, or until it is told to stop. */
  interface Run {
    /** Returns whether it came to its end. */
    boolean isFinished() throws IOException;
  }

  /**
   * Runs a training; the first Ctrl-C or SIGTERM stops it.
   *
   * @param plan where it is saved then
   * @throws Stopped if it was stopped
   */
  void run(Run training, Runnable stop, Optional<CheckpointPlan> plan) throws IOException {
    try (Interrupts signals = stopping(stop)) {
      if (!training.isFinished()) {
        progress.say(
            plan.isPresent()
                ? goOn(plan.get().saved())
                : "nothing was saved, since --checkpoint-minutes is 0");
        throw signals.ending("training was stopped");
      }
    }
  }

  /** Listens for Ctrl-C and SIGTERM. */
  Interrupts stopping(Runnable stop) {
    return Interrupts.asking(() -> {
      progress.say("stopping; once more stops at once");
      stop.run();
    });
  }

  /** Returns how to go on from a checkpoint. */
  static String goOn(OwnFile checkpoint) {
    return checkpoint.path().equals(checkpoint.wanted())
        ? "type the same command with --resume"
        : "move %s to %s, and type the same command with --resume"
            .formatted(checkpoint.path(), checkpoint.wanted());
  }

  /**
   * Returns the report.
   *
   * @param more scores beside those of test sets
   */
  TrainReportFile report(Map<String, String> settings, List<TrainScore> more) {
    List<TrainScore> scores = new ArrayList<>(scoring.scores());
    scores.addAll(more);
    return new TrainReportFile(story, settings, scores);
  }

  /** Says where the report is, if one was wanted. */
  void sayReport() {
    if (wanted.isPresent()) {
      TrainReportFile.Names names = TrainReportFile.names(wanted.get());
      progress.say("how training went: %s, %s".formatted(names.json(), names.page()));
    }
  }
}
