package dev.rowan.analysis.geometry;

import dev.rowan.core.Workers;
import java.util.Arrays;

/**
 * A symmetric tridiagonal matrix T and the reflections Q that made it from a full one: A = Q T Qᵀ.
 *
 * <p>Reflection k is I − τ v vᵀ with v in columns k+1 … n−1 of row k of the matrix it came from.
 */
final class Tridiagonal {
  private static final double EPSILON = 0x1p-52;
  private static final double TINY = 0x1p-400; // nothing beside a largest number of about 1
  private static final int CHUNK = 32; // rows whose share of a product is summed by itself
  private static final int ALONE = 192; // below so many rows, threads cost more than they give
  private static final int MOST_SWEEPS = 60; // a QL step converges in two or three
  private static final int INVERSE_STEPS = 4; // one is enough unless eigenvalues are close

  private final int n;
  private final double[] diagonal;
  private final double[] beside; // beside[i] couples i and i + 1
  private final double[] reflections;
  private final double[] tau;

  private Tridiagonal(int n, double[] reflections) {
    this.n = n;
    this.diagonal = new double[n];
    this.beside = new double[Math.max(0, n - 1)];
    this.reflections = reflections;
    this.tau = new double[n];
  }

  /** Reduces a symmetric matrix, which is overwritten and kept for {@link #turnBack}. */
  static Tridiagonal reduce(double[] matrix, int n, Workers workers) {
    Tridiagonal reduced = new Tridiagonal(n, matrix);
    if (n > 0) {
      reduced.new Reduction(workers).run();
    }
    return reduced;
  }

  /**
   * The reduction. Step k takes row k, makes the reflection v that clears all but one of its
   * numbers, and applies it from both sides: A − v wᵀ − w vᵀ with w = τ A v − (τ²/2)(vᵀ A v) v. The
   * update of one step and the product A v of the next share one pass over the matrix.
   */
  private final class Reduction {
    private final Workers workers;
    private final double[] a = reflections;
    private double[] v = new double[n];
    private double[] next = new double[n];
    private final double[] w = new double[n];
    private final double[] product = new double[n];
    private final double[][] partial = new double[Math.ceilDiv(n, CHUNK)][n];

    Reduction(Workers workers) {
      this.workers = workers;
    }

    void run() {
      boolean pending = false; // whether v, w are yet to be applied to the rows that remain
      for (int k = 0; k < n; k++) {
        if (pending) {
          update(k); // row k alone, so that the reflection of this step can be made
        }
        diagonal[k] = a[k * n + k];
        if (k + 1 >= n) {
          break;
        }
        reflect(k);
        pass(k + 1, pending);
        settle(k);
        double[] swapped = v;
        v = next;
        next = swapped;
        pending = true;
      }
    }

    /** Applies the last reflection to one row. */
    private void update(int row) {
      double vi = v[row];
      double wi = w[row];
      int at = row * n;
      for (int j = row; j < n; j++) {
        a[at + j] -= vi * w[j] + wi * v[j];
      }
    }

    /** Makes the reflection of row k: {@code next}, τ, and the number that stays beside. */
    private void reflect(int k) {
      int at = k * n;
      double norm = 0;
      for (int j = k + 1; j < n; j++) {
        norm += a[at + j] * a[at + j];
      }
      double first = a[at + k + 1];
      norm = Math.sqrt(norm);
      double rest = 0;
      for (int j = k + 2; j < n && rest == 0; j++) {
        rest = Math.abs(a[at + j]);
      }
      Arrays.fill(next, 0, k + 1, 0);
      if (rest == 0 || norm < TINY) {
        tau[k] = 0; // already tridiagonal here
        beside[k] = first;
        Arrays.fill(next, k + 1, n, 0);
        return;
      }
      double head = first + Math.copySign(norm, first); // no cancellation
      beside[k] = -Math.copySign(norm, first);
      double squared = head * head;
      next[k + 1] = head;
      for (int j = k + 2; j < n; j++) {
        next[j] = a[at + j];
        squared += next[j] * next[j];
      }
      tau[k] = 2 / squared;
      System.arraycopy(next, k + 1, a, at + k + 1, n - k - 1);
    }

    /** Applies the last reflection to rows from {@code from} on and multiplies them by next. */
    private void pass(int from, boolean pending) {
      int chunks = Math.ceilDiv(n - from, CHUNK);
      if (n - from < ALONE) {
        for (int c = 0; c < chunks; c++) {
          chunk(from, c, pending);
        }
      } else {
        workers.run(chunks, () -> c -> chunk(from, (int) c, pending));
      }
      Arrays.fill(product, from, n, 0);
      for (int c = 0; c < chunks; c++) {
        double[] part = partial[c];
        for (int j = from; j < n; j++) {
          product[j] += part[j];
        }
      }
    }

    private void chunk(int from, int c, boolean pending) {
      int begin = from + c * CHUNK;
      int end = Math.min(n, begin + CHUNK);
      double[] sum = partial[c];
      Arrays.fill(sum, from, n, 0);
      for (int i = begin; i < end; i++) {
        if (pending) {
          applyAndAdd(i * n, from, v[i], w[i], next[i], sum);
        } else {
          addScaled(i * n, from, next[i], sum);
        }
      }
    }

    private void applyAndAdd(int at, int from, double vi, double wi, double x, double[] sum) {
      double[] matrix = a;
      double[] right = w;
      double[] left = v;
      for (int j = from; j < sum.length; j++) {
        double value = matrix[at + j] - (vi * right[j] + wi * left[j]);
        matrix[at + j] = value;
        sum[j] += x * value;
      }
    }

    private void addScaled(int at, int from, double x, double[] sum) {
      double[] matrix = a;
      for (int j = from; j < sum.length; j++) {
        sum[j] += x * matrix[at + j];
      }
    }

    /** Makes w of this step from the product. */
    private void settle(int k) {
      double t = tau[k];
      double inner = 0;
      for (int j = k + 1; j < n; j++) {
        inner += next[j] * product[j];
      }
      double half = t * t * inner / 2;
      Arrays.fill(w, 0, k + 1, 0);
      for (int j = k + 1; j < n; j++) {
        w[j] = t * product[j] - half * next[j];
      }
    }
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

  /**
   * Returns orthonormal eigenvectors of T for eigenvalues in descending order, by inverse iteration
   * from fixed starts; each is kept orthogonal to those before it, so that equal eigenvalues get as
   * many directions.
   */
  double[][] eigenvectors(double[] values) {
    double norm = 0;
    for (int i = 0; i < n; i++) {
      norm = Math.max(norm, Math.abs(diagonal[i]) + (i + 1 < n ? Math.abs(beside[i]) : 0));
    }
    double least = Math.max(norm * EPSILON, Double.MIN_NORMAL);
    double[][] vectors = new double[values.length][];
    long state = 0x9E3779B97F4A7C15L;
    for (int k = 0; k < values.length; k++) {
      Factors factors = new Factors(values[k], least);
      double[] x = new double[n];
      for (int i = 0; i < n; i++) {
        state += 0x9E3779B97F4A7C15L;
        x[i] = SplitMix.symmetric(state);
      }
      for (int step = 0; step < INVERSE_STEPS; step++) {
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
