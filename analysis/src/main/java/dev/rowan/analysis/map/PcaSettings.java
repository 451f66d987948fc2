package dev.rowan.analysis.map;

import dev.rowan.core.Metric;

/**
 * Principal components: rows seen along the two directions in which they differ most. A shadow of
 * the table, so distances on the map are never longer than the true ones.
 *
 * @param metric how neighbours are found when the map's quality is measured: cosine or Euclidean
 * @param seed of the samples of the quality measure
 */
public record PcaSettings(Metric metric, long seed) implements MapMethod {
  /** Checks the metric. */
  public PcaSettings {
    MapMethod.checked(metric);
  }

  /** Returns cosine, seed 1. */
  public static PcaSettings defaults() {
    return new PcaSettings(Metric.COSINE, 1);
  }

  /** Returns the same with another metric. */
  public PcaSettings withMetric(Metric metric) {
    return new PcaSettings(metric, seed);
  }

  /** Returns the same with another seed. */
  public PcaSettings withSeed(long seed) {
    return new PcaSettings(metric, seed);
  }

  @Override
  public String label() {
    return "pca";
  }
}
