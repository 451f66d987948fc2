package dev.rowan.analysis.edit;

import dev.rowan.core.SplitMix;
import dev.rowan.core.Workers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Rows drawn from N(mean, 1e-9 · covariance) of the old rows.
 *
 * <p>With z_i from N(0, 1), mean + √(1e-9 / V) · Σ z_i (row_i − mean) has exactly that distribution
 * (covariance ÷ V), also where the covariance is singular, without a d × d matrix and its factors.
 * Cost: one pass over the table for each {@value #BLOCK} new rows and V·d multiplications a row.
 */
final class Draws {
  private static final double SHRINKAGE = 1e-9;
  private static final int BLOCK = 16; // sums of a block stay in the second cache up to d = 4096

  private Draws() {}

  /** A row to draw. */
  record Wanted(long row, long seed) {}

  static Map<Long, float[]> of(
      List<Wanted> wanted,
      Supplier<Blend.Reader> readers,
      long rows,
      Means.Mean mean,
      Workers workers) {
    float[][] drawn = new float[wanted.size()][];
    workers.run(
        Math.ceilDiv(drawn.length, BLOCK),
        () -> {
          Blend.Reader reader = readers.get();
          return block -> {
            int from = (int) block * BLOCK;
            int to = Math.min(drawn.length, from + BLOCK);
            draw(wanted.subList(from, to), reader, rows, mean, drawn, from);
          };
        });
    Map<Long, float[]> byRow = new HashMap<>();
    for (int i = 0; i < drawn.length; i++) {
      byRow.put(wanted.get(i).row(), drawn[i]);
    }
    return byRow;
  }

  private static void draw(
      List<Wanted> wanted,
      Blend.Reader reader,
      long rows,
      Means.Mean mean,
      float[][] drawn,
      int first) {
    int width = mean.mean().length;
    SplittableRandom[] random = new SplittableRandom[wanted.size()];
    for (int k = 0; k < random.length; k++) {
      random[k] = new SplittableRandom(mixed(wanted.get(k)));
    }
    double[][] sums = new double[random.length][width];
    float[] row = new float[width];
    double[] centred = new double[width];
    for (long id = 0; id < rows; id++) {
      reader.read(id, row);
      if (!Means.isFinite(row)) {
        continue;
      }
      for (int i = 0; i < width; i++) {
        centred[i] = row[i] - mean.mean()[i];
      }
      for (int k = 0; k < random.length; k++) {
        add(random[k].nextGaussian(), centred, sums[k]);
      }
    }
    double scale = Math.sqrt(SHRINKAGE / Math.max(1, mean.finite()));
    for (int k = 0; k < random.length; k++) {
      float[] made = new float[width];
      for (int i = 0; i < width; i++) {
        made[i] = (float) (mean.mean()[i] + scale * sums[k][i]);
      }
      drawn[first + k] = made;
    }
  }

  private static void add(double z, double[] centred, double[] sum) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += z * centred[i];
    }
  }

  /** A generator for each row, so that one row's numbers do not depend on how many there are. */
  private static long mixed(Wanted wanted) {
    return SplitMix.mix(wanted.seed() * SplitMix.GAMMA + wanted.row());
  }
}
