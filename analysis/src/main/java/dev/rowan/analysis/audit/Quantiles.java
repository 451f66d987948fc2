package dev.rowan.analysis.audit;

import java.util.Arrays;

/**
 * Quantiles of numbers by selection: the numbers are counted in buckets of equal width, and those
 * of the one bucket that matters again, until few are left to sort.
 */
final class Quantiles {
  private static final int BUCKETS = 4096;
  private static final int FEW = 64;

  private Quantiles() {}

  /**
   * Returns the quantile with linear interpolation between the two nearest ranks, as numpy's
   * default does; NaN if there are no numbers.
   *
   * @param values finite numbers, not changed
   * @param share in [0, 1]
   */
  static double quantile(double[] values, double share) {
    int count = values.length;
    if (count == 0) {
      return Double.NaN;
    }
    double at = share * (count - 1);
    int low = (int) Math.floor(at);
    double first = select(values, low);
    if (low + 1 >= count || at == low) {
      return first;
    }
    double second = Double.POSITIVE_INFINITY;
    int upTo = 0;
    for (double x : values) {
      upTo += x <= first ? 1 : 0;
      second = x > first ? Math.min(second, x) : second;
    }
    return upTo > low + 1 ? first : first + (at - low) * (second - first);
  }

  /** Returns the median of |x − center|. */
  static double medianDeviation(double[] values, double center) {
    double[] deviations = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      deviations[i] = Math.abs(values[i] - center);
    }
    return quantile(deviations, 0.5);
  }

  /** Returns the number of rank k, from 0. */
  private static double select(double[] values, int k) {
    double[] rest = values.clone();
    int rank = k;
    while (rest.length > FEW) {
      double min = rest[0];
      double max = min;
      for (double x : rest) {
        min = Math.min(min, x);
        max = Math.max(max, x);
      }
      double scale = (BUCKETS - 1) / (max - min);
      if (!(scale > 0) || scale == Double.POSITIVE_INFINITY) {
        break; // all equal, or apart by too little or too much to divide by
      }
      int[] counts = new int[BUCKETS];
      for (double x : rest) {
        counts[(int) ((x - min) * scale)]++;
      }
      int bucket = 0;
      while (rank >= counts[bucket]) {
        rank -= counts[bucket++];
      }
      double[] next = new double[counts[bucket]];
      int count = 0;
      for (double x : rest) {
        if ((int) ((x - min) * scale) == bucket) {
          next[count++] = x;
        }
      }
      rest = next;
    }
    Arrays.sort(rest);
    return rest[rank];
  }
}
