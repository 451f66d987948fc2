package dev.rowan.analysis.map;

import dev.rowan.core.Workers;

/** Far points as cells of a {@link QuadTree} that is built anew each time. */
final class BarnesHutRepulsion implements RepulsiveForces {
  private static final int CHUNK = 128;

  private final double theta;
  private final Workers workers;

  BarnesHutRepulsion(double theta, Workers workers) {
    this.theta = theta;
    this.workers = workers;
  }

  @Override
  public double forces(double[] x, double[] y, double[] forceX, double[] forceY) {
    int n = x.length;
    QuadTree tree = new QuadTree(x, y);
    int chunks = Math.ceilDiv(n, CHUNK);
    double[] parts = new double[chunks];
    workers.run(
        chunks,
        () -> {
          double[] sums = new double[3];
          return chunk -> {
            int from = (int) chunk * CHUNK;
            for (int o = from; o < Math.min(n, from + CHUNK); o++) {
              int i = tree.point(o); // neighbours along the curve walk the same nodes
              tree.repulsion(x[i], y[i], o, theta, sums);
              forceX[i] = sums[0];
              forceY[i] = sums[1];
              parts[(int) chunk] += sums[2];
            }
          };
        });
    double z = 0;
    for (double part : parts) {
      z += part;
    }
    return z;
  }
}
