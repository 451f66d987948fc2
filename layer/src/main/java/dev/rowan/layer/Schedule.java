package dev.rowan.layer;

import dev.rowan.core.OutOfRange;

/**
 * The learning rate as a function of the step, steps counted from 1. Any lambda will do; an
 * optimizer refuses a step whose rate is negative or not finite before it changes anything.
 */
@FunctionalInterface
public interface Schedule {

  /** Returns the rate of a step, 1 being the first. */
  double at(long step);

  /**
   * Returns the same rate for every step.
   *
   * @throws IllegalArgumentException if it is negative or not finite
   */
  static Schedule constant(double rate) {
    Checks.atLeastZero("learning rate", rate);
    return _ -> rate;
  }

  /**
   * Returns a rate that falls (or rises) along a line: {@code from} at step 1, {@code to} at step
   * {@code steps} and after.
   */
  static Schedule linear(double from, double to, long steps) {
    Checks.atLeastZero("first learning rate", from);
    Checks.atLeastZero("last learning rate", to);
    requireSteps(steps);
    return step -> from + (to - from) * progress(step, steps);
  }

  /**
   * Returns a rate that falls along half a cosine: {@code from} at step 1, {@code to} at step
   * {@code steps} and after (Loshchilov and Hutter 2017, eq. 5, without restarts).
   */
  static Schedule cosine(double from, double to, long steps) {
    Checks.atLeastZero("first learning rate", from);
    Checks.atLeastZero("last learning rate", to);
    requireSteps(steps);
    return step -> to + (from - to) * (1 + Math.cos(Math.PI * progress(step, steps))) / 2;
  }

  /** Returns rate / (1 + (step − 1) · decay): Adagrad's {@code lr_decay}. */
  static Schedule inverseTime(double rate, double decay) {
    Checks.atLeastZero("learning rate", rate);
    Checks.atLeastZero("decay", decay);
    return step -> rate / (1 + (step - 1) * decay);
  }

  /**
   * Returns this schedule after a warm-up: step s of the first {@code steps} has s / {@code steps}
   * of this schedule's first rate; then this schedule begins with its step 1.
   */
  default Schedule afterWarmUp(long steps) {
    requireSteps(steps);
    return step -> step <= steps ? at(1) * step / steps : at(step - steps);
  }

  private static double progress(long step, long steps) {
    if (step >= steps) {
      return 1;
    }
    return (step - 1) / (double) (steps - 1);
  }

  private static void requireSteps(long steps) {
    OutOfRange.atLeast("steps", steps, 1);
  }
}
