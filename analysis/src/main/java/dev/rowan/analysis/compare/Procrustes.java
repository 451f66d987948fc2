package dev.rowan.analysis.compare;

import dev.rowan.analysis.geometry.SymmetricEigen;
import dev.rowan.core.Workers;

/**
 * The rotation (with reflections) that brings rows closest to others: Q with orthonormal rows or
 * columns that minimises ‖A Q − B‖ (Schönemann 1966).
 *
 * <p>With M = AᵀB = U S Vᵀ, Q = U Vᵀ. The singular vectors V come from the eigenvectors of MᵀM, and
 * U = M V / S. Directions in which M is numerically zero are left out: Q is then not onto, and rows
 * have no part along them.
 *
 * @param q widthOfA × widthOfB numbers, row-major
 * @param rank how many directions are matched
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier for numeric results, never compared
public record Procrustes(double[] q, int rank) {
  /** Singular values below this part of the largest are rounding error of MᵀM (√2⁻⁵² ≈ 1.5e-8). */
  private static final double NOTHING = 1e-7;

  /**
   * Finds the rotation.
   *
   * @param products AᵀB: a × b numbers, row-major, finite
   * @param a the width of A
   * @param b the width of B
   * @throws IllegalArgumentException if a number is not finite
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static Procrustes of(double[] products, int a, int b, Workers workers) {
    if (a < b) {
      // the smaller side's eigenvectors do; Q of the transposed problem is Qᵀ
      Procrustes turned = of(transposed(products, a, b), b, a, workers);
      return new Procrustes(transposed(turned.q(), b, a), turned.rank());
    }
    double[] squares = new double[b * b];
    workers.run(
        b,
        () ->
            i -> {
              for (int j = 0; j < b; j++) {
                double sum = 0;
                for (int r = 0; r < a; r++) {
                  sum += products[r * b + (int) i] * products[r * b + j];
                }
                squares[(int) i * b + j] = sum;
              }
            });
    SymmetricEigen eigen = SymmetricEigen.of(squares, b, b, workers);
    double[] q = new double[a * b];
    double largest = Math.sqrt(Math.max(0, b == 0 ? 0 : eigen.values()[0]));
    int rank = 0;
    double[] u = new double[a];
    for (int k = 0; k < b; k++) {
      double[] v = eigen.vectors()[k];
      double norm = 0;
      for (int r = 0; r < a; r++) {
        double sum = 0;
        for (int j = 0; j < b; j++) {
          sum += products[r * b + j] * v[j];
        }
        u[r] = sum;
        norm += sum * sum;
      }
      norm = Math.sqrt(norm); // the singular value, more exact than the eigenvalue's root
      if (!(norm > NOTHING * largest)) {
        break;
      }
      rank++;
      for (int r = 0; r < a; r++) {
        double part = u[r] / norm;
        for (int j = 0; j < b; j++) {
          q[r * b + j] += part * v[j];
        }
      }
    }
    return new Procrustes(q, rank);
  }

  private static double[] transposed(double[] matrix, int rows, int columns) {
    double[] turned = new double[matrix.length];
    for (int r = 0; r < rows; r++) {
      for (int c = 0; c < columns; c++) {
        turned[c * rows + r] = matrix[r * columns + c];
      }
    }
    return turned;
  }
}
