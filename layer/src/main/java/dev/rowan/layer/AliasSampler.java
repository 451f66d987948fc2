package dev.rowan.layer;

import java.util.SplittableRandom;

/** Draws from any distribution in constant time (Walker 1977, construction of Vose 1991). */
final class AliasSampler implements NegativeSampler {
  private final double[] probability;
  private final double[] cut; // place i keeps i below this, else gives other[i]
  private final int[] other;

  private AliasSampler(double[] probability, double[] cut, int[] other) {
    this.probability = probability;
    this.cut = cut;
    this.other = other;
  }

  static AliasSampler of(double power, double[] counts) {
    Checks.finite("power", power);
    double[] weights = new double[counts.length];
    double sum = 0;
    for (int i = 0; i < counts.length; i++) {
      Checks.atLeastZero("the count of id " + i, counts[i]);
      weights[i] = counts[i] == 0 ? 0 : Math.pow(counts[i], power);
      sum += weights[i];
    }
    if (!(sum > 0)) {
      throw new IllegalArgumentException(
          "%,d counts with sum %s; one at least must be above 0".formatted(counts.length, sum));
    }
    for (int i = 0; i < weights.length; i++) {
      weights[i] /= sum;
    }
    double[] cut = new double[weights.length];
    int[] other = new int[weights.length];
    build(weights, cut, other);
    return new AliasSampler(weights, cut, other);
  }

  private static void build(double[] probability, double[] cut, int[] other) {
    int n = probability.length;
    int[] queue = new int[n]; // small ones from the front, large ones from the back
    int small = 0;
    int large = n;
    for (int i = 0; i < n; i++) {
      cut[i] = probability[i] * n;
      if (cut[i] < 1) {
        queue[small++] = i;
      } else {
        queue[--large] = i;
      }
    }
    while (small > 0 && large < n) {
      int low = queue[--small];
      int high = queue[large];
      other[low] = high;
      cut[high] -= 1 - cut[low];
      if (cut[high] < 1) {
        large++;
        queue[small++] = high;
      }
    }
    while (large < n) {
      cut[queue[large++]] = 1;
    }
    while (small > 0) {
      cut[queue[--small]] = 1; // left over by rounding
    }
  }

  @Override
  public long draw(SplittableRandom random) {
    int place = random.nextInt(cut.length);
    return random.nextDouble() < cut[place] ? place : other[place];
  }

  @Override
  public double probability(long id) {
    return probability[(int) id];
  }

  @Override
  public long rows() {
    return probability.length;
  }
}
