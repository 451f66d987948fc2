package dev.rowan.analysis.audit;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * From where on a token counts as under-trained.
 *
 * @param value NaN if there is no such place, and then no token counts
 * @param why how it came about, or why there is none
 */
record Cutoff(double value, String why) {
  /** The quantile of the reference rows' own values up to which tokens are like them. */
  private static final double LIKE_REFERENCE = 0.95;

  /** Robust standard deviations below the median from which a value is far out. */
  private static final double FAR_OUT = 6;

  static Cutoff of(Measured ranking, Optional<Reference> reference, TokenClasses classes) {
    if (reference.isPresent()) {
      double[] own = values(ranking, reference.get());
      if (own.length == 0) {
        return new Cutoff(Double.NaN, "none of the reference rows is finite");
      }
      return new Cutoff(
          Quantiles.quantile(own, LIKE_REFERENCE),
          "where 95 %% of the %,d reference rows lie themselves".formatted(own.length));
    }
    double[] known =
        IntStream.range(0, ranking.values().length)
            .filter(id -> classes.of(id).isCandidate() && Double.isFinite(ranking.of(id)))
            .mapToDouble(ranking::of)
            .toArray();
    if (known.length == 0) {
      return new Cutoff(Double.NaN, "no row of a token that text can hold is finite");
    }
    double median = Quantiles.quantile(known, 0.5);
    double sd = Quantiles.medianDeviation(known, median) / 0.6745;
    if (median < FAR_OUT * sd) {
      return new Cutoff(
          Double.NaN,
          "without a reference it is 6 robust standard deviations below the median, and that is below 0 here");
    }
    return new Cutoff(
        median - FAR_OUT * sd,
        "6 robust standard deviations below the median, for want of a reference");
  }

  private static double[] values(Measured ranking, Reference reference) {
    return Arrays.stream(reference.ids())
        .filter(id -> id < ranking.values().length)
        .mapToDouble(ranking::of)
        .filter(Double::isFinite)
        .toArray();
  }
}
