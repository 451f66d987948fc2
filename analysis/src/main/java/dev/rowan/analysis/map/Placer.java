package dev.rowan.analysis.map;

import dev.rowan.core.Hit;
import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Search;
import dev.rowan.core.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Places new rows on a t-SNE map: each starts at the median of its nearest points and then descends
 * on its own divergence, pulled by those points and pushed by all (Poličar et al. 2021). New rows
 * do not see each other, so a row's place does not depend on what else is placed.
 */
final class Placer {
  private static final int NEAREST = 15;
  private static final double PERPLEXITY = 5;
  private static final double EXAGGERATION = 1.5;
  private static final int STEPS = 250;
  private static final double RATE = 0.1;
  private static final double MOMENTUM = 0.8;
  private static final double LONGEST_GRADIENT = 0.25;
  private static final double THETA = 0.5;
  private static final int BATCH = 1024;

  private final TableMap map;
  private final MapPoints reference;
  private final QuadTree tree;
  private final FlatNeighbours flat;
  private final Workers workers;

  Placer(TableMap map, MapPoints reference, Workers workers) {
    this.map = map;
    this.reference = reference;
    this.tree = new QuadTree(map.x(), map.y());
    this.flat = new FlatNeighbours(map.x(), map.y());
    this.workers = workers;
  }

  MapPlacement place(MapPoints added) {
    int n = added.count();
    int k = Math.min(NEAREST, reference.count());
    int measured = Math.min(QualityMeasure.NEIGHBOURS, k);
    double[] x = new double[n];
    double[] y = new double[n];
    float[] reliability = new float[n];
    Search search = Search.over(reference.table(), workers);
    Metric metric = map.method().metric();
    for (int from = 0; from < n; from += BATCH) {
      int first = from;
      int here = Math.min(BATCH, n - from);
      List<Query> queries = new ArrayList<>(here);
      for (int i = first; i < first + here; i++) {
        queries.add(Query.of(added.table().row(i)));
      }
      List<List<Hit>> found = search.nearest(queries, metric, k);
      workers.run(
          here,
          () -> {
            PerplexitySearch precision = new PerplexitySearch(Math.min(PERPLEXITY, k));
            FlatNeighbours.Finder nearest = flat.new Finder(measured);
            return q -> {
              int i = first + (int) q;
              List<Hit> hits = found.get((int) q);
              descend(hits, metric, precision, x, y, i);
              int[] near = hits.stream().limit(measured).mapToInt(hit -> (int) hit.id()).toArray();
              int[] drawn = nearest.nearest(x[i], y[i], -1);
              reliability[i] = Places.common(near, drawn) / (float) measured;
            };
          });
    }
    return new MapPlacement(
        added.ids(), x, y, added.leftOut(), added.notes(), measured, reliability);
  }

  private void descend(
      List<Hit> hits, Metric metric, PerplexitySearch precision, double[] x, double[] y, int i) {
    int k = hits.size();
    double[] squared = new double[k];
    double[] nearX = new double[k];
    double[] nearY = new double[k];
    for (int j = 0; j < k; j++) {
      double score = hits.get(j).score();
      squared[j] = metric == Metric.COSINE ? 2 * (1 - score) : score * score;
      nearX[j] = map.x()[(int) hits.get(j).id()];
      nearY[j] = map.y()[(int) hits.get(j).id()];
    }
    double[] p = new double[k];
    precision.weights(squared, p);
    double atX = median(nearX);
    double atY = median(nearY);
    double stepX = 0;
    double stepY = 0;
    double[] push = new double[3];
    for (int step = 0; step < STEPS; step++) {
      tree.repulsion(atX, atY, -1, THETA, push);
      double pullX = 0;
      double pullY = 0;
      for (int j = 0; j < k; j++) {
        double dx = atX - nearX[j];
        double dy = atY - nearY[j];
        double pq = p[j] / (1 + dx * dx + dy * dy);
        pullX += pq * dx;
        pullY += pq * dy;
      }
      double gradientX = EXAGGERATION * pullX - push[0] / push[2];
      double gradientY = EXAGGERATION * pullY - push[1] / push[2];
      double length = Math.sqrt(gradientX * gradientX + gradientY * gradientY);
      double shorten = length > LONGEST_GRADIENT ? LONGEST_GRADIENT / length : 1;
      stepX = MOMENTUM * stepX - RATE * shorten * gradientX;
      stepY = MOMENTUM * stepY - RATE * shorten * gradientY;
      atX += stepX;
      atY += stepY;
    }
    x[i] = atX;
    y[i] = atY;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
