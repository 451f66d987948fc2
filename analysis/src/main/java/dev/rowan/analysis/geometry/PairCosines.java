package dev.rowan.analysis.geometry;

import dev.rowan.core.Workers;
import dev.rowan.core.kernel.Matrix;
import dev.rowan.core.kernel.RowKernels;
import java.util.Arrays;

/**
 * How the cosines of pairs of rows are spread.
 *
 * @param pairs how many pairs
 * @param mean of their cosines; NaN if there is no pair
 * @param deviation their standard deviation; NaN if there is no pair
 * @param quantiles the cosines that 1, 5, 25, 50, 75, 95 and 99 % of the pairs do not reach, to one
 *     in 4,096; NaN if there is no pair
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier for numeric results, never compared
public record PairCosines(long pairs, double mean, double deviation, double[] quantiles) {
  /** What part of the pairs lies below each quantile. */
  private static final double[] SHARES = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

  private static final int BINS = 8192;
  private static final int BLOCK = 64;

  /**
   * Counts all pairs of some vectors.
   *
   * @param vectors n × d numbers, row-major; scaled to unit norm in place, zero vectors left zero
   * @param n how many vectors
   * @param d how wide each is
   */
  static PairCosines of(double[] vectors, int n, int d, Workers workers) {
    double[] sum = new double[d];
    float[] units = new float[n * d];
    float[] turned = new float[n * d];
    int zero = 0;
    for (int r = 0; r < n; r++) {
      double squared = 0;
      for (int i = 0; i < d; i++) {
        squared += vectors[r * d + i] * vectors[r * d + i];
      }
      zero += squared == 0 ? 1 : 0;
      double factor = squared == 0 ? 0 : 1 / Math.sqrt(squared);
      for (int i = 0; i < d; i++) {
        double unit = vectors[r * d + i] * factor;
        vectors[r * d + i] = unit;
        sum[i] += unit;
        units[r * d + i] = (float) unit;
        turned[i * n + r] = (float) unit;
      }
    }
    long pairs = (long) n * (n - 1) / 2;
    if (pairs == 0) {
      double[] none = new double[SHARES.length];
      Arrays.fill(none, Double.NaN);
      return new PairCosines(0, Double.NaN, Double.NaN, none);
    }
    double squared = Arrays.stream(sum).map(x -> x * x).sum();
    double mean = Math.clamp((squared - (n - zero)) / (2.0 * pairs), -1, 1);
    return count(units, turned, n, d, workers).result(mean, pairs);
  }

  private static Count count(float[] units, float[] turned, int n, int d, Workers workers) {
    int blocks = Math.ceilDiv(n, BLOCK);
    Count[] counts = new Count[blocks];
    workers.run(
        blocks,
        () -> {
          float[] cosines = new float[BLOCK * n];
          return chunk -> {
            int first = (int) chunk * BLOCK;
            int rows = Math.min(BLOCK, n - first);
            int columns = n - first; // pairs with an earlier row were counted there
            Arrays.fill(cosines, 0, rows * columns, 0);
            RowKernels.best()
                .multiply(
                    Matrix.of(units, first * d, rows, d),
                    new Matrix(turned, first, d, columns, n, 1),
                    Matrix.of(cosines, 0, rows, columns));
            Count count = new Count();
            for (int r = 0; r < rows; r++) {
              for (int c = r + 1; c < columns; c++) {
                count.add(cosines[r * columns + c]);
              }
            }
            counts[(int) chunk] = count;
          };
        });
    Count all = new Count();
    for (Count count : counts) { // in order: the same bits for any number of threads
      all.add(count);
    }
    return all;
  }

  /** Cosines by bin. */
  private static final class Count {
    private final long[] bins = new long[BINS];
    private double squares;

    void add(float cosine) {
      int bin = (int) ((cosine + 1) / 2 * BINS);
      bins[Math.clamp(bin, 0, BINS - 1)]++;
      squares += (double) cosine * cosine;
    }

    void add(Count other) {
      for (int b = 0; b < BINS; b++) {
        bins[b] += other.bins[b];
      }
      squares += other.squares;
    }

    PairCosines result(double mean, long pairs) {
      double[] quantiles = new double[SHARES.length];
      for (int q = 0; q < quantiles.length; q++) {
        quantiles[q] = quantile(SHARES[q] * pairs);
      }
      double variance = Math.max(0, squares / pairs - mean * mean);
      return new PairCosines(pairs, mean, Math.sqrt(variance), quantiles);
    }

    /** Returns the cosine that {@code below} pairs do not reach, linear inside a bin. */
    private double quantile(double below) {
      double before = 0;
      for (int b = 0; b < BINS; b++) {
        if (bins[b] > 0 && before + bins[b] >= below) {
          return -1 + (b + (below - before) / bins[b]) * 2.0 / BINS;
        }
        before += bins[b];
      }
      return 1;
    }
  }
}
