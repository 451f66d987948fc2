package dev.rowan.analysis.eval;

import dev.rowan.core.OutOfRange;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;

/** How two lists of numbers go together. All results are NaN where a list does not vary. */
public final class Correlation {
  /**
   * Fewer pairs than this have no interval: resampling three pairs that lie in order finds them in
   * order nearly always, and looks certain.
   */
  public static final int LEAST_FOR_INTERVAL = 10;

  private Correlation() {}

  /**
   * Where a figure lies with some confidence.
   *
   * @param low the lower end
   * @param high the upper end
   */
  public record Interval(double low, double high) {}

  /**
   * A bootstrap: the figure of many samples of the pairs, drawn with replacement.
   *
   * @param resamples how many samples, 1 or more
   * @param seed of the draws
   * @param confidence the share of samples inside the interval, in (0, 1)
   */
  public record Bootstrap(int resamples, long seed, double confidence) {
    /** Checks the settings. */
    public Bootstrap {
      OutOfRange.check("resamples", resamples, 1, 1_000_000);
      OutOfRange.check(
          confidence > 0 && confidence < 1,
          "confidence",
          confidence,
          "more than 0 and less than 1");
    }
  }

  /**
   * Returns Pearson's correlation, in [−1, 1].
   *
   * @throws IllegalArgumentException if the lists differ in length
   */
  public static double pearson(double[] x, double[] y) {
    checkLengths(x, y);
    double[] once = new double[x.length];
    Arrays.fill(once, 1);
    return weighted(x, y, once);
  }

  /**
   * Returns Spearman's rank correlation, in [−1, 1]; equal numbers share the mean of their ranks.
   *
   * @throws IllegalArgumentException if the lists differ in length
   */
  public static double spearman(double[] x, double[] y) {
    checkLengths(x, y);
    if (hasNan(x) || hasNan(y)) {
      return Double.NaN;
    }
    return pearson(ranks(x), ranks(y));
  }

  private static void checkLengths(double[] x, double[] y) {
    if (x.length != y.length) {
      throw new IllegalArgumentException(
          "%d numbers cannot be paired with %d".formatted(x.length, y.length));
    }
  }

  private static boolean hasNan(double[] values) {
    return Arrays.stream(values).anyMatch(Double::isNaN);
  }

  /** Returns the rank of each number, 1 for the least; equal numbers share the mean. */
  static double[] ranks(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double[] meanRank = new double[sorted.length]; // at the first place of a run of equal numbers
    for (int from = 0; from < sorted.length; ) {
      int to = from;
      while (to < sorted.length && sorted[to] == sorted[from]) { // −0 is 0
        to++;
      }
      meanRank[from] = (from + 1 + to) / 2.0;
      from = to;
    }
    double[] ranks = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      ranks[i] = meanRank[firstPlace(sorted, values[i])];
    }
    return ranks;
  }

  private static int firstPlace(double[] sorted, double value) {
    int low = 0;
    int high = sorted.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static int[] order(double[] values) {
    return IntStream.range(0, values.length)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> values[i] + 0.0)) // −0 is 0
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Returns ranks in a sample that holds number i {@code times[i]} times. */
  private static double[] ranks(double[] values, int[] order, double[] times) {
    double[] ranks = new double[values.length];
    double before = 0;
    int from = 0;
    while (from < order.length) {
      double here = 0;
      int to = from;
      while (to < order.length && values[order[to]] == values[order[from]]) {
        here += times[order[to++]];
      }
      for (int i = from; i < to; i++) {
        ranks[order[i]] = before + (here + 1) / 2;
      }
      before += here;
      from = to;
    }
    return ranks;
  }

  /** Returns Pearson's correlation of a sample that holds pair i {@code times[i]} times. */
  private static double weighted(double[] x, double[] y, double[] times) {
    double n = 0;
    double meanX = 0;
    double meanY = 0;
    for (int i = 0; i < x.length; i++) {
      n += times[i];
      meanX += times[i] * x[i];
      meanY += times[i] * y[i];
    }
    meanX /= n;
    meanY /= n;
    double xx = 0;
    double yy = 0;
    double xy = 0;
    for (int i = 0; i < x.length; i++) {
      double dx = x[i] - meanX;
      double dy = y[i] - meanY;
      xx += times[i] * dx * dx;
      yy += times[i] * dy * dy;
      xy += times[i] * dx * dy;
    }
    double both = Math.sqrt(xx) * Math.sqrt(yy);
    return both > 0 ? Math.clamp(xy / both, -1, 1) : Double.NaN;
  }

  /**
   * Returns the percentile interval of Spearman's correlation (Efron and Tibshirani 1993, chapter
   * 13), quantiles interpolated linearly. Samples whose correlation is undefined are left out. NaN
   * for fewer than {@link #LEAST_FOR_INTERVAL} pairs.
   *
   * @throws CancellationException if the calling thread is interrupted
   */
  public static Interval interval(double[] x, double[] y, Bootstrap bootstrap) {
    checkLengths(x, y);
    if (x.length < LEAST_FOR_INTERVAL || hasNan(x) || hasNan(y)) {
      return new Interval(Double.NaN, Double.NaN);
    }
    SplittableRandom random = new SplittableRandom(bootstrap.seed());
    int[] orderX = order(x);
    int[] orderY = order(y);
    double[] found = new double[bootstrap.resamples()];
    int n = 0;
    for (int s = 0; s < found.length; s++) {
      if (Thread.currentThread().isInterrupted()) {
        throw new CancellationException("interrupted while resampling");
      }
      double[] times = new double[x.length];
      for (int i = 0; i < x.length; i++) {
        times[random.nextInt(x.length)]++;
      }
      double sample = weighted(ranks(x, orderX, times), ranks(y, orderY, times), times);
      if (!Double.isNaN(sample)) {
        found[n++] = sample;
      }
    }
    double[] sorted = Arrays.copyOf(found, n);
    Arrays.sort(sorted);
    double tail = (1 - bootstrap.confidence()) / 2;
    return new Interval(quantile(sorted, tail), quantile(sorted, 1 - tail));
  }

  private static double quantile(double[] sorted, double share) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    double at = share * (sorted.length - 1);
    int below = (int) Math.floor(at);
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }
}
