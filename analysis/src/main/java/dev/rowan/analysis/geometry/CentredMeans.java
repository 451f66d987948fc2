package dev.rowan.analysis.geometry;

import dev.rowan.core.RowStatistics;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;

/**
 * The exact mean cosine over all distinct pairs of finite rows, once the mean row is taken away and
 * once the strongest components are taken away too. With u_r the rows so changed and scaled to unit
 * norm, it is (|Σ u_r|² − n) / (n·(n − 1)): one pass, V·d·(2·components + 3) operations, instead of
 * V² pairs. A row of which nothing is left has cosine 0 with all others.
 *
 * @param centred less the mean row; NaN for fewer than two finite rows
 * @param withoutTop less the components too; NaN for fewer than two finite rows
 */
record CentredMeans(double centred, double withoutTop) {
  private static final int CHUNK = 1024;

  /** Reads every row once; the same bits for any number of threads. */
  static CentredMeans of(
      Table table, RowStatistics statistics, Pca pca, int gone, Workers workers) {
    int d = table.width();
    int chunks = Math.toIntExact(Math.ceilDiv(table.rows(), CHUNK));
    UnitSum[] centred = new UnitSum[chunks];
    UnitSum[] rest = new UnitSum[chunks];
    double[][] components = new double[gone][];
    for (int c = 0; c < gone; c++) {
      components[c] = pca.component(c);
    }
    double[] mean = pca.mean();
    workers.run(
        chunks,
        () -> {
          float[] row = new float[d];
          double[] less = new double[d];
          return chunk -> {
            UnitSum one = new UnitSum(d);
            UnitSum other = new UnitSum(d);
            long end = Math.min(table.rows(), (chunk + 1) * CHUNK);
            for (long id = chunk * CHUNK; id < end; id++) {
              if (Float.isFinite(statistics.norm(id))) {
                table.copyRow(id, row, 0);
                for (int i = 0; i < d; i++) {
                  less[i] = row[i] - mean[i];
                }
                one.add(less);
                for (double[] component : components) {
                  takeAway(less, component);
                }
                other.add(less);
              }
            }
            centred[(int) chunk] = one;
            rest[(int) chunk] = other;
          };
        });
    return new CentredMeans(UnitSum.meanCosine(centred, d), UnitSum.meanCosine(rest, d));
  }

  private static void takeAway(double[] row, double[] component) {
    double along = 0;
    for (int i = 0; i < row.length; i++) {
      along += row[i] * component[i];
    }
    for (int i = 0; i < row.length; i++) {
      row[i] -= along * component[i];
    }
  }

  /** The sum of rows scaled to unit norm. */
  private static final class UnitSum {
    private final double[] sum;
    private long rows;
    private long units;

    UnitSum(int d) {
      sum = new double[d];
    }

    void add(double[] row) {
      double squared = 0;
      for (double x : row) {
        squared += x * x;
      }
      rows++;
      if (squared > 0) {
        units++;
        double factor = 1 / Math.sqrt(squared);
        for (int i = 0; i < row.length; i++) {
          sum[i] += row[i] * factor;
        }
      }
    }

    /** Adds parts in their order, so that threads do not matter. */
    static double meanCosine(UnitSum[] parts, int d) {
      UnitSum all = new UnitSum(d);
      for (UnitSum part : parts) {
        all.rows += part.rows;
        all.units += part.units;
        for (int i = 0; i < d; i++) {
          all.sum[i] += part.sum[i];
        }
      }
      if (all.rows < 2) {
        return Double.NaN;
      }
      double squared = 0;
      for (double x : all.sum) {
        squared += x * x;
      }
      return Math.clamp((squared - all.units) / ((double) all.rows * (all.rows - 1)), -1, 1);
    }
  }
}
