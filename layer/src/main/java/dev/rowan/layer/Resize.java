package dev.rowan.layer;

import dev.rowan.core.OutOfRange;
import dev.rowan.core.SplitMix;
import java.util.SplittableRandom;

/**
 * How many rows a table is to have.
 *
 * @param rows the least number of rows; {@link #SAME} keeps the present number
 * @param multiple the number of rows is rounded up to a multiple of this, 1 or more
 * @param shrink whether fewer rows than now are allowed: a table is never cut by accident
 */
public record Resize(long rows, long multiple, Shrink shrink) {
  /** Stands for the present number of rows. */
  public static final long SAME = 0;

  /** Whether rows may be lost. */
  public enum Shrink {
    /** Fewer rows than now are an error. */
    REFUSED,
    /** Fewer rows than now were asked for. */
    ALLOWED
  }

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public Resize {
    OutOfRange.check(rows >= 0, "rows", rows, "1 or more");
    OutOfRange.atLeast("multiple", multiple, 1);
  }

  /** Returns a growth to at least {@code rows}. */
  public static Resize growTo(long rows) {
    return new Resize(rows, 1, Shrink.REFUSED);
  }

  /** Returns a cut to {@code rows}. */
  public static Resize shrinkTo(long rows) {
    return new Resize(rows, 1, Shrink.ALLOWED);
  }

  /** Returns a rounding of the present number of rows up to a multiple. */
  public static Resize pad(long multiple) {
    return new Resize(SAME, multiple, Shrink.REFUSED);
  }

  /** Returns this size rounded up to a multiple. */
  public Resize toMultipleOf(long divisor) {
    return new Resize(rows, divisor, shrink);
  }

  /** Returns the new number of rows of a table that has {@code present}. */
  long rowsFrom(long present) {
    long wanted = rows == SAME ? present : rows;
    long rounded = Math.multiplyExact((wanted - 1) / multiple + 1, multiple);
    if (rounded < present && shrink == Shrink.REFUSED) {
      throw new IllegalArgumentException(
          "%,d rows are fewer than the present %,d; say shrinkTo if rows are to be lost"
              .formatted(rounded, present));
    }
    return rounded;
  }

  /**
   * Appends rows drawn from N(mean, 1e-9 · covariance) of the old rows. With z_i from N(0, 1), mean
   * + √(1e-9 / V) · Σ z_i (row_i − mean) has exactly that distribution, without a d × d matrix.
   */
  static void grow(WeightTable weights, long newRows, long seed) {
    long old = weights.rows();
    int width = weights.width();
    double[] mean = mean(weights);
    weights.replace(newRows);
    float[] row = new float[width];
    for (long id = old; id < newRows; id++) {
      SplittableRandom random = new SplittableRandom(SplitMix.stream(seed, id));
      double[] sum = new double[width];
      for (long r = 0; r < old; r++) {
        weights.read(r, row, 0);
        double z = random.nextGaussian();
        for (int i = 0; i < width; i++) {
          sum[i] += z * (row[i] - mean[i]);
        }
      }
      double scale = Math.sqrt(1e-9 / old);
      for (int i = 0; i < width; i++) {
        row[i] = (float) (mean[i] + scale * sum[i]);
      }
      weights.write(id, row, 0);
    }
  }

  private static double[] mean(WeightTable weights) {
    double[] mean = new double[weights.width()];
    float[] row = new float[weights.width()];
    for (long r = 0; r < weights.rows(); r++) {
      weights.read(r, row, 0);
      for (int i = 0; i < row.length; i++) {
        mean[i] += row[i];
      }
    }
    for (int i = 0; i < mean.length; i++) {
      mean[i] /= weights.rows();
    }
    return mean;
  }
}
