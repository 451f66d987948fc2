package dev.rowan.layer;

/**
 * Adam on touched rows with one second moment a row: m ← β₁m + (1−β₁)g, v ← β₂v + (1−β₂)·mean(g²),
 * w ← w − η / (1−β₁ᵗ) · m / (√(v / (1−β₂ᵗ)) + ε). State: d + 1 numbers a row.
 *
 * @param rate η
 * @param beta1 β₁, in [0, 1)
 * @param beta2 β₂, in [0, 1)
 * @param epsilon ε, above 0
 * @param decay weight decay
 */
public record PartialRowWiseAdam(
    Schedule rate, double beta1, double beta2, double epsilon, WeightDecay decay) implements Rule {

  /**
   * Checks the settings.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public PartialRowWiseAdam {
    Checks.fraction("beta1", beta1);
    Checks.fraction("beta2", beta2);
    Checks.aboveZero("epsilon", epsilon);
  }

  /** Returns the rule with β₁ = 0.9, β₂ = 0.999 and ε = 1e-8. */
  public static PartialRowWiseAdam of(Schedule rate) {
    return new PartialRowWiseAdam(rate, 0.9, 0.999, 1e-8, WeightDecay.none());
  }

  /** Returns this rule with weight decay. */
  public PartialRowWiseAdam with(WeightDecay other) {
    return new PartialRowWiseAdam(rate, beta1, beta2, epsilon, other);
  }

  @Override
  public String label() {
    return "partial-row-wise-adam";
  }
}
