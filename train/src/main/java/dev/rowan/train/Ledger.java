package dev.rowan.train;

import dev.rowan.train.TrainingEvent.Progress;
import java.time.Duration;
import java.util.Optional;

/** Adds up what threads have done and tells of it. Safe for any number of threads. */
final class Ledger {
  private static final long TELL_NANOS = 250_000_000;

  /** So many times the loss of rows that know nothing, and rows have grown beyond bounds. */
  private static final double MOST_LOSS = 20;

  private final Lesson lesson;
  private final LossSums sums;
  private final TrainingListener listener;
  private final Optional<CheckpointPlan> plan;
  private final Runnable pause;
  private final long began = System.nanoTime();
  private long words;
  private long toldWords;
  private long told = began;
  private double speed = Double.NaN;
  private double loss;
  private long losses;
  private double diverged; // the loss by which that was seen; 0 before
  private long saved = began;
  private boolean saveIsDue;

  /**
   * Makes a ledger.
   *
   * @param words that were learned from before
   * @param sums what losses are added to
   */
  Ledger(
      Lesson lesson,
      long words,
      LossSums sums,
      TrainingListener listener,
      Optional<CheckpointPlan> plan,
      Runnable pause) {
    this.lesson = lesson;
    this.words = words;
    this.sums = sums;
    this.toldWords = words;
    this.listener = listener;
    this.plan = plan;
    this.pause = pause;
  }

  /** Notes that a unit was done. */
  synchronized void add(int epoch, long unitWords, double unitLoss, long unitLosses) {
    long before = words;
    words += unitWords;
    loss += unitLoss;
    losses += unitLosses;
    sums.add(unitLoss, unitLosses);
    // at the start each target costs ln 2; long before numbers overflow, rows are worthless
    double most = MOST_LOSS * Math.log(2) * lesson.mostTargets() * unitLosses;
    if (!(unitLoss <= most)) {
      diverged = unitLoss / unitLosses;
      pause.run();
      return;
    }
    if (LossSums.partEnds(before, words, lesson.totalWords())) {
      tellLoss();
    }
    long now = System.nanoTime();
    if (plan.isPresent() && !saveIsDue && now - saved >= plan.get().every().toNanos()) {
      saveIsDue = true;
      pause.run();
    }
    if (now - told >= TELL_NANOS || words == lesson.totalWords()) {
      tell(epoch, now);
    }
  }

  private void tellLoss() {
    double mean = sums.endPart();
    if (!Double.isNaN(mean)) {
      listener.heard(new TrainingEvent.Loss(words, mean, rate()));
    }
  }

  private double rate() {
    return Formulas.rate(lesson.settings().rate(), words, lesson.totalWords());
  }

  private void tell(int epoch, long now) {
    double late = (words - toldWords) * 1e9 / Math.max(1, now - told);
    speed = Double.isNaN(speed) ? late : 0.7 * speed + 0.3 * late;
    double left = (lesson.totalWords() - words) / Math.max(1, speed);
    listener.heard(
        new Progress(
            epoch + 1,
            words,
            lesson.totalWords(),
            rate(),
            losses == 0 ? Double.NaN : loss / losses,
            speed,
            Duration.ofNanos(now - began),
            Duration.ofMillis((long) (1000 * left))));
    told = now;
    toldWords = words;
    loss = 0;
    losses = 0;
  }

  /** Returns the mean loss since this was last asked for; NaN if none was sampled. */
  synchronized double endEpoch() {
    return sums.endEpoch();
  }

  /** Returns whether it is time to save. */
  synchronized boolean saveIsDue() {
    return saveIsDue;
  }

  /** Notes that the training was saved. */
  synchronized void saved() {
    saveIsDue = false;
    saved = System.nanoTime();
  }

  /**
   * Checks the loss.
   *
   * @throws TrainingDivergedException if it grew beyond bounds
   */
  synchronized void checkLoss() {
    if (diverged != 0) {
      throw diverged(diverged);
    }
  }

  synchronized TrainingDivergedException diverged(double last) {
    return new TrainingDivergedException(
        words,
        last,
        rate(),
        TrainingDivergedException.advice(
            lesson.settings().rate(), lesson.settings().objective().usualRate()));
  }
}
