package dev.rowan.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The directions in which the rows of a table differ most: principal components of the centred
 * rows.
 *
 * <p>From the d × d {@link Covariance}, in double, and orthogonal iteration from a fixed start: the
 * same bits for any number of threads. Non-finite rows are left out. Where V·d² passes {@value
 * #MOST_PRODUCTS} products, rows are taken at equal distances so that it does not, and {@link
 * #rowsUsed} says how many.
 *
 * @param directions the strongest first
 * @param rowsUsed how many rows the covariance is over
 */
public record Directions(List<Direction> directions, long rowsUsed) {
  /** Multiplications to spend at most: some seconds. */
  static final long MOST_PRODUCTS = 40_000_000_000L;

  private static final int SPARE = 5; // further directions iterated along, for faster convergence
  private static final int MOST_ITERATIONS = 1000;
  private static final double TOLERANCE = 1e-11; // of the share, between two iterations

  /** Copies the list. */
  public Directions {
    directions = List.copyOf(directions);
  }

  /**
   * A direction.
   *
   * @param unit d numbers of norm 1; the one of largest magnitude is positive
   * @param share the part of the variance of all rows that lies along it, in [0, 1]
   */
  @SuppressWarnings("ArrayRecordComponent") // a plain carrier for numeric results, never compared
  public record Direction(double[] unit, double share) {}

  /**
   * Finds the strongest directions.
   *
   * @param count how many, 0 or more; fewer come back where the width or the variance gives fewer
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static Directions of(Table table, int count, Workers workers) {
    OutOfRange.atLeast("count", count, 0);
    int d = table.width();
    Covariance found = Covariance.of(table, sample(table), workers);
    double total = found.trace();
    if (found.rows() < 2 || !(total > 0)) {
      return new Directions(List.of(), found.rows());
    }
    double[] covariance = found.scatter();
    int kept = Math.min(count, d);
    double[][] basis = start(Math.min(d, kept + SPARE), d);
    double[] values = iterate(covariance, basis, kept, total);
    List<Direction> strongest = new ArrayList<>();
    for (int i = 0; i < kept && values[i] > 0; i++) {
      strongest.add(new Direction(pointed(basis[i]), Math.min(1, values[i] / total)));
    }
    return new Directions(strongest, found.rows());
  }

  /** Returns the rows that a covariance of some seconds can be over: all, or every n-th. */
  public static Scope sample(Table table) {
    int d = table.width();
    long rows = table.rows();
    long affordable = Math.max(2, MOST_PRODUCTS / ((long) d * d));
    long stride = Math.max(1, Math.ceilDiv(rows, affordable));
    return stride == 1
        ? Scope.all()
        : Scope.of(LongStream.range(0, Math.ceilDiv(rows, stride)).map(i -> i * stride).toArray());
  }

  /** Returns a fixed, well-mixed, orthonormal start. */
  private static double[][] start(int count, int d) {
    double[][] basis = new double[count][d];
    long state = SplitMix.GAMMA;
    for (double[] vector : basis) {
      for (int i = 0; i < d; i++) {
        state += SplitMix.GAMMA;
        vector[i] = SplitMix.symmetric(state);
      }
    }
    orthonormalise(basis);
    return basis;
  }

  /**
   * Turns a basis towards the dominant eigenvectors and returns their eigenvalues (Golub and Van
   * Loan, Matrix Computations, section 8.2).
   */
  private static double[] iterate(double[] c, double[][] basis, int kept, double total) {
    int d = basis.length == 0 ? 0 : basis[0].length;
    double[] values = new double[basis.length];
    for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
      double moved = 0;
      double[][] next = new double[basis.length][d];
      for (int v = 0; v < basis.length; v++) {
        double value = 0;
        for (int i = 0; i < d; i++) {
          double sum = dot(c, i * d, basis[v], d);
          next[v][i] = sum;
          value += sum * basis[v][i];
        }
        if (v < kept) {
          moved = Math.max(moved, Math.abs(value - values[v]) / total);
        }
        values[v] = value;
      }
      orthonormalise(next);
      System.arraycopy(next, 0, basis, 0, basis.length);
      if (moved < TOLERANCE) {
        break;
      }
    }
    return values;
  }

  private static double dot(double[] a, int from, double[] b, int count) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int i = 0;
    for (; i + 3 < count; i += 4) {
      s0 += a[from + i] * b[i];
      s1 += a[from + i + 1] * b[i + 1];
      s2 += a[from + i + 2] * b[i + 2];
      s3 += a[from + i + 3] * b[i + 3];
    }
    for (; i < count; i++) {
      s0 += a[from + i] * b[i];
    }
    return (s0 + s1) + (s2 + s3);
  }

  /** Makes vectors orthonormal, each against those before it (modified Gram and Schmidt). */
  private static void orthonormalise(double[][] vectors) {
    for (int v = 0; v < vectors.length; v++) {
      double[] vector = vectors[v];
      for (int u = 0; u < v; u++) {
        double along = dot(vectors[u], 0, vector, vector.length);
        for (int i = 0; i < vector.length; i++) {
          vector[i] -= along * vectors[u][i];
        }
      }
      double norm = Math.sqrt(dot(vector, 0, vector, vector.length));
      double factor = norm == 0 ? 0 : 1 / norm;
      for (int i = 0; i < vector.length; i++) {
        vector[i] *= factor;
      }
    }
  }

  /** Returns the vector with the sign that makes its number of largest magnitude positive. */
  private static double[] pointed(double[] vector) {
    double largest = 0;
    for (double value : vector) {
      largest = Math.abs(value) > Math.abs(largest) ? value : largest;
    }
    double sign = largest < 0 ? -1 : 1;
    return Arrays.stream(vector).map(value -> sign * value + 0.0).toArray();
  }
}
