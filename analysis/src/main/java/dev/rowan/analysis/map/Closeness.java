package dev.rowan.analysis.map;

import dev.rowan.core.Metric;
import dev.rowan.core.RowStatistics;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import dev.rowan.core.kernel.Exact;
import dev.rowan.core.kernel.Matrix;
import dev.rowan.core.kernel.RowKernels;

/**
 * How close chosen rows are to all rows, as keys that fall with the distance: the cosine, or minus
 * the squared distance. Few products are computed in double; many in float by blocks, whose error
 * of some 1e-7 only swaps rows that are as good as equally far.
 */
final class Closeness {
  /** Chosen rows at once: two vectors of the widest kind. */
  static final int AT_ONCE = 32;

  /** Multiplications that may be spent in double: well under a second. */
  private static final double MOST_IN_DOUBLE = 4e8;

  private static final int PANEL = 256;

  private final Table rows;
  private final Metric metric;
  private final RowStatistics statistics;
  private final int n;
  private final boolean isDouble;

  Closeness(Table rows, Metric metric, int chosen, Workers workers) {
    this(
        rows,
        metric,
        (double) chosen * rows.rows() * rows.width() <= MOST_IN_DOUBLE
            || isExtreme(rows.statistics(workers)),
        workers);
  }

  /** Returns whether the square of a norm may leave the range of float. */
  private static boolean isExtreme(RowStatistics statistics) {
    return statistics.maxNorm() > 1e15
        || (statistics.minNorm() > 0 && statistics.minNorm() < 1e-15);
  }

  Closeness(Table rows, Metric metric, boolean isDouble, Workers workers) {
    this.rows = rows;
    this.metric = metric;
    this.statistics = rows.statistics(workers);
    this.n = (int) rows.rows();
    this.isDouble = isDouble;
  }

  /**
   * Computes the keys of up to {@value #AT_ONCE} rows.
   *
   * @param chosen the rows
   * @param from the first place of {@code chosen} to take
   * @param count how many
   * @param keys receives n keys for each
   */
  void keys(int[] chosen, int from, int count, double[][] keys) {
    if (isDouble) {
      exact(chosen, from, count, keys);
    } else {
      blocked(chosen, from, count, keys);
    }
  }

  private void exact(int[] chosen, int from, int count, double[][] keys) {
    int d = rows.width();
    float[] row = new float[d];
    float[][] queries = new float[count][];
    double[] squares = new double[count];
    for (int a = 0; a < count; a++) {
      queries[a] = rows.row(chosen[from + a]);
      squares[a] = Exact.dot(queries[a], 0, queries[a], 0, d);
    }
    for (int j = 0; j < n; j++) {
      rows.copyRow(j, row, 0);
      double square = Exact.dot(row, 0, row, 0, d);
      for (int a = 0; a < count; a++) {
        double dot = Exact.dot(row, 0, queries[a], 0, d);
        keys[a][j] =
            metric == Metric.COSINE
                ? dot / Math.sqrt(square * squares[a])
                : 2 * dot - square - squares[a];
      }
    }
  }

  private void blocked(int[] chosen, int from, int count, double[][] keys) {
    int d = rows.width();
    float[] row = new float[d];
    float[] queries = new float[d * AT_ONCE]; // d × 32
    for (int a = 0; a < count; a++) {
      rows.copyRow(chosen[from + a], row, 0);
      for (int i = 0; i < d; i++) {
        queries[i * AT_ONCE + a] = row[i];
      }
    }
    float[] panel = new float[PANEL * d];
    float[] dots = new float[PANEL * AT_ONCE];
    for (int first = 0; first < n; first += PANEL) {
      int here = Math.min(PANEL, n - first);
      rows.copyRows(first, here, panel, 0);
      java.util.Arrays.fill(dots, 0);
      RowKernels.best()
          .multiply(
              Matrix.of(panel, 0, here, d),
              Matrix.of(queries, 0, d, AT_ONCE),
              Matrix.of(dots, 0, here, AT_ONCE));
      for (int r = 0; r < here; r++) {
        double norm = statistics.norm(first + (long) r);
        for (int a = 0; a < count; a++) {
          double dot = dots[r * AT_ONCE + a];
          double own = statistics.norm(chosen[from + a]);
          keys[a][first + r] =
              metric == Metric.COSINE ? dot / (norm * own) : 2 * dot - norm * norm - own * own;
        }
      }
    }
  }
}
