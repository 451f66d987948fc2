package dev.rowan.analysis.map;

import java.util.Arrays;

/** Spearman's rank correlation; equal values share the mean of their ranks. */
final class RankCorrelation {
  private RankCorrelation() {}

  /** Returns the correlation in [−1, 1]; NaN where one side has fewer than two different values. */
  static double spearman(double[] a, double[] b) {
    double[] ranksA = ranks(a);
    double[] ranksB = ranks(b);
    double mean = (a.length + 1) / 2.0;
    double both = 0;
    double squaresA = 0;
    double squaresB = 0;
    for (int i = 0; i < a.length; i++) {
      double x = ranksA[i] - mean;
      double y = ranksB[i] - mean;
      both += x * y;
      squaresA += x * x;
      squaresB += y * y;
    }
    return squaresA == 0 || squaresB == 0
        ? Double.NaN
        : Math.clamp(both / Math.sqrt(squaresA * squaresB), -1, 1);
  }

  private static double[] ranks(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double[] meanRank = new double[sorted.length]; // at the first place of a run of equal values
    for (int from = 0; from < sorted.length; ) {
      int to = from;
      while (to < sorted.length && sorted[to] == sorted[from]) {
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
}
