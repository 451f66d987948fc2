package dev.rowan.analysis.map;

import java.util.Arrays;

/**
 * A quadtree over points: they are sorted along a Z-order curve on which every cell is a range.
 *
 * <p>Nodes lie in depth-first order, each with the node that follows its subtree, so that a walk
 * needs no stack. A cell with one occupied quarter is that quarter. Leaves hold up to {@value
 * #LEAF} points, or more if they share a cell of 2^−{@value #LEVELS} of the map, so that equal
 * points do no harm. Immutable; safe for any number of threads.
 */
final class QuadTree {
  private static final int LEAF = 8;
  private static final int LEVELS = 30;

  private final int[] order; // points along the curve
  private final double[] x; // in that order
  private final double[] y;
  private final long[] codes;
  private final double side;
  private int nodes;
  private double[] meanX = new double[64];
  private double[] meanY = new double[64];
  private double[] squaredSide = new double[64]; // 0 for a leaf
  private int[] from = new int[64]; // points [from, to) of the order
  private int[] to = new int[64];
  private int[] next = new int[64];

  QuadTree(double[] pointX, double[] pointY) {
    int n = pointX.length;
    double lowX = Arrays.stream(pointX).min().orElse(0);
    double lowY = Arrays.stream(pointY).min().orElse(0);
    double spanX = Arrays.stream(pointX).max().orElse(0) - lowX;
    double spanY = Arrays.stream(pointY).max().orElse(0) - lowY;
    this.side = Math.max(Math.max(spanX, spanY) * 1.0000001, Double.MIN_NORMAL);
    this.codes = new long[n];
    double scale = (1L << LEVELS) / side;
    for (int i = 0; i < n; i++) {
      codes[i] =
          spread((long) ((pointX[i] - lowX) * scale))
              | (spread((long) ((pointY[i] - lowY) * scale)) << 1);
    }
    this.order = sort();
    this.x = new double[n];
    this.y = new double[n];
    for (int o = 0; o < n; o++) {
      x[o] = pointX[order[o]];
      y[o] = pointY[order[o]];
    }
    if (n > 0) {
      build(0, n);
    }
  }

  /** Puts a zero between the bits of a number below 2^31. */
  private static long spread(long bits) {
    long b = bits;
    b = (b | (b << 16)) & 0x0000FFFF0000FFFFL;
    b = (b | (b << 8)) & 0x00FF00FF00FF00FFL;
    b = (b | (b << 4)) & 0x0F0F0F0F0F0F0F0FL;
    b = (b | (b << 2)) & 0x3333333333333333L;
    return (b | (b << 1)) & 0x5555555555555555L;
  }

  /** Sorts the codes by 16 bits at a time, and returns where each came from; stable. */
  private int[] sort() {
    int n = codes.length;
    int[] places = new int[n];
    Arrays.setAll(places, i -> i);
    int[] otherPlaces = new int[n];
    long[] otherCodes = new long[n];
    for (int shift = 0; shift < 64; shift += 16) {
      int[] count = new int[(1 << 16) + 1];
      for (long code : codes) {
        count[(int) ((code >>> shift) & 0xFFFF) + 1]++;
      }
      for (int b = 0; b < 1 << 16; b++) {
        count[b + 1] += count[b];
      }
      for (int i = 0; i < n; i++) {
        int at = count[(int) ((codes[i] >>> shift) & 0xFFFF)]++;
        otherCodes[at] = codes[i];
        otherPlaces[at] = places[i];
      }
      System.arraycopy(otherCodes, 0, codes, 0, n);
      System.arraycopy(otherPlaces, 0, places, 0, n);
    }
    return places;
  }

  /** Adds the node of a range and its subtree. */
  private void build(int first, int end) {
    int node = nodes++;
    if (node == next.length) {
      grow();
    }
    from[node] = first;
    to[node] = end;
    double sumX = 0;
    double sumY = 0;
    for (int o = first; o < end; o++) {
      sumX += x[o];
      sumY += y[o];
    }
    meanX[node] = sumX / (end - first);
    meanY[node] = sumY / (end - first);
    long differing = codes[first] ^ codes[end - 1];
    if (end - first <= LEAF || differing == 0) {
      squaredSide[node] = 0;
    } else {
      int level = (63 - Long.numberOfLeadingZeros(differing)) / 2; // bits of a side below the cell
      double cell = side / (1L << (LEVELS - 1 - level));
      squaredSide[node] = cell * cell;
      int start = first;
      while (start < end) {
        long quarter = codes[start] >>> (2 * level);
        int stop = start + 1;
        int high = end;
        while (stop < high) { // the first code of another quarter
          int middle = (stop + high) >>> 1;
          if (codes[middle] >>> (2 * level) == quarter) {
            stop = middle + 1;
          } else {
            high = middle;
          }
        }
        build(start, stop);
        start = stop;
      }
    }
    next[node] = nodes;
  }

  private void grow() {
    int size = 2 * next.length;
    meanX = Arrays.copyOf(meanX, size);
    meanY = Arrays.copyOf(meanY, size);
    squaredSide = Arrays.copyOf(squaredSide, size);
    from = Arrays.copyOf(from, size);
    to = Arrays.copyOf(to, size);
    next = Arrays.copyOf(next, size);
  }

  /** Returns how many points there are. */
  int points() {
    return order.length;
  }

  /** Returns the point at a place along the curve. */
  int point(int place) {
    return order[place];
  }

  /**
   * Sums the repulsion of a place of the plane.
   *
   * @param self where the point is along the curve, to be left out; −1 if it is none of the tree's
   * @param theta see {@link TsneSettings.Repulsion.BarnesHut}
   * @param sums receives the force along x and y, Σ q² (y − y_j), and Σ q
   */
  void repulsion(double atX, double atY, int self, double theta, double[] sums) {
    double squaredTheta = theta * theta;
    double forceX = 0;
    double forceY = 0;
    double total = 0;
    int node = 0;
    while (node < nodes) {
      double dx = atX - meanX[node];
      double dy = atY - meanY[node];
      double squared = dx * dx + dy * dy;
      double cell = squaredSide[node];
      boolean isAround = from[node] <= self && self < to[node];
      if (cell > 0 && (isAround || cell >= squaredTheta * squared)) {
        node++;
        continue;
      }
      if (cell > 0) {
        double q = 1 / (1 + squared);
        double count = to[node] - from[node];
        total += count * q;
        forceX += count * q * q * dx;
        forceY += count * q * q * dy;
      } else {
        for (int o = from[node]; o < to[node]; o++) {
          if (o != self) {
            double ox = atX - x[o];
            double oy = atY - y[o];
            double q = 1 / (1 + ox * ox + oy * oy);
            total += q;
            forceX += q * q * ox;
            forceY += q * q * oy;
          }
        }
      }
      node = next[node];
    }
    sums[0] = forceX;
    sums[1] = forceY;
    sums[2] = total;
  }
}
