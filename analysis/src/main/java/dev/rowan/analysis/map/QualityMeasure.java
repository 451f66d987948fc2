package dev.rowan.analysis.map;

import dev.rowan.analysis.eval.Correlation;
import dev.rowan.core.KnnGraph;
import dev.rowan.core.Metric;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Measures what a map distorts; {@link MapQuality} says how. */
final class QualityMeasure {
  static final int NEIGHBOURS = 10;

  /** Up to so many points all are measured; beyond, a sample of as many. */
  static final int MOST_MEASURED = 2000;

  /** Points whose pairs of distances are correlated: half a million pairs. */
  static final int MOST_CORRELATED = 1000;

  private static final int CHUNK = 256;

  private QualityMeasure() {}

  /**
   * Measures a map.
   *
   * @param graph the true neighbours if they are known: then every point has a reliability
   */
  static MapQuality of(
      Table rows,
      Metric metric,
      double[] x,
      double[] y,
      long seed,
      @Nullable KnnGraph graph,
      Workers workers) {
    int n = x.length;
    int k = Math.min(NEIGHBOURS, Math.ceilDiv(n, 2) - 1); // below n / 2: the formula's limit
    Noise noise = new Noise(seed);
    int[] correlated = noise.part(3).sample(MOST_CORRELATED, n);
    double correlation = correlation(rows, metric, x, y, correlated, workers);
    float[] reliability = new float[n];
    Arrays.fill(reliability, Float.NaN);
    if (k < 1) {
      return new MapQuality(
          k, 0, Double.NaN, Double.NaN, Double.NaN, correlation, correlated.length, reliability);
    }
    int[] measured = noise.part(2).sample(MOST_MEASURED, n);
    long[] untrusted = new long[measured.length];
    long[] torn = new long[measured.length];
    Closeness closeness = new Closeness(rows, metric, measured.length, workers);
    workers.run(
        Math.ceilDiv(measured.length, Closeness.AT_ONCE),
        () -> {
          double[][] keys = new double[Closeness.AT_ONCE][n];
          double[] onMap = new double[n];
          int[] near = new int[k];
          int[] drawn = new int[k];
          return chunk -> {
            int from = (int) chunk * Closeness.AT_ONCE;
            int count = Math.min(Closeness.AT_ONCE, measured.length - from);
            closeness.keys(measured, from, count, keys);
            for (int a = 0; a < count; a++) {
              int point = measured[from + a];
              mapKeys(x, y, point, onMap);
              Places.best(keys[a], point, near);
              Places.best(onMap, point, drawn);
              untrusted[from + a] = Places.lateness(keys[a], point, drawn);
              torn[from + a] = Places.lateness(onMap, point, near);
              reliability[point] = Places.common(near, drawn) / (float) k;
            }
          };
        });
    if (graph != null && graph.degree() >= k) {
      reliability(graph, k, x, y, reliability, workers);
    }
    double recall = 0;
    int known = 0;
    for (float value : reliability) {
      recall += Float.isNaN(value) ? 0 : value;
      known += Float.isNaN(value) ? 0 : 1;
    }
    double scale = 2.0 / ((double) measured.length * k * (2.0 * n - 3.0 * k - 1));
    return new MapQuality(
        k,
        measured.length,
        1 - scale * Arrays.stream(untrusted).sum(),
        1 - scale * Arrays.stream(torn).sum(),
        recall / known,
        correlation,
        correlated.length,
        reliability);
  }

  /** The reliability of every point, from neighbours that are known. */
  private static void reliability(
      KnnGraph graph, int k, double[] x, double[] y, float[] reliability, Workers workers) {
    FlatNeighbours flat = new FlatNeighbours(x, y);
    workers.run(
        Math.ceilDiv(x.length, CHUNK),
        () -> {
          FlatNeighbours.Finder query = flat.new Finder(k);
          int[] near = new int[k];
          return chunk -> {
            int from = (int) chunk * CHUNK;
            for (int i = from; i < Math.min(x.length, from + CHUNK); i++) {
              for (int place = 0; place < k; place++) {
                near[place] = graph.id(i, place);
              }
              int[] drawn = query.nearest(x[i], y[i], i);
              reliability[i] = Places.common(near, drawn) / (float) k;
            }
          };
        });
  }

  private static void mapKeys(double[] x, double[] y, int point, double[] keys) {
    double atX = x[point];
    double atY = y[point];
    for (int j = 0; j < keys.length; j++) {
      double dx = x[j] - atX;
      double dy = y[j] - atY;
      keys[j] = -(dx * dx + dy * dy);
    }
  }

  /** Spearman's correlation of all pairs' distances. */
  private static double correlation(
      Table rows, Metric metric, double[] x, double[] y, int[] points, Workers workers) {
    int m = points.length;
    int pairs = m * (m - 1) / 2;
    double[] apart = new double[pairs];
    double[] drawn = new double[pairs];
    float[] values = new float[Math.multiplyExact(m, rows.width())];
    for (int a = 0; a < m; a++) {
      rows.copyRow(points[a], values, a * rows.width());
    }
    Table chosen = Table.of(rows.width(), values);
    int[] places = new int[m];
    Arrays.setAll(places, a -> a);
    Closeness closeness = new Closeness(chosen, metric, m, workers);
    workers.run(
        Math.ceilDiv(m, Closeness.AT_ONCE),
        () -> {
          double[][] keys = new double[Closeness.AT_ONCE][m];
          return chunk -> {
            int from = (int) chunk * Closeness.AT_ONCE;
            int count = Math.min(Closeness.AT_ONCE, m - from);
            closeness.keys(places, from, count, keys);
            for (int a = from; a < from + count; a++) {
              int at = a * (a - 1) / 2; // row a of the triangle below the diagonal
              for (int b = 0; b < a; b++) {
                double dx = x[points[a]] - x[points[b]];
                double dy = y[points[a]] - y[points[b]];
                apart[at + b] = -keys[a - from][b];
                drawn[at + b] = dx * dx + dy * dy;
              }
            }
          };
        });
    return Correlation.spearman(apart, drawn);
  }
}
