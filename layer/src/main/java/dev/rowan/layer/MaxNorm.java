package dev.rowan.layer;

import dev.rowan.core.OutOfRange;

/**
 * The bound that looked-up rows are held to: a row whose p-norm exceeds {@code max} is multiplied
 * in the table by max / (norm + 1e-7) before it is read. The bound itself is strict: a row of norm
 * exactly {@code max} stays as it is. A row with an infinity becomes NaN there; a NaN row stays.
 *
 * @param max the bound, 0 or more; 0 makes every looked-up row zero
 * @param p the norm: any number but NaN; {@link Double#POSITIVE_INFINITY} is the largest magnitude,
 *     {@link Double#NEGATIVE_INFINITY} the smallest, 0 counts the non-zeros
 */
public record MaxNorm(double max, double p) {

  /**
   * Checks the parameters.
   *
   * @throws IllegalArgumentException if {@code max} is negative or NaN, or {@code p} is NaN
   */
  public MaxNorm {
    OutOfRange.check(max >= 0, "max norm", max, "0 or more");
    OutOfRange.check(!Double.isNaN(p), "p of max norm", p, "a number");
  }

  /** Returns a bound on the Euclidean norm. */
  public static MaxNorm of(double max) {
    return new MaxNorm(max, 2);
  }

  /** Returns the p-norm of a row, in double. */
  double norm(float[] row) {
    if (p == Double.POSITIVE_INFINITY || p == Double.NEGATIVE_INFINITY) {
      return extreme(row);
    }
    double sum = 0;
    for (float x : row) {
      double a = Math.abs((double) x);
      if (p == 2) {
        sum += a * a;
      } else if (p == 1) {
        sum += a;
      } else if (p == 0) {
        sum += a == 0 ? 0 : 1;
      } else {
        sum += Math.pow(a, p);
      }
    }
    if (p == 2) {
      return Math.sqrt(sum);
    }
    return p == 1 || p == 0 ? sum : Math.pow(sum, 1 / p);
  }

  private double extreme(float[] row) {
    double found = Math.abs(row[0]);
    for (float x : row) {
      double a = Math.abs(x);
      found = p > 0 ? Math.max(found, a) : Math.min(found, a);
    }
    return found;
  }
}
