package dev.rowan.analysis.audit;

import dev.rowan.core.Workers;
import dev.rowan.core.kernel.Exact;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Finds rows whose cosine with an earlier one reaches a limit, all of them, without comparing all
 * pairs in full.
 *
 * <p>Rows of norm 1 with cosine c are √(2 − 2c) apart, and no farther in any projection. Rows are
 * projected on a few orthonormal directions in which they differ much, put into cells of that size
 * along the first three, and compared with rows of their own and adjacent cells: first by the
 * projection, then exactly. Groups are what pairs connect.
 *
 * <p>Cost: V times a small part of V short comparisons; more the lower the limit. Where that passes
 * {@value #MOST_PAIRS} the search is left out and says so.
 *
 * @param findings one for each row but the first of its group
 * @param pairs how many pairs of rows lay in adjacent cells
 * @param done false if there were too many
 */
record NearDuplicates(List<Finding> findings, long pairs, boolean done) {
  static final long MOST_PAIRS = 6_000_000_000L;

  private static final int DIRECTIONS = 8;
  private static final int CELL_DIRECTIONS = 3;
  private static final int SAMPLE = 4096;
  private static final int ROUNDS = 3;
  private static final long SEED = 20240510;
  private static final int MOST_SURVIVORS = 20_000_000; // pairs of one worker's share of cells

  /** Searches a scanned table. Exact duplicates stand for one row. */
  static NearDuplicates of(RowScan scan, Duplicates duplicates, double cosine, Workers workers) {
    int q = Math.min(DIRECTIONS, scan.table().width());
    double[] directions = directions(scan, q, workers);
    float[] projected = projected(scan, directions, q, workers);
    // slack for the rounding of the projection to float
    double reach = Math.sqrt(Math.max(0, 2 - 2 * cosine)) + 1e-6;
    int[] ids = new int[scan.rows()];
    int count = 0;
    for (int id = 0; id < scan.rows(); id++) {
      if (scan.isUsable(id) && duplicates.isFirst(id)) {
        ids[count++] = id;
      }
    }
    Cells cells =
        Cells.of(projected, q, Math.min(CELL_DIRECTIONS, q), reach, Arrays.copyOf(ids, count));
    long pairs = cells.pairs();
    if (pairs > MOST_PAIRS) {
      return new NearDuplicates(List.of(), pairs, false);
    }
    List<long[]> survivors = new ArrayList<>();
    boolean[] overflow = new boolean[1];
    workers.run(
        cells.count(),
        () ->
            cell -> {
              long[] found = cells.close((int) cell, MOST_SURVIVORS);
              synchronized (survivors) {
                if (found.length == MOST_SURVIVORS) {
                  overflow[0] = true;
                } else if (found.length > 0) {
                  survivors.add(found);
                }
              }
            });
    return overflow[0]
        ? new NearDuplicates(List.of(), pairs, false)
        : new NearDuplicates(groups(scan, survivors, cosine), pairs, true);
  }

  /** Returns orthonormal directions in which rows of norm 1 differ much, by power iteration. */
  private static double[] directions(RowScan scan, int q, Workers workers) {
    int d = scan.table().width();
    long stride = Math.max(1, Math.ceilDiv(scan.table().rows(), SAMPLE));
    RowChunks sample = Projection.chunks(scan.table(), stride);
    SplittableRandom random = new SplittableRandom(SEED);
    double[][] basis = new double[q][d];
    for (double[] b : basis) {
      for (int i = 0; i < d; i++) {
        b[i] = random.nextDouble() - 0.5;
      }
    }
    orthonormalise(basis);
    for (int round = 0; round < ROUNDS; round++) {
      for (int v = 0; v < q; v++) {
        basis[v] =
            Projection.sum(
                    sample,
                    basis[v],
                    (row, product) -> {
                      int id = (int) (row * stride);
                      return scan.isUsable(id) ? product / (scan.norm(id) * scan.norm(id)) : 0;
                    },
                    workers)
                .rows();
      }
      orthonormalise(basis);
    }
    double[] flat = new double[q * d];
    for (int v = 0; v < q; v++) {
      System.arraycopy(basis[v], 0, flat, v * d, d);
    }
    return flat;
  }

  private static void orthonormalise(double[][] basis) {
    for (int v = 0; v < basis.length; v++) {
      for (int twice = 0; twice < 2; twice++) {
        for (int u = 0; u < v; u++) {
          Projection.add(basis[v], basis[u], -Projection.dot(basis[v], basis[u]));
        }
      }
      basis[v] =
          Projection.norm(basis[v]) < 1e-12
              ? new double[basis[v].length]
              : Projection.unit(basis[v]);
    }
  }

  private static float[] projected(RowScan scan, double[] directions, int q, Workers workers) {
    double[] products = Projection.of(Projection.chunks(scan.table(), 1), directions, q, workers);
    float[] projected = new float[products.length];
    for (int id = 0; id < scan.rows(); id++) {
      double scale = scan.isUsable(id) ? 1 / scan.norm(id) : 0;
      for (int v = 0; v < q; v++) {
        projected[id * q + v] = (float) (products[id * q + v] * scale);
      }
    }
    return projected;
  }

  /** Connects the pairs whose cosine, in double, reaches the limit. */
  private static List<Finding> groups(RowScan scan, List<long[]> survivors, double cosine) {
    int[] parent = new int[scan.rows()];
    Arrays.setAll(parent, i -> i);
    float[] a = new float[scan.table().width()];
    float[] b = new float[a.length];
    for (long[] pairs : survivors) {
      int held = -1;
      for (long pair : pairs) {
        int low = (int) (pair >>> 32);
        int high = (int) pair;
        int rootOfLow = root(parent, low);
        int rootOfHigh = root(parent, high);
        if (rootOfLow == rootOfHigh) {
          continue; // connected already, whatever their own cosine
        }
        if (held != low) {
          scan.table().copyRow(low, a, 0);
          held = low;
        }
        scan.table().copyRow(high, b, 0);
        if (cosine(scan, low, a, high, b) >= cosine) {
          parent[Math.max(rootOfLow, rootOfHigh)] = Math.min(rootOfLow, rootOfHigh);
        }
      }
    }
    List<Finding> found = new ArrayList<>();
    for (int id = 0; id < parent.length; id++) {
      int first = root(parent, id);
      if (first != id) {
        scan.table().copyRow(first, a, 0);
        scan.table().copyRow(id, b, 0);
        double with = cosine(scan, first, a, id, b);
        found.add(
            new Finding(
                Rule.NEAR_DUPLICATE,
                id,
                with,
                first,
                String.format(
                    java.util.Locale.ROOT,
                    "cosine %.6f with row #%d, first of its group",
                    with,
                    first)));
      }
    }
    return found;
  }

  private static double cosine(RowScan scan, int i, float[] a, int j, float[] b) {
    return Math.clamp(Exact.dot(a, 0, b, 0, a.length) / (scan.norm(i) * scan.norm(j)), -1.0, 1.0);
  }

  private static int root(int[] parent, int id) {
    int at = id;
    while (parent[at] != at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  }
}
