package dev.rowan.train;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** What trains a table, whatever its objective. One thread runs it; any may stop it. */
public interface TableTrainer extends Closeable {
  /**
   * Trains until the end or {@link #stop}.
   *
   * @param plan when to save; without one nothing is saved
   * @throws TrainingDivergedException if the loss grows beyond bounds
   * @throws IOException if a checkpoint cannot be written
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted; a
   *     checkpoint is saved first where one is planned
   */
  Trainer.Ending run(TrainingListener listener, Optional<CheckpointPlan> plan) throws IOException;

  /** Ends {@link #run} within a fraction of a second, with a checkpoint where one is planned. */
  void stop();

  /** Returns how many words have been learned from, over all epochs. */
  long wordsDone();

  /** Returns every setting by name, as files keep it. */
  Map<String, String> settingsAsText();

  /** Returns what was learned so far; after that the trainer can be saved, and no more. */
  TrainedTable finish();

  /**
   * Saves what was learned, while it does not run; after {@link #finish} too, whose table is then
   * of no further use.
   */
  void save(CheckpointPlan plan) throws IOException;

  /** Gives back what is not in memory. */
  @Override
  default void close() throws IOException {}
}
