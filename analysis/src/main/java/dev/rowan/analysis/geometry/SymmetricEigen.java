package dev.rowan.analysis.geometry;

import dev.rowan.core.Workers;
import java.util.Arrays;

/**
 * The eigenvalues of a real symmetric matrix, all of them, and the eigenvectors of the largest.
 *
 * <p>Householder reduction to a tridiagonal matrix, its eigenvalues by the implicit QL method, the
 * eigenvectors asked for by inverse iteration (Golub and Van Loan, Matrix Computations, 4th ed.,
 * sections 8.3 and 8.2; the choices of LAPACK's dsytrd, dsterf and dstein). Backward stable: errors
 * are a small multiple of 2⁻⁵² times the largest eigenvalue. Costs 8/3 n³ operations, whatever the
 * number of vectors, and n² doubles. The bits do not depend on the number of threads.
 *
 * @param values n eigenvalues, the largest first
 * @param vectors orthonormal eigenvectors of the first of them; signs are arbitrary but fixed
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier for numeric results, never compared
public record SymmetricEigen(double[] values, double[][] vectors) {

  /**
   * Decomposes a matrix.
   *
   * @param matrix n × n finite numbers, row-major, symmetric; destroyed
   * @param count how many eigenvectors, in [0, n]
   * @throws IllegalArgumentException if a size does not fit, or a number is not finite
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static SymmetricEigen of(double[] matrix, int n, int count, Workers workers) {
    if (n < 0 || (long) n * n != matrix.length) {
      throw new IllegalArgumentException(
          "a matrix of %,d × %,d has %,d numbers but %,d were given"
              .formatted(n, n, (long) n * n, matrix.length));
    }
    if (count < 0 || count > n) {
      throw new IllegalArgumentException(
          "%,d eigenvectors of a matrix of %,d rows; it has 0 to %,d".formatted(count, n, n));
    }
    double largest = 0;
    for (double value : matrix) {
      largest = Math.max(largest, Math.abs(value));
    }
    if (!Double.isFinite(largest)) {
      throw new IllegalArgumentException("the matrix holds a NaN or an infinity");
    }
    if (largest == 0) {
      return new SymmetricEigen(new double[n], identity(n, count));
    }
    // a power of two near 1/largest: exact, and no square overflows or vanishes
    double scale = Math.scalb(1.0, -Math.getExponent(largest));
    for (int i = 0; i < matrix.length; i++) {
      matrix[i] *= scale;
    }
    Tridiagonal reduced = Reduction.of(matrix, n, workers);
    double[] values = reduced.eigenvalues();
    double[][] vectors = reduced.eigenvectors(Arrays.copyOf(values, count));
    for (double[] vector : vectors) {
      reduced.turnBack(vector);
    }
    for (int i = 0; i < n; i++) {
      values[i] /= scale;
    }
    return new SymmetricEigen(values, vectors);
  }

  private static double[][] identity(int n, int count) {
    double[][] vectors = new double[count][n];
    for (int i = 0; i < count; i++) {
      vectors[i][i] = 1;
    }
    return vectors;
  }
}
