package dev.rowan.analysis.map;

import dev.rowan.core.Workers;
import java.util.Arrays;

/**
 * Repulsion by points on a grid. The force is a gradient, Σ_j q_ij² (y_i − y_j) = −½ ∇ φ(y_i) with
 * φ(y) = Σ_j 1 / (1 + |y − y_j|²), and Z is Σ φ(y_i) − n: one potential gives both. So this is the
 * smooth particle mesh method (Essmann et al. 1995): every point is spread on 4 × 4 nodes by cubic
 * B-splines, the nodes are convolved with the kernel ({@link GridConvolution}), and value and slope
 * of φ are read off through the same splines. Next to interpolating three charges by polynomials
 * (Linderman et al. 2019) it takes one transform there and one back.
 *
 * <p>At a spacing of {@value #SPACING} the force is within 1 % root mean square of the exact sum;
 * the usual boxes of one unit with three nodes each have 2.5 %. Costs O(n), and the area of the
 * map. Very wide maps get a wider spacing.
 *
 * <p>The same bits for any number of threads: nodes add points in the order of the points' cells,
 * then of their numbers, and Z is added up in that order in fixed parts. Not thread-safe.
 */
final class FourierRepulsion implements RepulsiveForces {
  /** Distance of nodes in units of the map, in which the kernel has a width of 1. */
  static final double SPACING = 0.4;

  /** Small maps get nodes this close: they are quick, and their forces small. */
  private static final double SMALL_SPACING = 0.2;

  private static final double SMALL_SPAN = 12;

  /**
   * Below this span q² is 1 to half a percent and the forces are n (y_i − mean): closer than the
   * grid, whose error does not vanish with the distance.
   */
  private static final double POINT_LIKE = 0.05;

  /** Nodes along an axis at most; beyond, they move apart. */
  private static final int MOST_NODES = GridConvolution.MOST_NODES;

  private static final int STENCIL = 4;
  private static final int BAND = 16; // rows of nodes that one worker fills at a time
  private static final int CHUNK = 512;

  private final Workers workers;
  private final GridConvolution convolution;
  private int[] order = new int[0]; // points by row of nodes
  private int[] rowStart = new int[0]; // where the points of a row of nodes begin in it
  private double lowX;
  private double lowY;
  private double spacing;
  private int rows; // nodes along x
  private int columns; // nodes along y
  private double[] charge = new double[0];
  private float[] potential = new float[0];

  FourierRepulsion(Workers workers) {
    this.workers = workers;
    this.convolution = new GridConvolution(workers);
  }

  @Override
  public double forces(double[] x, double[] y, double[] forceX, double[] forceY) {
    double span = fit(x, y);
    if (span < POINT_LIKE) {
      return pointLike(x, y, forceX, forceY);
    }
    sort(x);
    spread(x, y);
    convolution.apply(charge, potential, rows, columns, spacing);
    return gather(x, y, forceX, forceY);
  }

  private static double pointLike(double[] x, double[] y, double[] forceX, double[] forceY) {
    int n = x.length;
    double sumX = 0;
    double sumY = 0;
    double squares = 0;
    for (int i = 0; i < n; i++) {
      sumX += x[i];
      sumY += y[i];
    }
    for (int i = 0; i < n; i++) {
      double dx = x[i] - sumX / n;
      double dy = y[i] - sumY / n;
      forceX[i] = n * dx;
      forceY[i] = n * dy;
      squares += dx * dx + dy * dy;
    }
    return (double) n * (n - 1) - 2 * n * squares; // Σ (1 − d²), and Σ d² = 2n Σ |y_i − mean|²
  }

  /** Lays the grid over the points and returns the length of its longer side. */
  private double fit(double[] x, double[] y) {
    lowX = Double.POSITIVE_INFINITY;
    lowY = Double.POSITIVE_INFINITY;
    double highX = Double.NEGATIVE_INFINITY;
    double highY = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < x.length; i++) {
      lowX = Math.min(lowX, x[i]);
      highX = Math.max(highX, x[i]);
      lowY = Math.min(lowY, y[i]);
      highY = Math.max(highY, y[i]);
    }
    double span = Math.max(highX - lowX, highY - lowY);
    if (!Double.isFinite(span)) {
      throw new ArithmeticException(
          "the map has a point that is not finite; lower the learning rate");
    }
    spacing = span < SMALL_SPAN ? SMALL_SPACING : Math.max(SPACING, span / (MOST_NODES - STENCIL));
    rows = (int) ((highX - lowX) / spacing) + STENCIL;
    columns = (int) ((highY - lowY) / spacing) + STENCIL;
    int nodes = rows * columns;
    if (charge.length < nodes) {
      charge = new double[nodes + nodes / 4];
      potential = new float[nodes + nodes / 4];
    }
    return span;
  }

  /** Orders points by the first row of nodes they touch: a counting sort. */
  private void sort(double[] x) {
    if (order.length != x.length) {
      order = new int[x.length];
    }
    if (rowStart.length < rows + 1) {
      rowStart = new int[rows + rows / 4 + 1];
    }
    Arrays.fill(rowStart, 0);
    for (double value : x) {
      rowStart[cell(value, lowX) + 1]++;
    }
    for (int r = 0; r < rows; r++) {
      rowStart[r + 1] += rowStart[r];
    }
    int[] next = Arrays.copyOf(rowStart, rows);
    for (int i = 0; i < x.length; i++) {
      order[next[cell(x[i], lowX)]++] = i;
    }
  }

  private int cell(double value, double low) {
    return (int) ((value - low) / spacing);
  }

  private void spread(double[] x, double[] y) {
    workers.run(
        Math.ceilDiv(rows, BAND),
        () -> {
          double[] wx = new double[STENCIL];
          double[] wy = new double[STENCIL];
          return band -> {
            int from = (int) band * BAND;
            int to = Math.min(rows, from + BAND);
            Arrays.fill(charge, from * columns, to * columns, 0);
            int first = rowStart[Math.max(0, from - STENCIL + 1)];
            for (int o = first; o < rowStart[to]; o++) {
              int i = order[o];
              double u = (x[i] - lowX) / spacing;
              double v = (y[i] - lowY) / spacing;
              int row = (int) u;
              int column = (int) v;
              weights(u - row, wx);
              weights(v - column, wy);
              int end = Math.min(row + STENCIL, to);
              for (int r = Math.max(row, from); r < end; r++) {
                double w = wx[r - row];
                int at = r * columns + column;
                charge[at] += w * wy[0];
                charge[at + 1] += w * wy[1];
                charge[at + 2] += w * wy[2];
                charge[at + 3] += w * wy[3];
              }
            }
          };
        });
  }

  private double gather(double[] x, double[] y, double[] forceX, double[] forceY) {
    int n = x.length;
    int chunks = Math.ceilDiv(n, CHUNK);
    double[] parts = new double[chunks];
    workers.run(
        chunks,
        () -> {
          double[] wx = new double[STENCIL];
          double[] wy = new double[STENCIL];
          double[] sx = new double[STENCIL];
          double[] sy = new double[STENCIL];
          return chunk -> {
            double z = 0;
            int from = (int) chunk * CHUNK;
            for (int o = from; o < Math.min(n, from + CHUNK); o++) {
              int i = order[o];
              double u = (x[i] - lowX) / spacing;
              double v = (y[i] - lowY) / spacing;
              int row = (int) u;
              int column = (int) v;
              weights(u - row, wx);
              weights(v - column, wy);
              slopes(u - row, sx);
              slopes(v - column, sy);
              double slopeX = 0;
              double slopeY = 0;
              for (int r = 0; r < STENCIL; r++) {
                int at = (row + r) * columns + column;
                double p0 = potential[at];
                double p1 = potential[at + 1];
                double p2 = potential[at + 2];
                double p3 = potential[at + 3];
                double value = p0 * wy[0] + p1 * wy[1] + p2 * wy[2] + p3 * wy[3];
                double slope = p0 * sy[0] + p1 * sy[1] + p2 * sy[2] + p3 * sy[3];
                z += wx[r] * value;
                slopeX += sx[r] * value;
                slopeY += wx[r] * slope;
              }
              forceX[i] = -0.5 / spacing * slopeX;
              forceY[i] = -0.5 / spacing * slopeY;
            }
            parts[(int) chunk] = z;
          };
        });
    double z = -n; // each point is in its own potential, at 1
    for (double part : parts) {
      z += part;
    }
    return z;
  }

  /** Cubic B-spline at the four nodes around a place, f in [0, 1) after the second. */
  private static void weights(double f, double[] w) {
    double g = 1 - f;
    w[0] = g * g * g / 6;
    w[1] = (4 + f * f * (3 * f - 6)) / 6;
    w[2] = (4 + g * g * (3 * g - 6)) / 6;
    w[3] = f * f * f / 6;
  }

  /** Its derivative by f. */
  private static void slopes(double f, double[] s) {
    double g = 1 - f;
    s[0] = -g * g / 2;
    s[1] = f * (1.5 * f - 2);
    s[2] = -g * (1.5 * g - 2);
    s[3] = f * f / 2;
  }
}
