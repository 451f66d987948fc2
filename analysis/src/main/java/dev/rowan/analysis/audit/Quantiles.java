package dev.rowan.analysis.audit;

/** Quantiles of numbers by selection; the order of the numbers is not kept. */
final class Quantiles {
  private Quantiles() {}

  /**
   * Returns the quantile with linear interpolation between the two nearest ranks, as numpy's
   * default does; NaN if there are no numbers.
   *
   * @param values finite numbers; reordered
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
    double second = Double.POSITIVE_INFINITY; // the least of those behind place low
    for (int i = low + 1; i < count; i++) {
      second = Math.min(second, values[i]);
    }
    return first + (at - low) * (second - first);
  }

  /** Returns the median of |x − center|. */
  static double medianDeviation(double[] values, double center) {
    double[] deviations = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      deviations[i] = Math.abs(values[i] - center);
    }
    return quantile(deviations, 0.5);
  }

  /** Puts the k-th smallest number at place k, no larger ones before it, and returns it. */
  private static double select(double[] values, int k) {
    int from = 0;
    int to = values.length - 1;
    while (from < to) {
      double pivot = medianOfThree(values[from], values[(from + to) >>> 1], values[to]);
      int i = from;
      int j = to;
      while (i <= j) {
        while (values[i] < pivot) {
          i++;
        }
        while (values[j] > pivot) {
          j--;
        }
        if (i <= j) {
          double swap = values[i];
          values[i++] = values[j];
          values[j--] = swap;
        }
      }
      if (k <= j) {
        to = j;
      } else if (k >= i) {
        from = i;
      } else {
        return values[k];
      }
    }
    return values[k];
  }

  private static double medianOfThree(double a, double b, double c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }
}
