package dev.rowan.train;

import java.nio.file.Path;
import java.time.Duration;

/** What happens while a table is trained. */
public sealed interface TrainingEvent {

  /**
   * How far training has come; told a few times a second, from a computing thread.
   *
   * @param epoch the epoch that runs, from 1
   * @param words words so far, over all epochs
   * @param totalWords words of all epochs
   * @param rate the learning rate
   * @param loss the mean loss since this was last told, in nats a prediction, from a sample of the
   *     windows; NaN if none was sampled
   * @param wordsPerSecond the speed of late
   * @param elapsed since training began, or was resumed
   * @param left how long the rest takes at this speed
   */
  record Progress(
      int epoch,
      long words,
      long totalWords,
      double rate,
      double loss,
      double wordsPerSecond,
      Duration elapsed,
      Duration left)
      implements TrainingEvent {}

  /**
   * The loss of a part of the training; told at equal steps of it, at most {@value LossSums#POINTS}
   * times, from a computing thread. With one thread the same numbers for the same text and
   * settings, after an interruption too.
   *
   * @param words words so far, over all epochs
   * @param loss the mean since this was last told, in nats a prediction, from a sample of the
   *     windows; of GloVe, the weighted squared error of a pair
   * @param rate the learning rate
   */
  record Loss(long words, double loss, double rate) implements TrainingEvent {}

  /**
   * All threads stand still so that the rows can be looked at; told at the start, at the end and at
   * equal steps between, from the thread that called {@link Trainer#run}. A training that goes on
   * from a checkpoint is looked at where it would have been without the interruption.
   *
   * @param share of the training that is done, 0 to 1
   * @param before the share at the look before; negative if there was none
   * @param view the rows as they are
   */
  record Look(double share, double before, TrainingView view) implements TrainingEvent {
    /**
     * Returns whether one of so many equal parts of the training ended since the look before; at
     * the first look one did.
     */
    public boolean endsOneOf(int parts) {
      return before < 0 || (int) (parts * share + 1e-9) > (int) (parts * before + 1e-9);
    }
  }

  /**
   * An epoch has ended.
   *
   * @param epoch from 1
   * @param loss the mean loss of the whole epoch, as in {@link Progress}, whether it was
   *     interrupted or not. With one thread the same number for the same text and settings
   */
  record EpochEnded(int epoch, double loss) implements TrainingEvent {}

  /** A checkpoint is on disk. */
  record Saved(Path file) implements TrainingEvent {}
}
