package dev.rowan.train;

import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.train.corpus.CountedVocabulary;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.kernel.WindowKernels;
import java.io.IOException;
import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * Trains a table of rows on a corpus.
 *
 * {@snippet :
 * Corpus corpus = Corpus.ofFiles(Path.of("corpus.txt"));
 * try (Workers workers = Workers.perProcessor();
 *     EncodedCorpus text = EncodedCorpus.read(corpus, workers, EncodedCorpus.ReadListener.NONE)) {
 *   Trainer trainer = Trainer.fresh(text, TrainingSettings.DEFAULT, Start.RANDOM, workers);
 *   trainer.run(TrainingListener.NONE, Optional.empty());
 *   trainer.finish().save(Path.of("vectors.safetensors"));
 * }
 * }
 *
 * <p>One thread runs it; {@link #stop} may be called from any.
 */
public final class Trainer implements TableTrainer {
  /** Looks at equal steps, beside the one at the start. */
  static final int LOOKS = 20;

  private final Lesson lesson;
  private final Start start;
  private final Workers workers;
  private final Course course;
  private final String taken; // the start's
  private int epoch; // whole epochs done
  private int unit; // units done in the epoch that runs
  private long looked = -1; // after how many units rows were last looked at
  private LossSums losses = new LossSums();
  private volatile boolean stopped;

  /** How a run ended. */
  public enum Ending {
    /** All epochs are done. */
    FINISHED,
    /** {@link Trainer#stop} was called. */
    STOPPED
  }

  private Trainer(Lesson lesson, Start start, Workers workers) {
    this(lesson, start, workers, WindowKernels.best());
  }

  private Trainer(Lesson lesson, Start start, Workers workers, WindowKernels kernels) {
    this.lesson = lesson;
    this.start = start;
    this.workers = workers;
    this.taken = start.taken(lesson.corpus().vocabulary().vocabulary());
    this.course =
        switch (lesson.settings().threading()) {
          case Threading.Shared() -> new SharedCourse(lesson, kernels);
          case Threading.Blocks(int blocks) -> new RotatingCourse(lesson, blocks, kernels);
        };
  }

  /**
   * Begins a training.
   *
   * @param corpus stays open while training runs
   * @param workers who computes
   * @throws IllegalArgumentException if the rows do not fit the memory, or the settings not the
   *     corpus
   */
  public static Trainer fresh(
      EncodedCorpus corpus, TrainingSettings settings, Start start, Workers workers) {
    Vocabulary words = corpus.vocabulary().vocabulary();
    BitSet frozen = start.frozenRows(words);
    if (settings.grams().isPresent() && (start.from().isPresent() || !frozen.isEmpty())) {
      throw new IllegalArgumentException(
          "with character n-grams rows cannot be taken over or frozen; leave one of them away");
    }
    Lesson lesson = Lesson.of(corpus, settings, frozen, workers.threads());
    Trainer trainer = new Trainer(lesson, start, workers);
    trainer.firstRows().fill();
    return trainer;
  }

  /**
   * Goes on from a checkpoint of the same corpus. With one thread the result is the same, to the
   * last bit, as without the interruption.
   *
   * @param start what the training began with, for frozen rows and to tell how far rows moved
   * @throws IllegalArgumentException if the checkpoint is of another corpus, or began with other
   *     frozen words or another table
   */
  public static Trainer resumed(
      EncodedCorpus corpus, Checkpoint checkpoint, Start start, Workers workers) {
    BitSet frozen = start.frozenRows(corpus.vocabulary().vocabulary());
    Lesson lesson = Lesson.of(corpus, checkpoint.settings(), frozen, workers.threads());
    checkpoint.restore(lesson, start);
    return new Trainer(lesson, start, workers).at(checkpoint.state());
  }

  private Trainer at(Checkpoint.State state) {
    epoch = state.epoch();
    unit = state.unit();
    looked = state.looked();
    losses = state.losses();
    return this;
  }

  private Checkpoint.State state() {
    return new Checkpoint.State(epoch, unit, looked, losses);
  }

  /**
   * Returns this training, which has not run yet and is of no further use itself, with other
   * kernels than {@link WindowKernels#best}.
   */
  public Trainer with(WindowKernels kernels) {
    return new Trainer(lesson, start, workers, kernels).at(state());
  }

  private FirstRows firstRows() {
    return new FirstRows(lesson, start, course.dealing());
  }

  @Override
  public void stop() {
    stopped = true;
    course.pause();
  }

  @Override
  public Ending run(TrainingListener listener, Optional<CheckpointPlan> plan) throws IOException {
    int units = lesson.corpus().units();
    Ledger ledger = new Ledger(lesson, wordsDone(), losses, listener, plan, course::pause);
    lookIfDue(listener);
    while (epoch < lesson.settings().epochs()) {
      if (stopped) {
        save(listener, plan);
        return Ending.STOPPED;
      }
      int to = (int) Math.min(units, nextLook() - (long) epoch * units);
      try {
        course.resume();
        if (stopped) { // between the two lines above
          course.pause();
        }
        unit = course.run(epoch, unit, to, workers, ledger);
      } catch (CancellationException e) {
        unit = course.done();
        boolean interrupted = Thread.interrupted(); // files cannot be written while it is set
        save(listener, plan);
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
        throw e;
      }
      ledger.checkLoss();
      if (unit == units) {
        unit = 0;
        listener.heard(new TrainingEvent.EpochEnded(++epoch, ledger.endEpoch()));
      }
      lookIfDue(listener); // before it is saved, so that what was seen is saved too
      if (ledger.saveIsDue()) {
        save(listener, plan);
        ledger.saved();
      }
    }
    if (!lesson.weights().isFinite()) {
      throw ledger.diverged(Double.NaN);
    }
    return Ending.FINISHED;
  }

  /** Returns after how many units, of all epochs, rows are next looked at. */
  private long nextLook() {
    long all = (long) lesson.corpus().units() * lesson.settings().epochs();
    return looked < 0 ? 0 : Math.ceilDiv((looked * LOOKS / all + 1) * all, LOOKS);
  }

  private void lookIfDue(TrainingListener listener) {
    int units = lesson.corpus().units();
    long here = epoch * (long) units + unit;
    if (here >= nextLook()) {
      double before =
          looked < 0 ? -1 : share(words((int) (looked / units), (int) (looked % units)));
      looked = here;
      listener.heard(new TrainingEvent.Look(share(wordsDone()), before, new View()));
    }
  }

  private double share(long words) {
    return Math.min(1, (double) words / lesson.totalWords());
  }

  private void save(TrainingListener listener, Optional<CheckpointPlan> plan) throws IOException {
    if (plan.isPresent()) {
      save(plan.get());
      listener.heard(new TrainingEvent.Saved(plan.get().file()));
    }
  }

  @Override
  public void save(CheckpointPlan plan) throws IOException {
    lesson.weights().unpack();
    Checkpoint.save(plan, lesson, taken, state());
  }

  @Override
  public long wordsDone() {
    return words(epoch, unit);
  }

  /** Returns how many words come before a unit of an epoch, over all epochs. */
  private long words(int epochs, int units) {
    EncodedCorpus corpus = lesson.corpus();
    long inEpoch =
        units == 0 ? 0 : corpus.unit(units - 1).wordsBefore() + corpus.unit(units - 1).words();
    return epochs * corpus.words() + inEpoch;
  }

  @Override
  public Map<String, String> settingsAsText() {
    return lesson.settings().asText();
  }

  /** The rows are packed where they are. */
  @Override
  public TrainedTable finish() {
    return TrainedTable.of(lesson, course.dealing());
  }

  private final class View implements TrainingView {
    @Override
    public CountedVocabulary vocabulary() {
      return lesson.corpus().vocabulary();
    }

    @Override
    public Table rows() {
      return TrainedTable.copyOfRows(lesson, course.dealing());
    }

    @Override
    public float[] initialRow(int word) {
      return firstRows().of(word);
    }
  }
}
