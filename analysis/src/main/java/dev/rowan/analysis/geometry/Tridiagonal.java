package dev.rowan.analysis.geometry;

import java.util.Arrays;

/**
 * A symmetric tridiagonal matrix T and the reflections Q that made it from a full one: A = Q T Qᵀ.
 *
 * <p>Reflection k is I − τ v vᵀ with v in columns k+1 … n−1 of row k of the matrix it came from.
 */
final class Tridiagonal {
  static final double EPSILON = 0x1p-52;
  static final double TINY = 0x1p-400; // nothing beside a largest number of about 1
  private static final int MOST_SWEEPS = 60; // a QL step converges in two or three

  private final int n;
  private final double[] diagonal;
  private final double[] beside; // beside[i] couples i and i + 1
  private final double[] reflections;
  private final double[] tau;

  Tridiagonal(double[] diagonal, double[] beside, double[] reflections, double[] tau) {
    this.n = diagonal.length;
    this.diagonal = diagonal;
    this.beside = beside;
    this.reflections = reflections;
    this.tau = tau;
  }

  /** Returns the eigenvalues of T, the largest first, by implicit QL with Wilkinson's shift. */
  double[] eigenvalues() {
    double[] d = diagonal.clone();
    double[] e = Arrays.copyOf(beside, n);
    for (int l = 0; l < n; l++) {
      int sweeps = 0;
      int m;
      while ((m = firstSplit(d, e, l)) != l) {
        if (++sweeps > MOST_SWEEPS) {
          throw new ArithmeticException(
              "eigenvalue %d of %d did not converge in %d sweeps".formatted(l, n, MOST_SWEEPS));
        }
        sweep(d, e, l, m);
      }
    }
    Arrays.sort(d);
    double[] descending = new double[n];
    for (int i = 0; i < n; i++) {
      descending[i] = d[n - 1 - i];
    }
    return descending;
  }

  private int firstSplit(double[] d, double[] e, int from) {
    int m = from;
    while (m < n - 1) {
      double around = Math.abs(d[m]) + Math.abs(d[m + 1]);
      // the absolute bound ends blocks of numbers that are all rounding errors of the scaled matrix
      if (Math.abs(e[m]) <= EPSILON * around || Math.abs(e[m]) < TINY) {
        break;
      }
      m++;
    }
    return m;
  }

  private static void sweep(double[] d, double[] e, int l, int m) {
    double g = (d[l + 1] - d[l]) / (2 * e[l]);
    double r = Math.hypot(g, 1);
    g = d[m] - d[l] + e[l] / (g + Math.copySign(r, g));
    double s = 1;
    double c = 1;
    double p = 0;
    for (int i = m - 1; i >= l; i--) {
      double f = s * e[i];
      double b = c * e[i];
      r = Math.hypot(f, g);
      e[i + 1] = r;
      if (r == 0) { // the matrix split in mid-sweep
        d[i + 1] -= p;
        e[m] = 0;
        return;
      }
      s = f / r;
      c = g / r;
      g = d[i + 1] - p;
      r = (d[i] - g) * s + 2 * c * b;
      p = s * r;
      d[i + 1] = g + p;
      g = c * r - b;
    }
    d[l] -= p;
    e[l] = g;
    e[m] = 0;
  }

  /** Returns orthonormal eigenvectors of T for eigenvalues in descending order. */
  double[][] eigenvectors(double[] values) {
    return new InverseIteration(diagonal, beside).eigenvectors(values);
  }

  /** Turns an eigenvector of T into one of the full matrix: x becomes Q x. */
  void turnBack(double[] x) {
    for (int k = n - 2; k >= 0; k--) {
      if (tau[k] != 0) {
        double along = 0;
        for (int j = k + 1; j < n; j++) {
          along += reflections[k * n + j] * x[j];
        }
        along *= tau[k];
        for (int j = k + 1; j < n; j++) {
          x[j] -= along * reflections[k * n + j];
        }
      }
    }
  }
}
