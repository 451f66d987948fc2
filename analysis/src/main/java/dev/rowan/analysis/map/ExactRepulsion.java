package dev.rowan.analysis.map;

import dev.rowan.core.Workers;
import java.util.Arrays;

/** Every pair: the truth that the others approximate. */
final class ExactRepulsion implements RepulsiveForces {
  /** Points whose sums stay in the first cache; the compiler makes SIMD of the loop over them. */
  private static final int BLOCK = 128;

  private final Workers workers;

  ExactRepulsion(Workers workers) {
    this.workers = workers;
  }

  @Override
  public double forces(double[] x, double[] y, double[] forceX, double[] forceY) {
    int n = x.length;
    double[] totals = new double[n];
    workers.run(
        Math.ceilDiv(n, BLOCK),
        () -> {
          double[] dx = new double[BLOCK];
          double[] dy = new double[BLOCK];
          return chunk -> {
            int from = (int) chunk * BLOCK;
            int count = Math.min(BLOCK, n - from);
            Arrays.fill(forceX, from, from + count, 0);
            Arrays.fill(forceY, from, from + count, 0);
            for (int j = 0; j < n; j++) {
              for (int i = 0; i < count; i++) {
                dx[i] = x[from + i] - x[j];
                dy[i] = y[from + i] - y[j];
              }
              add(dx, dy, count, from, totals, forceX, forceY);
            }
          };
        });
    double z = -n; // each point met itself, at 1
    for (double total : totals) {
      z += total;
    }
    return z;
  }

  private static void add(
      double[] dx,
      double[] dy,
      int count,
      int from,
      double[] totals,
      double[] forceX,
      double[] forceY) {
    for (int i = 0; i < count; i++) {
      double q = 1 / (1 + dx[i] * dx[i] + dy[i] * dy[i]);
      totals[from + i] += q;
      forceX[from + i] += q * q * dx[i];
      forceY[from + i] += q * q * dy[i];
    }
  }
}
