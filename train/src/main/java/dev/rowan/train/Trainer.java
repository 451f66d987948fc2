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
import java.util.OptionalInt;
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
  private int epoch; // whole epochs done
  private int unit; // units done in the epoch that runs
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
    trainer.fill();
    return trainer;
  }

  /**
   * Goes on from a checkpoint of the same corpus. With one thread the result is the same, to the
   * last bit, as without the interruption.
   *
   * @param start what the training began with, for frozen rows and to tell how far rows moved
   * @throws IllegalArgumentException if the checkpoint is of another corpus
   */
  public static Trainer resumed(
      EncodedCorpus corpus, Checkpoint checkpoint, Start start, Workers workers) {
    BitSet frozen = start.frozenRows(corpus.vocabulary().vocabulary());
    Lesson lesson = Lesson.of(corpus, checkpoint.settings(), frozen, workers.threads());
    checkpoint.restore(lesson);
    Trainer trainer = new Trainer(lesson, start, workers);
    trainer.epoch = checkpoint.epoch();
    trainer.unit = checkpoint.unit();
    return trainer;
  }

  /**
   * Returns this training, which has not run yet and is of no further use itself, with other
   * kernels than {@link WindowKernels#best}.
   */
  public Trainer with(WindowKernels kernels) {
    Trainer trainer = new Trainer(lesson, start, workers, kernels);
    trainer.epoch = epoch;
    trainer.unit = unit;
    return trainer;
  }

  private void fill() {
    Weights weights = lesson.weights();
    Draw draw = new Draw();
    long seed = lesson.settings().seed();
    int words = lesson.corpus().vocabulary().size();
    Dealing dealing = course.dealing();
    for (int row = words; row < weights.inputRows(); row++) {
      weights.fill(row, draw, seed);
    }
    for (int word = 0; word < words; word++) {
      int at = weights.offset(dealing.row(word));
      initial(word, draw, weights.input(), at);
      takeOverOutput(word, weights, weights.offset(dealing.row(word)));
    }
  }

  private void initial(int word, Draw draw, float[] target, int at) {
    OptionalInt known = start.rowIn(lesson.corpus().vocabulary().vocabulary(), word);
    if (known.isEmpty()) {
      lesson.weights().initial(word, draw, lesson.settings().seed(), target, at);
      return;
    }
    Table from = start.from().orElseThrow().input().table();
    checkWidth(from);
    from.copyRow(known.getAsInt(), target, at);
  }

  private void takeOverOutput(int word, Weights weights, int at) {
    if (start.from().isEmpty()
        || start.from().get().output().isEmpty()
        || lesson.tree().isPresent()) {
      return; // output rows begin as zeros; those of a tree belong to no word
    }
    Table from = start.from().get().output().get().table();
    OptionalInt known = start.rowIn(lesson.corpus().vocabulary().vocabulary(), word);
    if (known.isPresent() && known.getAsInt() < from.rows()) {
      checkWidth(from);
      from.copyRow(known.getAsInt(), weights.output(), at);
    }
  }

  private void checkWidth(Table from) {
    if (from.width() != lesson.settings().width()) {
      throw new IllegalArgumentException(
          "the table to go on from has width %d but %d is asked for; give that width"
              .formatted(from.width(), lesson.settings().width()));
    }
  }

  @Override
  public void stop() {
    stopped = true;
    course.pause();
  }

  @Override
  public Ending run(TrainingListener listener, Optional<CheckpointPlan> plan) throws IOException {
    int units = lesson.corpus().units();
    Ledger ledger = new Ledger(lesson, wordsDone(), listener, plan, course::pause);
    look(listener);
    long lookAt = nextLook();
    while (epoch < lesson.settings().epochs()) {
      if (stopped) {
        save(listener, plan);
        return Ending.STOPPED;
      }
      int to = (int) Math.min(units, lookAt - (long) epoch * units);
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
      if (ledger.saveIsDue()) {
        save(listener, plan);
        ledger.saved();
      }
      if (epoch * (long) units + unit >= lookAt) {
        look(listener);
        lookAt = nextLook();
      }
    }
    if (!lesson.weights().isFinite()) {
      throw ledger.diverged(Double.NaN);
    }
    return Ending.FINISHED;
  }

  /** Returns after how many units, of all epochs, rows are next looked at. */
  private long nextLook() {
    long units = lesson.corpus().units();
    long all = units * lesson.settings().epochs();
    long here = epoch * units + unit;
    return Math.ceilDiv((here * LOOKS / all + 1) * all, LOOKS);
  }

  private void look(TrainingListener listener) {
    double share = (double) wordsDone() / lesson.totalWords();
    listener.heard(new TrainingEvent.Look(Math.min(1, share), new View()));
  }

  private void save(TrainingListener listener, Optional<CheckpointPlan> plan) throws IOException {
    if (plan.isPresent()) {
      Checkpoint.save(plan.get().file(), lesson, epoch, unit);
      listener.heard(new TrainingEvent.Saved(plan.get().file()));
    }
  }

  @Override
  public long wordsDone() {
    EncodedCorpus corpus = lesson.corpus();
    long inEpoch =
        unit == 0 ? 0 : corpus.unit(unit - 1).wordsBefore() + corpus.unit(unit - 1).words();
    return epoch * corpus.words() + inEpoch;
  }

  @Override
  public Map<String, String> settingsAsText() {
    return lesson.settings().asText();
  }

  /** The rows are packed where they are, so the trainer is of no further use. */
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
      float[] row = new float[lesson.settings().width()];
      Draw draw = new Draw();
      if (lesson.grams().isEmpty()) {
        initial(word, draw, row, 0);
        return row;
      }
      GramRows grams = lesson.grams().get();
      int count = grams.parts(word);
      float[] part = new float[row.length];
      for (int i = 0; i < count; i++) {
        lesson.weights().initial(grams.row(word, i), draw, lesson.settings().seed(), part, 0);
        for (int k = 0; k < row.length; k++) {
          row[k] += part[k] / count;
        }
      }
      return row;
    }
  }
}
