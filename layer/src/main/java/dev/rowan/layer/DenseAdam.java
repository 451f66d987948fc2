package dev.rowan.layer;

/**
 * Adam (Kingma and Ba 2015) on every row: m ← β₁m + (1−β₁)g, v ← β₂v + (1−β₂)g², w ← w − η /
 * (1−β₁ᵗ) · m / (√v / √(1−β₂ᵗ) + ε). Rows without a gradient decay and move as well, so a step
 * costs V × d. State: 2·d numbers a row.
 *
 * @param rate η
 * @param beta1 β₁, in [0, 1)
 * @param beta2 β₂, in [0, 1)
 * @param epsilon ε, above 0
 * @param decay weight decay
 */
public record DenseAdam(
    Schedule rate, double beta1, double beta2, double epsilon, WeightDecay decay) implements Rule {

  /**
   * Checks the settings.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public DenseAdam {
    Checks.fraction("beta1", beta1);
    Checks.fraction("beta2", beta2);
    Checks.aboveZero("epsilon", epsilon);
  }

  /** Returns the rule with β₁ = 0.9, β₂ = 0.999 and ε = 1e-8. */
  public static DenseAdam of(Schedule rate) {
    return new DenseAdam(rate, 0.9, 0.999, 1e-8, WeightDecay.none());
  }

  /** Returns this rule with weight decay. */
  public DenseAdam with(WeightDecay other) {
    return new DenseAdam(rate, beta1, beta2, epsilon, other);
  }

  @Override
  public boolean touchesEveryRow() {
    return true;
  }

  @Override
  public String label() {
    return "adam";
  }
}
