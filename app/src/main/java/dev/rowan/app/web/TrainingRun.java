package dev.rowan.app.web;

import dev.rowan.app.web.TrainingGlance.Glance;
import dev.rowan.core.Workers;
import dev.rowan.formats.file.NewFiles;
import dev.rowan.formats.file.OwnFile;
import dev.rowan.train.Checkpoint;
import dev.rowan.train.CheckpointPlan;
import dev.rowan.train.Keepsakes;
import dev.rowan.train.Start;
import dev.rowan.train.TrainedTable;
import dev.rowan.train.TrainedTable.OutputRows;
import dev.rowan.train.Trainer;
import dev.rowan.train.TrainingEvent;
import dev.rowan.train.TrainingHistory;
import dev.rowan.train.TrainingListener;
import dev.rowan.train.TrainingReport;
import dev.rowan.train.corpus.EncodedCorpus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One training, in a thread and with workers of its own, so that questions are answered meanwhile.
 * It goes on whether somebody watches or not. A run that was stopped goes on as another run from
 * its checkpoint.
 *
 * <p>Safe for any number of threads.
 */
final class TrainingRun {
  private static final Duration CHECKPOINTS = Duration.ofMinutes(5);
  private static final String REPORT = "report";

  private final long number;
  private final TrainingPlan plan;
  private final Path file;
  private final OwnFile checkpoint;
  private final Thread thread =
      Thread.ofPlatform().daemon().name("rowan-training").unstarted(this::work);
  private final Workers workers;
  private volatile TrainingReport report;
  private final TrainingGlance glances;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long version;
  private TrainingState state = TrainingState.READING;
  private boolean stopWanted;
  private @Nullable Trainer trainer;
  private TrainingEvent.@Nullable Progress progress;
  private @Nullable Glance glance;
  private Text text = new Text(0, 0, List.of());
  private Optional<String> trouble = Optional.empty();

  /**
   * What is known of the text.
   *
   * @param bytes read so far
   * @param rows words that get a row; 0 until the text was read
   */
  record Text(long bytes, long rows, List<String> notes) {}

  /**
   * A run at a moment.
   *
   * @param version grows with every change
   * @param progress what training last told; empty before it began
   * @param glance the rows as they last stood still; empty before training began
   * @param trouble why it failed
   */
  record Moment(
      long version,
      TrainingState state,
      Text text,
      Optional<TrainingEvent.Progress> progress,
      List<TrainingReport.LossPoint> losses,
      Optional<Glance> glance,
      Optional<String> trouble) {}

  /**
   * Makes a run.
   *
   * @param file what it writes
   * @param threads how many compute
   */
  TrainingRun(long number, TrainingPlan plan, Path file, int threads) {
    this(
        number,
        plan,
        file,
        OwnFile.fresh(file.resolveSibling(file.getFileName() + ".checkpoint"), _ -> {}),
        threads,
        Optional.empty());
  }

  /** Makes the run that goes on with one that is over. */
  TrainingRun(long number, TrainingRun before, int threads) {
    this(number, before.plan, before.file, before.checkpoint, threads, before.now().glance());
  }

  private TrainingRun(
      long number,
      TrainingPlan plan,
      Path file,
      OwnFile checkpoint,
      int threads,
      Optional<Glance> shown) {
    this.number = number;
    this.plan = plan;
    this.file = file;
    this.checkpoint = checkpoint;
    this.workers = Workers.of(threads);
    this.report = new TrainingReport(plan.watch(), workers);
    this.glance = shown.orElse(null);
    this.glances =
        new TrainingGlance(plan.watch(), workers, shown.map(Glance::spots).orElse(List.of()));
  }

  long number() {
    return number;
  }

  TrainingPlan plan() {
    return plan;
  }

  /** Returns the file that it writes when it has finished. */
  Path file() {
    return file;
  }

  /** Returns what it saves itself to, beside the file, where the command line looks too. */
  OwnFile checkpoint() {
    return checkpoint;
  }

  /** Begins. */
  void start() {
    thread.start();
  }

  /** Ends it, with a checkpoint if it had begun to learn; returns at once. */
  void stop() {
    lock.lock();
    try {
      if (state.isOver() || stopWanted) {
        return;
      }
      stopWanted = true;
      become(TrainingState.STOPPING);
      if (trainer != null) {
        trainer.stop();
      } else {
        thread.interrupt(); // reading the text honours that
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until it is over. */
  void join(Duration most) throws InterruptedException {
    thread.join(most);
  }

  /** Returns how it stands. */
  Moment now() {
    lock.lock();
    try {
      return new Moment(
          version,
          state,
          text,
          Optional.ofNullable(progress),
          report.losses(),
          Optional.ofNullable(glance),
          trouble);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for something newer than a version, half a minute at most. */
  Moment after(long known) {
    lock.lock();
    try {
      long left = TimeUnit.SECONDS.toNanos(30);
      while (version <= known && left > 0) {
        left = changed.awaitNanos(left);
      }
      return now();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new CancellationException("nobody listens any more");
    } finally {
      lock.unlock();
    }
  }

  private void become(TrainingState next) {
    state = next;
    version++;
    changed.signalAll();
  }

  private void tell(Runnable change) {
    lock.lock();
    try {
      change.run();
      version++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void work() {
    TrainingState end = TrainingState.FAILED;
    Optional<String> why = Optional.of("it ended by an error; the server's log has more");
    try (workers;
        EncodedCorpus corpus =
            EncodedCorpus.read(
                plan.corpus(),
                workers,
                (bytes, _) -> tell(() -> text = new Text(bytes, 0, List.of())))) {
      List<String> remarks = remarks(corpus);
      tell(() -> text = new Text(text.bytes(), corpus.vocabulary().size(), remarks));
      end = train(corpus);
      why = Optional.empty();
    } catch (CancellationException _) {
      end = TrainingState.STOPPED;
      why = Optional.empty();
    } catch (IOException | RuntimeException e) {
      why = Optional.of(HttpFailures.message(e));
    } finally {
      Optional<String> said = why;
      TrainingState ended = end;
      tell(() -> {
        trouble = said;
        state = ended;
        trainer = null; // its rows are as large as the table
      });
    }
  }

  private List<String> remarks(EncodedCorpus corpus) {
    List<String> remarks = new ArrayList<>(corpus.notes());
    List<String> missing =
        plan.watch().stream()
            .filter(word -> corpus.vocabulary().vocabulary().id(word).isEmpty())
            .toList();
    if (!missing.isEmpty()) {
      remarks.add(
          "the text has too few of, so they cannot be watched: " + String.join(", ", missing));
    }
    return remarks;
  }

  private TrainingState train(EncodedCorpus corpus) throws IOException {
    Trainer made;
    if (checkpoint.isThere()) {
      Keepsakes.of(checkpoint.path()).find(REPORT).ifPresent(this::goOn);
      try (Checkpoint saved = Checkpoint.open(checkpoint.path())) {
        made = Trainer.resumed(corpus, saved, Start.RANDOM, workers);
      }
    } else {
      made = Trainer.fresh(corpus, plan.settings(), Start.RANDOM, workers);
    }
    tell(() -> {
      trainer = made;
      if (stopWanted) {
        made.stop();
      } else {
        state = TrainingState.TRAINING;
      }
    });
    TrainingListener all = report.and(this::heard);
    CheckpointPlan saves = new CheckpointPlan(checkpoint, CHECKPOINTS, this::keepsakes);
    if (made.run(all, Optional.of(saves)) == Trainer.Ending.STOPPED) {
      return TrainingState.STOPPED;
    }
    TrainedTable table = made.finish();
    try (NewFiles files = new NewFiles()) {
      files.add(file, draft -> table.save(draft, OutputRows.DROPPED, plan.notes()));
      files.publish(() -> {});
    } catch (IOException e) {
      made.save(saves); // what was learned is not lost
      throw e;
    }
    checkpoint.delete();
    return TrainingState.FINISHED;
  }

  /** Goes on with what the pages showed before an interruption, if the checkpoint keeps it. */
  private void goOn(String history) {
    TrainingHistory before = TrainingHistory.of(history, checkpoint.path());
    tell(() -> report = new TrainingReport(plan.watch(), workers, before));
  }

  /** What the command line keeps too, under its names, so that it can go on with this training. */
  private Map<String, String> keepsakes() {
    Map<String, String> kept = new LinkedHashMap<>();
    plan.notes()
        .forEach((name, value) ->
            kept.put(name.equals(TrainingPlan.TEXTS) ? name : "command." + name, value));
    kept.put("threads", String.valueOf(workers.threads()));
    kept.put(REPORT, report.history().asText());
    return kept;
  }

  private void heard(TrainingEvent event) {
    switch (event) {
      case TrainingEvent.Progress p -> tell(() -> progress = p);
      case TrainingEvent.Look look -> {
        Glance seen = glances.of(look, report.snapshots().getLast());
        tell(() -> glance = seen);
      }
      case TrainingEvent.Loss _, TrainingEvent.EpochEnded _, TrainingEvent.Saved _ -> {}
    }
  }
}
