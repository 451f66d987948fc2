package dev.rowan.analysis.map;

/**
 * Finds the precision β at which the weights e^(−β d²) of a row's neighbours, made to sum to 1,
 * have the entropy ln(perplexity). Not thread-safe: each worker has its own.
 */
final class PerplexitySearch {
  private static final int MOST_STEPS = 200;
  private static final double TOLERANCE = 1e-8; // of the entropy, in nats

  private final double target;

  PerplexitySearch(double perplexity) {
    this.target = StrictMath.log(perplexity);
  }

  /**
   * Computes the weights. Where no precision reaches the entropy (equal distances, or more
   * perplexity than neighbours) they are the closest there are.
   *
   * @param squared squared distances, ascending
   * @param weights receives numbers that sum to 1
   */
  void weights(double[] squared, double[] weights) {
    int k = squared.length;
    if (k == 0) {
      return;
    }
    double nearest = squared[0];
    double mean = 0;
    for (double d : squared) {
      mean += d - nearest;
    }
    mean /= k;
    double beta = mean > 0 ? 1 / mean : 1;
    double low = 0;
    double high = Double.POSITIVE_INFINITY;
    double total = 0;
    for (int step = 0; step < MOST_STEPS; step++) {
      total = 0;
      double first = 0;
      double second = 0;
      for (int j = 0; j < k; j++) {
        double d = squared[j] - nearest;
        double w = StrictMath.exp(-beta * d);
        weights[j] = w;
        total += w;
        first += w * d;
        second += w * d * d;
      }
      first /= total;
      double variance = second / total - first * first;
      double excess = StrictMath.log(total) + beta * first - target;
      if (Math.abs(excess) < TOLERANCE || !(high - low > 1e-15 * beta)) {
        break;
      }
      if (excess > 0) {
        low = beta;
      } else {
        high = beta;
      }
      // Newton, since d entropy / d β = −β variance; halving or doubling where it leaves the
      // bracket
      double newton = beta + excess / (beta * variance);
      double middle = high == Double.POSITIVE_INFINITY ? 2 * beta : (low + high) / 2;
      beta = newton > low && newton < high ? Math.min(newton, 8 * beta) : middle;
      if (!(beta < 1e300)) {
        break; // equal distances to more neighbours than the perplexity: no β is large enough
      }
    }
    for (int j = 0; j < k; j++) {
      weights[j] /= total;
    }
  }
}
