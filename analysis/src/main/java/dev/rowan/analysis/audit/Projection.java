package dev.rowan.analysis.audit;

import dev.rowan.core.Workers;
import dev.rowan.core.kernel.Kernels;
import dev.rowan.core.kernel.RowBlock;
import java.util.Arrays;

/** Products of all rows with a few vectors, and the same the other way round. */
final class Projection {
  private static final long CHUNK_BYTES = 512 << 10;
  private static final int GROUPS = 64; // partial sums that are kept apart, whatever the threads

  private Projection() {}

  /**
   * Multiplies rows with vectors, in double.
   *
   * @param vectors count × d numbers, one vector after the other
   * @return rows × count numbers; NaN or infinite for a non-finite row
   */
  static double[] of(RowChunks chunks, double[] vectors, int count, Workers workers) {
    double[] products = new double[Math.toIntExact(Math.multiplyExact(chunks.total(), count))];
    workers.run(
        chunks.count(),
        () -> {
          double[] here = new double[chunks.rows() * count];
          return chunk -> {
            RowBlock block = chunks.block(chunk);
            Kernels.best().products(block, vectors, count, here);
            System.arraycopy(
                here, 0, products, (int) block.firstId() * count, (int) block.count() * count);
          };
        });
    return products;
  }

  /** Gives each row a factor, from its product with a vector. */
  interface Factor {
    /** Returns the factor; 0 leaves the row out. */
    double of(int row, double product);
  }

  /** Returns Σ factor(row · vector) × row over all rows, from one pass. */
  static double[] sum(RowChunks chunks, double[] vector, Factor factor, Workers workers) {
    int groups = Math.min(GROUPS, chunks.count());
    double[][] sums = new double[groups][];
    workers.run(
        groups,
        () -> {
          double[] products = new double[chunks.rows()];
          return group -> {
            double[] sum = new double[vector.length];
            int end = (int) ((group + 1) * chunks.count() / groups);
            for (int chunk = (int) (group * chunks.count() / groups); chunk < end; chunk++) {
              RowBlock block = chunks.block(chunk);
              Kernels.best().products(block, vector, 1, products);
              for (int r = 0; r < block.count(); r++) {
                double product = products[r];
                products[r] =
                    Double.isFinite(product) ? factor.of((int) block.firstId() + r, product) : 0;
              }
              Kernels.best().addScaledRows(block, products, 0, sum);
            }
            sums[(int) group] = sum;
          };
        });
    double[] total = new double[vector.length];
    for (double[] sum : sums) {
      add(total, sum, 1);
    }
    return total;
  }

  static RowChunks chunks(dev.rowan.core.Table table, long stride) {
    return RowChunks.of(table, CHUNK_BYTES, stride);
  }

  static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  static double norm(double[] a) {
    return Math.sqrt(dot(a, a));
  }

  static void add(double[] a, double[] b, double factor) {
    for (int i = 0; i < a.length; i++) {
      a[i] += factor * b[i];
    }
  }

  /** Returns the vector of norm 1; zeros for a zero vector. */
  static double[] unit(double[] a) {
    double norm = norm(a);
    return norm == 0 ? a.clone() : Arrays.stream(a).map(x -> x / norm).toArray();
  }
}
