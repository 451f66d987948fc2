package dev.rowan.train.glove;

import dev.rowan.train.CheckpointPlan;
import dev.rowan.train.LossSums;
import dev.rowan.train.TrainingDivergedException;
import dev.rowan.train.TrainingEvent;
import dev.rowan.train.TrainingListener;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/** Adds up what threads have done and tells of it. Safe for any number of threads. */
final class GloveLedger {
  private static final long TELL_NANOS = 250_000_000;

  private final Course course;
  private final LossSums sums;
  private final TrainingListener listener;
  private final Optional<CheckpointPlan> plan;
  private final GloveClock clock;
  private long saved = System.nanoTime();
  private long done;
  private double loss; // since it was last told
  private long count;
  private boolean diverged;
  private volatile boolean pauseIsDue;

  /**
   * What is gone through.
   *
   * @param pairs of all epochs
   * @param rate the learning rate
   * @param words how many words so many pairs stand for
   */
  record Course(long pairs, double rate, LongUnaryOperator words) {}

  /**
   * Makes a ledger.
   *
   * @param done pairs that were learned before
   * @param sums what losses are added to
   */
  GloveLedger(
      Course course,
      long done,
      LossSums sums,
      TrainingListener listener,
      Optional<CheckpointPlan> plan) {
    this.course = course;
    this.done = done;
    this.sums = sums;
    this.listener = listener;
    this.plan = plan;
    this.clock = new GloveClock(System.nanoTime(), done);
  }

  /** Notes that a bucket was learned. */
  synchronized void add(int epoch, double bucketLoss, int pairs) {
    long before = done;
    done += pairs;
    if (!Double.isFinite(bucketLoss)) {
      diverged = true;
      pauseIsDue = true;
      return;
    }
    loss += bucketLoss;
    count += pairs;
    sums.add(bucketLoss, pairs);
    if (LossSums.partEnds(before, done, course.pairs())) {
      listener.heard(new TrainingEvent.Loss(words(done), sums.endPart(), course.rate()));
    }
    long now = System.nanoTime();
    pauseIsDue |= plan.isPresent() && now - saved >= plan.get().every().toNanos();
    if (now - clock.told() >= TELL_NANOS || done == course.pairs()) {
      tell(epoch, now);
    }
  }

  private void tell(int epoch, long now) {
    double speed = clock.tell(now, done); // pairs a second
    listener.heard(
        new TrainingEvent.Progress(
            epoch + 1,
            words(done),
            words(course.pairs()),
            course.rate(),
            count == 0 ? Double.NaN : loss / count,
            speed / course.pairs() * words(course.pairs()),
            clock.elapsed(now),
            clock.left(course.pairs() - done)));
    loss = 0;
    count = 0;
  }

  private long words(long pairs) {
    return course.words().applyAsLong(pairs);
  }

  /** Returns whether all have to stop, since it is time to save or the loss is no number. */
  boolean pauseIsDue() {
    return pauseIsDue;
  }

  /** Notes that the training was saved. */
  synchronized void saved() {
    saved = System.nanoTime();
    pauseIsDue = false;
  }

  /** Returns the mean loss of the epoch, which ends. */
  synchronized double endEpoch() {
    return sums.endEpoch();
  }

  /**
   * Checks the loss.
   *
   * @throws TrainingDivergedException if it is no number
   */
  synchronized void check() {
    if (diverged) {
      throw diverged();
    }
  }

  synchronized TrainingDivergedException diverged() {
    return new TrainingDivergedException(
        words(done),
        Double.NaN,
        course.rate(),
        TrainingDivergedException.advice(course.rate(), GloveSettings.DEFAULT.rate()));
  }
}
