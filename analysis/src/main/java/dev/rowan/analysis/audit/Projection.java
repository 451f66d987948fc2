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

  /**
   * Returns Σ (x − m)((x − m) · v) over the finite rows x: the scatter matrix times a vector, from
   * one pass.
   */
  static double[] scatter(RowChunks chunks, double[] mean, double[] v, Workers workers) {
    double along = dot(mean, v);
    Sum sum = sum(chunks, v, (_, product) -> product - along, workers);
    add(sum.rows, mean, -sum.factors);
    return sum.rows;
  }

  /**
   * A sum over rows.
   *
   * @param rows Σ factor × row
   * @param factors Σ factor
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Sum(double[] rows, double factors) {}

  /** Sums over all rows, in one pass; a row's factor comes from its product with a vector. */
  static Sum sum(RowChunks chunks, double[] vector, Factor factor, Workers workers) {
    int groups = Math.min(GROUPS, chunks.count());
    Sum[] sums = new Sum[groups];
    workers.run(
        groups,
        () -> {
          double[] products = new double[chunks.rows()];
          return group -> {
            double[] rows = new double[vector.length];
            double factors = 0;
            int end = (int) ((group + 1) * chunks.count() / groups);
            for (int chunk = (int) (group * chunks.count() / groups); chunk < end; chunk++) {
              RowBlock block = chunks.block(chunk);
              Kernels.best().products(block, vector, 1, products);
              for (int r = 0; r < block.count(); r++) {
                double product = products[r];
                products[r] =
                    Double.isFinite(product) ? factor.of((int) block.firstId() + r, product) : 0;
                factors += products[r];
              }
              Kernels.best().addScaledRows(block, products, 0, rows);
            }
            sums[(int) group] = new Sum(rows, factors);
          };
        });
    double[] rows = new double[vector.length];
    double factors = 0;
    for (Sum sum : sums) {
      add(rows, sum.rows, 1);
      factors += sum.factors;
    }
    return new Sum(rows, factors);
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
