package dev.rowan.analysis.map;

import dev.rowan.analysis.geometry.Pca;
import dev.rowan.core.Scope;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import java.util.Arrays;

/**
 * Points on the plane of the first two principal components of their rows.
 *
 * @param x along the first, mean 0
 * @param y along the second, mean 0; zeros where there is no second
 * @param first the share of variance along x
 * @param second the share along y
 */
@SuppressWarnings("ArrayRecordComponent") // handed on inside this package, never compared
record Plane(double[] x, double[] y, double first, double second) {
  static Plane of(Table rows, Workers workers) {
    Pca pca = Pca.of(rows, Scope.all(), 2, workers);
    int n = (int) rows.rows();
    long[] ids = new long[n];
    Arrays.setAll(ids, i -> i);
    double[] places = pca.project(rows, ids, workers);
    double[][] axes = new double[2][n];
    double[] shares = new double[2];
    for (int a = 0; a < pca.components(); a++) {
      shares[a] = pca.share(a);
      for (int i = 0; i < n; i++) {
        axes[a][i] = places[i * pca.components() + a];
      }
    }
    return new Plane(axes[0], axes[1], shares[0], shares[1]);
  }

  /** Moves the mean to 0. */
  static void centre(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    double mean = sum / values.length;
    for (int i = 0; i < values.length; i++) {
      values[i] -= mean;
    }
  }

  /**
   * Returns the points scaled so that x has a standard deviation, with jitter of 1 % of it, so that
   * equal rows come apart.
   */
  Plane asStart(double deviation, Noise noise) {
    double squares = 0;
    for (double value : x) {
      squares += value * value;
    }
    double now = Math.sqrt(squares / x.length);
    double factor = now > 0 ? deviation / now : 0;
    double jitter = now > 0 ? 0.01 * deviation : deviation;
    double[] startX = new double[x.length];
    double[] startY = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      startX[i] = x[i] * factor + jitter * noise.normal(2L * i);
      startY[i] = y[i] * factor + jitter * noise.normal(2L * i + 1);
    }
    return new Plane(startX, startY, first, second);
  }
}
