package dev.rowan.layer;

import dev.rowan.core.OutOfRange;
import java.util.SplittableRandom;

/**
 * Draws ids, independently and with replacement.
 *
 * <p>Implementations here are immutable and safe for any number of threads.
 */
public interface NegativeSampler {

  /** Draws an id. */
  long draw(SplittableRandom random);

  /** Returns the probability of an id in one draw. */
  double probability(long id);

  /** Returns one above the largest id. */
  long rows();

  /** Returns equal chances for ids in [0, rows). */
  static NegativeSampler uniform(long rows) {
    requireRows(rows);
    return new NegativeSampler() {
      @Override
      public long draw(SplittableRandom random) {
        return random.nextLong(rows);
      }

      @Override
      public double probability(long id) {
        return 1.0 / rows;
      }

      @Override
      public long rows() {
        return rows;
      }
    };
  }

  /**
   * Returns chances log((id + 2) / (id + 1)) / log(rows + 1): about Zipf's law, for ids in order of
   * falling frequency (TensorFlow's log-uniform candidate sampler).
   */
  static NegativeSampler logUniform(long rows) {
    requireRows(rows);
    double logRange = Math.log(rows + 1.0);
    return new NegativeSampler() {
      @Override
      public long draw(SplittableRandom random) {
        long id = (long) Math.exp(random.nextDouble() * logRange) - 1;
        return Math.clamp(id, 0, rows - 1);
      }

      @Override
      public double probability(long id) {
        return Math.log((id + 2.0) / (id + 1.0)) / logRange;
      }

      @Override
      public long rows() {
        return rows;
      }
    };
  }

  /**
   * Returns chances in proportion to count^power; word2vec takes 0.75.
   *
   * @param counts one an id, 0 or more, not all 0
   * @throws IllegalArgumentException if they are otherwise
   */
  static NegativeSampler counts(double power, double... counts) {
    return AliasSampler.of(power, counts);
  }

  private static void requireRows(long rows) {
    OutOfRange.atLeast("rows", rows, 1);
  }
}
