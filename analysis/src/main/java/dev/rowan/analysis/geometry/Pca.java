package dev.rowan.analysis.geometry;

import dev.rowan.core.Covariance;
import dev.rowan.core.OutOfRange;
import dev.rowan.core.Scope;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import java.util.Arrays;
import java.util.Objects;

/**
 * The principal components of rows: the orthogonal directions in which they differ most.
 *
 * {@snippet :
 * Pca pca = Pca.of(table, Scope.all(), 2, workers);
 * pca.share(0);                               // part of the variance along the first component
 * double[] place = pca.project(table.row(7)); // two numbers
 * }
 *
 * <p>Exact at any V: nothing is sampled and nothing is projected first. Where there are at least as
 * many rows as columns, from the eigenvectors of the d × d covariance; else from those of the n × n
 * products of the centred rows, which gives the same components for less work. All sums are in
 * double and the bits do not depend on the number of threads. Non-finite rows are left out.
 *
 * <p>The sign of a component is fixed: its number of largest magnitude, the first of several, is
 * positive. Immutable and safe for any number of threads.
 */
public final class Pca {
  /** A direction with less than this part of the variance is rounding error. */
  private static final double NOTHING = 1e-14;

  private static final long CHUNK_ROWS = 256;

  private final double[] mean;
  private final double[][] components;
  private final double[] shares;
  private final double total;
  private final long rows;

  private Pca(double[] mean, double[][] components, double[] shares, double total, long rows) {
    this.mean = mean;
    this.components = components;
    this.shares = shares;
    this.total = total;
    this.rows = rows;
  }

  /**
   * Finds the components of some rows.
   *
   * @param scope the rows
   * @param count how many components, 0 or more; fewer come back where there are fewer directions
   *     in which the rows differ at all, see {@link #components}
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws IndexOutOfBoundsException if the scope lies outside [0, V)
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static Pca of(Table table, Scope scope, int count, Workers workers) {
    OutOfRange.atLeast("count", count, 0);
    return size(table, scope) < table.width()
        ? CentredRows.of(table, scope).pca(count, workers)
        : ofCovariance(Covariance.of(table, scope, workers), count, workers);
  }

  private static long size(Table table, Scope scope) {
    return switch (scope) {
      case Scope.All() -> table.rows();
      case Scope.Range(long from, long to) -> to - from;
      case Scope.Of(long[] ids) -> ids.length;
    };
  }

  /**
   * Finds the components that a covariance holds.
   *
   * @param covariance not changed
   * @param count as for {@link #of(Table, Scope, int, Workers)}
   */
  public static Pca ofCovariance(Covariance covariance, int count, Workers workers) {
    int d = covariance.mean().length;
    int wanted = Math.min(count, d);
    SymmetricEigen eigen = SymmetricEigen.of(covariance.scatter().clone(), d, wanted, workers);
    return of(covariance.mean(), eigen, eigen.vectors(), covariance.trace(), covariance.rows());
  }

  /** Puts a result together; vectors belong to the first eigenvalues. */
  static Pca of(double[] mean, SymmetricEigen eigen, double[][] vectors, double total, long rows) {
    double[] shares = new double[mean.length];
    for (int i = 0; i < Math.min(shares.length, eigen.values().length); i++) {
      // a covariance has no negative eigenvalues; what is left of them is rounding error
      shares[i] = total > 0 ? Math.clamp(eigen.values()[i] / total, 0, 1) : 0;
    }
    int kept = 0;
    while (kept < vectors.length && shares[kept] > NOTHING) {
      kept++;
    }
    double[][] components = new double[kept][];
    for (int i = 0; i < kept; i++) {
      components[i] = pointed(vectors[i]);
    }
    return new Pca(mean, components, shares, total, rows);
  }

  /** Returns the vector with the sign that makes its number of largest magnitude positive. */
  private static double[] pointed(double[] vector) {
    double largest = 0;
    for (double value : vector) {
      largest = Math.abs(value) > Math.abs(largest) ? value : largest;
    }
    double sign = largest < 0 ? -1 : 1;
    return Arrays.stream(vector).map(value -> sign * value + 0.0).toArray(); // no −0
  }

  /** Returns how many components there are: what was asked for, or fewer. */
  public int components() {
    return components.length;
  }

  /** Returns a copy of a component: d numbers of norm 1. */
  public double[] component(int index) {
    return components[index].clone();
  }

  /**
   * Returns the part of the variance that lies along a component, in [0, 1]. All d of them are
   * known, also where fewer components were asked for; 0 from the number of rows on.
   */
  public double share(int index) {
    return shares[index];
  }

  /** Returns a copy of all d shares, largest first. They sum to 1, or are all 0. */
  public double[] shares() {
    return shares.clone();
  }

  /**
   * Returns the variance along a component, with the divisor n − 1; NaN for fewer than two rows.
   */
  public double variance(int index) {
    return rows < 2 ? Double.NaN : shares[index] * total / (rows - 1);
  }

  /** Returns a copy of the mean row. */
  public double[] mean() {
    return mean.clone();
  }

  /** Returns how many rows the components are from: those that are finite. */
  public long rows() {
    return rows;
  }

  /**
   * Projects a row, whether or not it was among those the components are from.
   *
   * @param row d numbers
   * @return one number a component: (row − mean) · component
   */
  public double[] project(float... row) {
    Objects.checkFromIndexSize(0, mean.length, row.length);
    double[] place = new double[components.length];
    for (int c = 0; c < place.length; c++) {
      double[] component = components[c];
      double sum = 0;
      for (int i = 0; i < mean.length; i++) {
        sum += (row[i] - mean[i]) * component[i];
      }
      place[c] = sum;
    }
    return place;
  }

  /**
   * Projects rows of a table.
   *
   * @param ids the rows, in any order
   * @return {@code ids.length × components} numbers, row-major; NaN for a row that is not finite
   * @throws IndexOutOfBoundsException if an id is not in [0, V)
   * @throws IllegalArgumentException if the width of the table is another, or the answer is too
   *     large for an array
   */
  public double[] project(Table table, long[] ids, Workers workers) {
    if (table.width() != mean.length) {
      throw new IllegalArgumentException(
          "the components have %d numbers but the table's width is %d"
              .formatted(mean.length, table.width()));
    }
    long size = (long) ids.length * components.length;
    if (size > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%,d rows × %,d components are too many for one array"
              .formatted(ids.length, components.length));
    }
    double[] places = new double[(int) size];
    workers.run(
        Math.ceilDiv(ids.length, CHUNK_ROWS),
        () -> {
          float[] row = new float[mean.length];
          return chunk -> {
            long end = Math.min(ids.length, (chunk + 1) * CHUNK_ROWS);
            for (long i = chunk * CHUNK_ROWS; i < end; i++) {
              table.copyRow(ids[(int) i], row, 0);
              double[] place = project(row);
              System.arraycopy(place, 0, places, (int) i * place.length, place.length);
            }
          };
        });
    return places;
  }
}
