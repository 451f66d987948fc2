package dev.rowan.layer;

import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.core.kernel.RowKernels;
import java.util.Arrays;

/** Pools bags, split among workers where there are many. */
final class BagLookup {
  private static final long CHUNK_NUMBERS = 1 << 16; // numbers read a chunk: 256 KiB of f32

  private final WeightTable weights;
  private final Pooling pooling;
  private final Bags bags;
  private final long padding;
  private final float scale;
  private final float[] target;
  private final RowKernels kernels = RowKernels.best();

  private BagLookup(
      WeightTable weights, Pooling pooling, Bags bags, long padding, float scale, float[] target) {
    this.weights = weights;
    this.pooling = pooling;
    this.bags = bags;
    this.padding = padding;
    this.scale = scale;
    this.target = target;
  }

  static void pool(
      WeightTable weights, Pooling pooling, Bags bags, long padding, float scale, float[] target) {
    BagLookup lookup = new BagLookup(weights, pooling, bags, padding, scale, target);
    long perBag = (1 + bags.idCount() / Math.max(1, bags.count())) * (long) weights.width();
    int chunk = (int) Math.max(1, CHUNK_NUMBERS / perBag);
    boolean direct = weights.format() == FloatFormat.F32 && pooling != Pooling.MAX;
    Parallel.run(
        weights.workers(),
        Parallel.chunks(bags.count(), chunk),
        () -> {
          float[] row = new float[direct ? 0 : weights.width()];
          return c -> {
            int end = (int) Math.min(bags.count(), (c + 1) * chunk);
            for (int b = (int) c * chunk; b < end; b++) {
              lookup.bag(b, row);
            }
          };
        });
  }

  private void bag(int b, float[] row) {
    int width = weights.width();
    int to = b * width;
    Arrays.fill(target, to, to + width, 0f);
    double sum = 0;
    double squares = 0;
    int kept = 0;
    int start = bags.start(b);
    int end = bags.end(b);
    if (padding < 0 && !bags.hasWeights()) {
      run(start, end, to, row, 0);
      finish(to, end - start, end - start);
      return;
    }
    int from = start; // of the present run of positions without padding
    for (int p = start; p < end; p++) {
      if (bags.id(p) == padding) {
        run(from, p, to, row, kept);
        kept += p - from;
        from = p + 1;
      } else {
        double weight = bags.weight(p);
        sum += weight;
        squares += weight * weight;
      }
    }
    run(from, end, to, row, kept);
    finish(to, sum, squares);
  }

  /** Divides a bag's row, once. */
  private void finish(int to, double sum, double squares) {
    int width = weights.width();
    switch (pooling) {
      case SUM, MAX -> {}
      case MEAN -> divide(to, sum);
      case SQRTN -> divide(to, Math.sqrt(squares));
    }
    if (scale != 1) {
      kernels.scale(scale, target, to, width);
    }
  }

  /** Adds the positions of one run to the bag's row. */
  private void run(int from, int end, int to, float[] row, int before) {
    int width = weights.width();
    float[] factors = bags.rawWeights();
    if (pooling == Pooling.MAX) {
      for (int p = from; p < end; p++) {
        weights.read(bags.id(p), row, 0);
        if (before == 0 && p == from) {
          System.arraycopy(row, 0, target, to, width);
        } else {
          kernels.max(row, 0, target, to, width);
        }
      }
    } else if (weights.format() != FloatFormat.F32) {
      for (int p = from; p < end; p++) {
        weights.read(bags.id(p), row, 0);
        kernels.addScaled(bags.weight(p), row, 0, target, to, width);
      }
    } else if (factors == null) {
      kernels.addRows(weights.data(), bags.rawIds(), from, end, target, to, width);
    } else {
      kernels.addScaledRows(weights.data(), bags.rawIds(), factors, from, end, target, to, width);
    }
  }

  private void divide(int to, double divisor) {
    int width = weights.width();
    if (divisor == 0) {
      Arrays.fill(target, to, to + width, 0f);
      return;
    }
    float by = (float) divisor;
    for (int i = to; i < to + width; i++) {
      target[i] /= by;
    }
  }
}
