package dev.rowan.train;

import dev.rowan.core.OutOfRange;
import java.nio.file.Path;
import java.time.Duration;

/**
 * When and where a training is saved, so that it can go on after an interruption.
 *
 * @param file replaced each time
 * @param every how long at most is lost
 */
public record CheckpointPlan(Path file, Duration every) {
  /** Checks the time. */
  public CheckpointPlan {
    OutOfRange.check(every.isPositive(), "checkpoint interval", every, "more than 0");
  }
}
