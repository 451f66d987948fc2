package dev.rowan.bench.layer;

import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.layer.Initializer;
import dev.rowan.layer.WeightTable;
import java.util.SplittableRandom;

/** Inputs that the benchmarks share. */
final class Work {
  /** Batches that take turns, so that rows are not in the cache from the run before. */
  static final int BATCHES = 32;

  private Work() {}

  static WeightTable table(long rows, int width, Workers workers) {
    return WeightTable.fresh(
        rows, width, FloatFormat.F32, Initializer.uniform(-0.05, 0.05, 1), workers);
  }

  static long[][] uniformIds(int count, long rows) {
    SplittableRandom random = new SplittableRandom(7);
    long[][] batches = new long[BATCHES][];
    for (int b = 0; b < BATCHES; b++) {
      batches[b] = random.longs(count, 0, rows).toArray();
    }
    return batches;
  }

  /** Ids by Zipf's law with exponent 1: rank r with chance 1 / (r · H), ranks spread over rows. */
  static long[][] zipfIds(int count, long rows) {
    SplittableRandom random = new SplittableRandom(8);
    long[][] batches = new long[BATCHES][count];
    double log = Math.log((double) rows);
    for (long[] batch : batches) {
      for (int i = 0; i < count; i++) {
        long rank = (long) Math.exp(random.nextDouble() * log) - 1;
        batch[i] = Math.floorMod((rank * 0x9E3779B97F4A7C15L) >>> 1, rows);
      }
    }
    return batches;
  }

  static float[] floats(int count) {
    SplittableRandom random = new SplittableRandom(9);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) (random.nextDouble() - 0.5);
    }
    return values;
  }
}
