package dev.rowan.analysis.map;

import dev.rowan.core.Metric;
import dev.rowan.core.OutOfRange;

/** A way to draw rows on a plane, with its settings. Start from {@code defaults()} of each. */
public sealed interface MapMethod permits PcaSettings, TsneSettings, UmapSettings {

  /**
   * Returns the name on the command line and in results: {@code pca}, {@code tsne}, {@code umap}.
   */
  String label();

  /** Returns how rows are compared, by the method and by the measure of its quality. */
  Metric metric();

  /** Returns the seed of everything random in it, samples of the quality measure included. */
  long seed();

  /** Returns the metric if maps can be drawn by it. */
  static Metric checked(Metric metric) {
    if (metric == Metric.DOT) {
      throw new IllegalArgumentException(
          "maps compare by COSINE or EUCLIDEAN; DOT is no distance: a row may not be closest to"
              + " itself");
    }
    return metric;
  }

  /** Checks a setting and names it if it is out of range. */
  static void require(boolean legal, String name, Number value, String range) {
    OutOfRange.check(legal, name, value, range);
  }
}
