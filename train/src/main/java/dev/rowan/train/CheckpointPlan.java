package dev.rowan.train;

import dev.rowan.core.OutOfRange;
import dev.rowan.formats.file.OwnFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/**
 * When and where a training is saved, so that it can go on after an interruption.
 *
 * @param saved the file, which replaces itself each time
 * @param every how long at most is lost
 * @param keepsakes texts by name that are saved too, for {@link Keepsakes} to give back; asked for
 *     each time, by the thread that runs the training, while all others stand still
 */
public record CheckpointPlan(
    OwnFile saved, Duration every, Supplier<Map<String, String>> keepsakes) {
  /** Checks the time. */
  public CheckpointPlan {
    OutOfRange.check(every.isPositive(), "checkpoint interval", every, "more than 0");
  }

  /** Returns a plan that replaces whatever is there. */
  public CheckpointPlan(Path file, Duration every, Supplier<Map<String, String>> keepsakes) {
    this(OwnFile.replacing(file), every, keepsakes);
  }

  /** Returns a plan that replaces whatever is there, without keepsakes. */
  public CheckpointPlan(Path file, Duration every) {
    this(file, every, Map::of);
  }

  /** Returns where the training was saved last, or is to be. */
  public Path file() {
    return saved.path();
  }
}
