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
   * All threads stand still so that the rows can be looked at; told at the start, at the end and at
   * equal steps between, from the thread that called {@link Trainer#run}.
   *
   * @param share of the training that is done, 0 to 1
   * @param view the rows as they are
   */
  record Look(double share, TrainingView view) implements TrainingEvent {}

  /**
   * An epoch has ended.
   *
   * @param epoch from 1
   * @param loss the mean loss of the epoch, as in {@link Progress}; of an epoch that was resumed,
   *     of its part since. With one thread the same number for the same text and settings
   */
  record EpochEnded(int epoch, double loss) implements TrainingEvent {}

  /** A checkpoint is on disk. */
  record Saved(Path file) implements TrainingEvent {}
}
