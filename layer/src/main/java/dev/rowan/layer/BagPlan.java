package dev.rowan.layer;

import java.util.Arrays;

/**
 * What the backward pass of bags needs to know of a call: the bag of each position, the divisor of
 * each bag, and for MAX the position that won each column. Memory is kept for the next call.
 */
final class BagPlan {
  private final WeightTable weights;
  private final Pooling pooling;
  private int[] bagOf = new int[0];
  private double[] divisors = new double[0];
  private int[] winners = new int[0]; // bags × d positions, −1 in an empty bag
  private Bags bags = Bags.of(new long[0]);

  BagPlan(WeightTable weights, Pooling pooling) {
    this.weights = weights;
    this.pooling = pooling;
  }

  void prepare(Bags next, long padding) {
    bags = next;
    if (bagOf.length < bags.idCount()) {
      bagOf = new int[bags.idCount()];
    }
    if (divisors.length < bags.count()) {
      divisors = new double[bags.count()];
    }
    for (int b = 0; b < bags.count(); b++) {
      double sum = 0;
      double squares = 0;
      for (int p = bags.start(b); p < bags.end(b); p++) {
        bagOf[p] = b;
        if (bags.id(p) != padding) {
          double weight = bags.weight(p);
          sum += weight;
          squares += weight * weight;
        }
      }
      divisors[b] =
          switch (pooling) {
            case SUM, MAX -> 1;
            case MEAN -> sum;
            case SQRTN -> Math.sqrt(squares);
          };
    }
    if (pooling == Pooling.MAX) {
      findWinners(padding);
    }
  }

  double divisor(int bag) {
    return divisors[bag];
  }

  private void findWinners(long padding) {
    int width = weights.width();
    int size = Math.multiplyExact(bags.count(), width);
    if (winners.length < size) {
      winners = new int[size];
    }
    Arrays.fill(winners, 0, size, -1);
    float[] best = new float[width];
    float[] row = new float[width];
    for (int b = 0; b < bags.count(); b++) {
      for (int p = bags.start(b); p < bags.end(b); p++) {
        if (bags.id(p) != padding) {
          weights.read(bags.id(p), row, 0);
          for (int i = 0; i < width; i++) {
            int place = b * width + i;
            boolean wins =
                winners[place] < 0
                    || row[i] > best[i]
                    || (Float.isNaN(row[i]) && !Float.isNaN(best[i]));
            if (wins) {
              winners[place] = p;
              best[i] = row[i];
            }
          }
        }
      }
    }
  }

  /** Returns the sum for grouped positions of the prepared bags. */
  SegmentSum sum(Coalescer grouped, float[] upstream, float scale, boolean mean) {
    SegmentSum plain =
        pooling == Pooling.MAX ? winnersOf(grouped, upstream) : linear(grouped, upstream);
    return (segment, target, offset) -> {
      Arrays.fill(target, offset, offset + weights.width(), 0f);
      plain.sum(segment, target, offset);
      int count = grouped.end(segment) - grouped.start(segment);
      float factor = mean ? scale / count : scale;
      if (factor != 1) {
        dev.rowan.core.kernel.RowKernels.best().scale(factor, target, offset, weights.width());
      }
    };
  }

  private SegmentSum linear(Coalescer grouped, float[] upstream) {
    int width = weights.width();
    var kernels = dev.rowan.core.kernel.RowKernels.best();
    return (segment, target, offset) -> {
      for (int k = grouped.start(segment); k < grouped.end(segment); k++) {
        int p = grouped.position(k);
        double divisor = divisors[bagOf[p]];
        if (divisor != 0) {
          float factor = (float) (bags.weight(p) / divisor);
          kernels.addScaled(factor, upstream, bagOf[p] * width, target, offset, width);
        }
      }
    };
  }

  private SegmentSum winnersOf(Coalescer grouped, float[] upstream) {
    int width = weights.width();
    return (segment, target, offset) -> {
      for (int k = grouped.start(segment); k < grouped.end(segment); k++) {
        int p = grouped.position(k);
        int from = bagOf[p] * width;
        for (int i = 0; i < width; i++) {
          if (winners[from + i] == p) {
            target[offset + i] += upstream[from + i];
          }
        }
      }
    };
  }
}
