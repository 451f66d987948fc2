package dev.rowan.analysis.geometry;

import dev.rowan.core.SplitMix;

/**
 * Eigenvectors of a symmetric tridiagonal matrix T by inverse iteration from fixed starts; each is
 * kept orthogonal to those before it, so that equal eigenvalues get as many directions.
 */
final class InverseIteration {
  private static final int STEPS = 4; // one is enough unless eigenvalues are close

  private final int n;
  private final double[] diagonal;
  private final double[] beside; // beside[i] couples i and i + 1

  InverseIteration(double[] diagonal, double[] beside) {
    this.n = diagonal.length;
    this.diagonal = diagonal;
    this.beside = beside;
  }

  /** Returns orthonormal eigenvectors of T for eigenvalues in descending order. */
  double[][] eigenvectors(double[] values) {
    double norm = 0;
    for (int i = 0; i < n; i++) {
      norm = Math.max(norm, Math.abs(diagonal[i]) + (i + 1 < n ? Math.abs(beside[i]) : 0));
    }
    double least = Math.max(norm * Tridiagonal.EPSILON, Double.MIN_NORMAL);
    double[][] vectors = new double[values.length][];
    long state = SplitMix.GAMMA;
    for (int k = 0; k < values.length; k++) {
      Factors factors = new Factors(values[k], least);
      double[] x = new double[n];
      for (int i = 0; i < n; i++) {
        state += SplitMix.GAMMA;
        x[i] = SplitMix.symmetric(state);
      }
      for (int step = 0; step < STEPS; step++) {
        factors.solve(x);
        normalise(x);
        for (int pass = 0; pass < 2; pass++) { // twice is enough (Parlett 1980, section 6.9)
          for (int u = 0; u < k; u++) {
            subtract(x, vectors[u]);
          }
        }
        normalise(x);
      }
      vectors[k] = x;
    }
    return vectors;
  }

  private static void subtract(double[] x, double[] unit) {
    double along = 0;
    for (int i = 0; i < x.length; i++) {
      along += x[i] * unit[i];
    }
    for (int i = 0; i < x.length; i++) {
      x[i] -= along * unit[i];
    }
  }

  private static void normalise(double[] x) {
    double largest = 0;
    for (double value : x) {
      largest = Math.max(largest, Math.abs(value));
    }
    if (largest == 0) {
      return;
    }
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      x[i] /= largest; // solutions grow by up to 2^52 and their squares by more
      sum += x[i] * x[i];
    }
    double factor = 1 / Math.sqrt(sum);
    for (int i = 0; i < x.length; i++) {
      x[i] *= factor;
    }
  }

  /** T − λ I = P L U, with partial pivoting: U has two bands above its diagonal. */
  private final class Factors {
    private final double[] u0 = new double[n];
    private final double[] u1 = new double[n];
    private final double[] u2 = new double[n];
    private final double[] below = new double[n];
    private final boolean[] swapped = new boolean[n];

    Factors(double lambda, double least) {
      double here = n == 0 ? 0 : diagonal[0] - lambda;
      double right = n > 1 ? beside[0] : 0;
      for (int i = 0; i + 1 < n; i++) {
        double under = beside[i];
        double nextDiagonal = diagonal[i + 1] - lambda;
        double nextRight = i + 2 < n ? beside[i + 1] : 0;
        if (Math.abs(under) > Math.abs(here)) {
          swapped[i] = true;
          below[i] = here / under;
          u0[i] = under;
          u1[i] = nextDiagonal;
          u2[i] = nextRight;
          here = right - below[i] * nextDiagonal;
          right = -below[i] * nextRight;
        } else {
          u0[i] = pivot(here, least);
          below[i] = under / u0[i];
          u1[i] = right;
          here = nextDiagonal - below[i] * right;
          right = nextRight;
        }
      }
      if (n > 0) {
        u0[n - 1] = pivot(here, least);
      }
    }

    private static double pivot(double value, double least) {
      return Math.abs(value) < least ? Math.copySign(least, value) : value;
    }

    void solve(double[] x) {
      for (int i = 0; i + 1 < n; i++) {
        if (swapped[i]) {
          double moved = x[i];
          x[i] = x[i + 1];
          x[i + 1] = moved - below[i] * x[i];
        } else {
          x[i + 1] -= below[i] * x[i];
        }
      }
      for (int i = n - 1; i >= 0; i--) {
        double sum = x[i];
        if (i + 1 < n) {
          sum -= u1[i] * x[i + 1];
        }
        if (i + 2 < n) {
          sum -= u2[i] * x[i + 2];
        }
        x[i] = sum / u0[i];
        if (Math.abs(x[i]) > 0x1p400) { // several small pivots in a row: keep clear of infinity
          for (int j = 0; j < n; j++) {
            x[j] *= 0x1p-400;
          }
        }
      }
    }
  }
}
