package dev.rowan.layer;

import dev.rowan.core.SplitMix;
import java.util.SplittableRandom;

/**
 * What a fresh table's rows start as.
 *
 * <p>Each row is filled on its own, from the seed and its id alone, so a table's bits do not depend
 * on the number of threads, and a table that grows starts with the same rows. Implementations must
 * be safe for concurrent calls.
 *
 * <p>Any lambda {@code (row, rows, values) -> …} is an initializer, which is how rows come from a
 * supplier of one's own.
 */
@FunctionalInterface
public interface Initializer {

  /**
   * Fills one row.
   *
   * @param row its id
   * @param rows V
   * @param values d numbers to set; all zero on entry
   */
  void fill(long row, long rows, float[] values);

  /** Returns an initializer of the normal distribution N(0, 1): what {@code nn.Embedding} does. */
  static Initializer normal(long seed) {
    return normal(0, 1, seed);
  }

  /**
   * Returns an initializer of the normal distribution.
   *
   * @param deviation the standard deviation, 0 or more
   * @throws IllegalArgumentException if a parameter is not finite or {@code deviation} is negative
   */
  static Initializer normal(double mean, double deviation, long seed) {
    Checks.finite("mean", mean);
    Checks.atLeastZero("deviation", deviation);
    return (row, _, values) -> {
      SplittableRandom random = random(seed, row);
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) (mean + deviation * random.nextGaussian());
      }
    };
  }

  /**
   * Returns an initializer of the uniform distribution on [low, high).
   *
   * @throws IllegalArgumentException unless {@code low < high} and both are finite
   */
  static Initializer uniform(double low, double high, long seed) {
    Checks.finite("low", low);
    Checks.finite("high", high);
    if (low >= high) {
      throw new IllegalArgumentException(
          "low is " + low + " and high is " + high + "; low must be below high");
    }
    return (row, _, values) -> {
      SplittableRandom random = random(seed, row);
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) (low + (high - low) * random.nextDouble());
      }
    };
  }

  /** Returns uniform numbers within ±√(6 / (V + d)) (Glorot and Bengio 2010, eq. 16). */
  static Initializer xavierUniform(long seed) {
    return (row, rows, values) -> {
      double bound = Math.sqrt(6.0 / (rows + values.length));
      uniform(-bound, bound, seed).fill(row, rows, values);
    };
  }

  /** Returns normal numbers of standard deviation √(2 / (V + d)) (Glorot and Bengio 2010). */
  static Initializer xavierNormal(long seed) {
    return (row, rows, values) ->
        normal(0, Math.sqrt(2.0 / (rows + values.length)), seed).fill(row, rows, values);
  }

  /** Returns zeros. */
  static Initializer zeros() {
    return (_, _, _) -> {};
  }

  private static SplittableRandom random(long seed, long row) {
    return new SplittableRandom(SplitMix.stream(seed, row));
  }
}
