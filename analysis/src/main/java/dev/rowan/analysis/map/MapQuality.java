package dev.rowan.analysis.map;

/**
 * What a map distorts, measured against all dimensions.
 *
 * <p>With N_k the k true neighbours of a point and M_k its k neighbours on the map (Venna and Kaski
 * 2001): trustworthiness lowers 1 for every point of M_k that is not in N_k by its true rank,
 * continuity for every point of N_k that is not in M_k by its rank on the map. Both are 1 for a
 * perfect map; a random one has about 0.5. Recall is |N_k ∩ M_k| / k.
 *
 * <p>All points are measured where there are few; otherwise a seeded sample, against all points.
 *
 * @param neighbours k: 10, or less where there are few points: below half of them
 * @param measured how many points trustworthiness and continuity are a mean over
 * @param trustworthiness in [0, 1]; NaN if there are fewer than 3 points
 * @param continuity in [0, 1]; NaN if there are fewer than 3 points
 * @param neighbourRecall the mean of {@code reliability} over the points that have one
 * @param rankCorrelation Spearman's, of the distances of all pairs of {@code correlated} points, on
 *     the map against true ones; in [−1, 1]; NaN where it has no value
 * @param correlated how many points that is over
 * @param reliability for each point the share of its k true neighbours that are among its k nearest
 *     on the map; NaN for a point that was not measured; owned by the receiver
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier for numeric results, never compared
public record MapQuality(
    int neighbours,
    int measured,
    double trustworthiness,
    double continuity,
    double neighbourRecall,
    double rankCorrelation,
    int correlated,
    float[] reliability) {

  /** Returns the recall that a random layout has on average: k / (n − 1). */
  public double recallByChance() {
    return reliability.length < 2 ? Double.NaN : neighbours / (reliability.length - 1.0);
  }

  /** Returns whether every point was measured. */
  public boolean isComplete() {
    return measured == reliability.length;
  }
}
