package dev.rowan.analysis.map;

import dev.rowan.core.Metric;

/**
 * UMAP (McInnes et al. 2018), started from principal components.
 *
 * <p>Cosine compares by 1 − cos, as umap-learn does. Where umap-learn moves both ends of an edge at
 * once, and so depends on the order of threads, here every point is moved by itself, along all its
 * edges, while the points of the other seven eighths stand still: the same bits for any number of
 * threads.
 *
 * @param metric cosine or Euclidean
 * @param seed of the jitter at the start, of the points repelled and of the quality measure
 * @param neighbours how many points make a neighbourhood, the point itself among them, 2 or more;
 *     lowered to n
 * @param minDistance how close points may be drawn, in [0, 1)
 * @param epochs 0 for automatic: 500 up to 10,000 points, 200 beyond
 */
public record UmapSettings(Metric metric, long seed, int neighbours, double minDistance, int epochs)
    implements MapMethod {

  /** Checks the ranges. */
  public UmapSettings {
    MapMethod.checked(metric);
    MapMethod.require(
        neighbours >= 2 && neighbours <= 1000, "neighbours", neighbours, "2 to 1,000");
    MapMethod.require(
        minDistance >= 0 && minDistance < 1, "minimum distance", minDistance, "0 to less than 1");
    MapMethod.require(
        epochs >= 0 && epochs <= 100_000, "epochs", epochs, "1 to 100000, or 0 for automatic");
  }

  /** Returns cosine, seed 1, 15 neighbours, minimum distance 0.1, automatic epochs. */
  public static UmapSettings defaults() {
    return new UmapSettings(Metric.COSINE, 1, 15, 0.1, 0);
  }

  /** Returns the same with another metric. */
  public UmapSettings withMetric(Metric metric) {
    return new UmapSettings(metric, seed, neighbours, minDistance, epochs);
  }

  /** Returns the same with another seed. */
  public UmapSettings withSeed(long seed) {
    return new UmapSettings(metric, seed, neighbours, minDistance, epochs);
  }

  /** Returns the same with another number of neighbours. */
  public UmapSettings withNeighbours(int neighbours) {
    return new UmapSettings(metric, seed, neighbours, minDistance, epochs);
  }

  /** Returns the same with another minimum distance. */
  public UmapSettings withMinDistance(double minDistance) {
    return new UmapSettings(metric, seed, neighbours, minDistance, epochs);
  }

  /** Returns the same with another number of epochs; 0 for automatic. */
  public UmapSettings withEpochs(int epochs) {
    return new UmapSettings(metric, seed, neighbours, minDistance, epochs);
  }

  @Override
  public String label() {
    return "umap";
  }
}
