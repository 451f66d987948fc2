package dev.rowan.app.cli;

import dev.rowan.formats.file.NewFiles;
import dev.rowan.formats.file.OwnFile;
import dev.rowan.train.CheckpointPlan;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Brings what a training learned to its places: all of it, or nothing, and then a checkpoint keeps
 * it. What came to these places while it trained is replaced with {@code --force} only.
 *
 * @param target where the table goes
 * @param checkpoint where the training is saved
 * @param memory of earlier parts of the training
 * @param seen what the report tells
 */
record TrainDelivery(TrainTarget target, OwnFile checkpoint, TrainMemory memory, TrainSeen seen) {

  /** Writes the table. */
  interface Content {
    /** Writes it under a name; returns one sentence each on what the format does not keep. */
    List<String> writeTo(Path place) throws IOException;
  }

  /** Saves what was learned. */
  interface Saving {
    /** Does so. */
    void save(CheckpointPlan plan) throws IOException;
  }

  /** Returns the delivery of a training; a checkpoint that it goes on from is its own. */
  static TrainDelivery of(TrainTarget target, TrainMemory memory, TrainSeen seen) {
    Path place = target.checkpoint();
    Consumer<Path> left =
        file ->
            seen.progress().say("%s came while this trained and is left as it is".formatted(file));
    OwnFile checkpoint =
        memory.mayReplace()
            ? OwnFile.replacing(place)
            : memory.isFirst() ? OwnFile.fresh(place, left) : OwnFile.goingOn(place, left);
    return new TrainDelivery(target, checkpoint, memory, seen);
  }

  /** Returns when checkpoints are saved. */
  Optional<CheckpointPlan> plan(Optional<Duration> every) {
    return every.map(time -> new CheckpointPlan(checkpoint, time, () -> memory.keepsakes(seen)));
  }

  /**
   * Writes the table and the report, and takes the checkpoint away. Ctrl-C or SIGTERM ends that
   * with a checkpoint; a second one does not wait for it.
   *
   * @return one sentence each on what the format does not keep
   * @throws UseException if one may not be written; a checkpoint is saved then
   * @throws Stopped if a signal came; a checkpoint is saved if that can be
   * @throws IOException if one cannot be written; a checkpoint is saved if that can be
   */
  List<String> deliver(Content table, TrainReportFile report, Saving saving) throws IOException {
    List<String> notes = new ArrayList<>();
    try (Interrupts signals = seen.stopping(Thread.currentThread()::interrupt)) {
      try {
        write(table, report, notes);
      } catch (IOException | RuntimeException e) {
        boolean stopped = Thread.interrupted(); // files cannot be written while it is set
        keep(saving, e);
        if (stopped) {
          throw signals.ending("the last writing was stopped");
        }
        throw e;
      }
      boolean _ = Thread.interrupted(); // too late
    }
    seen.sayReport();
    checkpoint.delete();
    return notes;
  }

  /**
   * Saves what could not be written, and says how to go on.
   *
   * @throws UseException if it is saved, and was not written since something came in between
   */
  private void keep(Saving saving, Exception failure) {
    boolean kept = isKept(saving, failure);
    if (failure instanceof FileAlreadyExistsException came && kept) {
      throw new UseException(
          "%s came while this trained and is left as it is. %s keeps what was learned: move that away%s, and %s"
              .formatted(
                  came.getFile(),
                  checkpoint.path(),
                  Files.isDirectory(Path.of(came.getFile())) ? "" : ", or add --force",
                  TrainSeen.goOn(checkpoint)));
    }
    seen.progress()
        .say(
            kept || checkpoint.isThere()
                ? "%s keeps %s; %s"
                    .formatted(
                        checkpoint.path(),
                        kept ? "what was learned" : "what was learned by when it was saved",
                        TrainSeen.goOn(checkpoint))
                : "what was learned could not be kept in %s either".formatted(checkpoint.path()));
  }

  private boolean isKept(Saving saving, Exception failure) {
    try {
      saving.save(plan(Optional.of(Duration.ofDays(1))).orElseThrow());
      return true;
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  private void write(Content table, TrainReportFile report, List<String> notes) throws IOException {
    Optional<TrainReportFile.Names> names = seen.wanted().map(TrainReportFile::names);
    if (memory.mayReplace()) {
      ForceOption all = new ForceOption();
      all.force = true;
      target.check(all); // folders are not replaced
      notes.addAll(table.writeTo(target.path()));
      if (names.isPresent()) {
        report.writeJson(names.get().json());
        report.writePage(names.get().page());
      }
      return;
    }
    try (NewFiles files = new NewFiles()) {
      if (names.isPresent()) {
        files.add(names.get().json(), report::writeJson);
        files.add(names.get().page(), report::writePage);
      }
      if (target.isFolder()) {
        files.publish(() -> notes.addAll(table.writeTo(target.path())));
      } else {
        files.add(target.path(), draft -> notes.addAll(table.writeTo(draft)));
        files.publish(() -> {});
      }
    }
  }
}
