package dev.rowan.analysis.geometry;

import dev.rowan.core.Workers;
import java.util.Arrays;

/**
 * Householder's reduction of a symmetric matrix to a tridiagonal one. Step k takes row k, makes the
 * reflection v that clears all but one of its numbers, and applies it from both sides: A − v wᵀ − w
 * vᵀ with w = τ A v − (τ²/2)(vᵀ A v) v. The update of one step and the product A v of the next
 * share one pass over the matrix.
 */
final class Reduction {
  private static final int CHUNK = 32; // rows whose share of a product is summed by itself
  private static final int ALONE = 192; // below so many rows, threads cost more than they give

  private final int n;
  private final Workers workers;
  private final double[] a;
  private final double[] diagonal;
  private final double[] beside;
  private final double[] tau;
  private double[] v;
  private double[] next;
  private final double[] w;
  private final double[] product;
  private final double[][] partial;

  private Reduction(double[] matrix, int n, Workers workers) {
    this.n = n;
    this.workers = workers;
    this.a = matrix;
    this.diagonal = new double[n];
    this.beside = new double[Math.max(0, n - 1)];
    this.tau = new double[n];
    this.v = new double[n];
    this.next = new double[n];
    this.w = new double[n];
    this.product = new double[n];
    this.partial = new double[Math.ceilDiv(n, CHUNK)][n];
  }

  /** Reduces a symmetric matrix of n rows, which becomes the reflections. */
  static Tridiagonal of(double[] matrix, int n, Workers workers) {
    Reduction reduction = new Reduction(matrix, n, workers);
    reduction.run();
    return new Tridiagonal(reduction.diagonal, reduction.beside, matrix, reduction.tau);
  }

  private void run() {
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
    if (rest == 0 || norm < Tridiagonal.TINY) {
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
