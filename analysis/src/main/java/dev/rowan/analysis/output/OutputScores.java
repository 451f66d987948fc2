package dev.rowan.analysis.output;

import dev.rowan.core.Hit;
import java.util.List;

/**
 * What one vector scores at the output.
 *
 * @param top the k highest logits, best first, ties by lower id
 * @param logSumExp ln Σ exp(logit / temperature) over all finite rows; −∞ if there is none
 * @param named the rows that were asked for, in that order
 * @param temperature what logits are divided by for probabilities
 * @param nonFiniteRows rows that hold a NaN or an infinity, and so have no logit
 */
public record OutputScores(
    List<Hit> top, double logSumExp, List<Place> named, double temperature, long nonFiniteRows) {

  /** Copies the lists. */
  public OutputScores {
    top = List.copyOf(top);
    named = List.copyOf(named);
  }

  /**
   * A row's place among all.
   *
   * @param logit NaN for a row that is not finite
   * @param rank 1 for the highest logit, equal ones by lower id; 0 for a row that is not finite
   */
  public record Place(long id, double logit, long rank) {}

  /** Returns the probability of a logit: its share of the softmax over all rows, in [0, 1]. */
  public double probability(double logit) {
    return Double.isNaN(logit) ? 0 : Math.min(1, Math.exp(logit / temperature - logSumExp));
  }
}
