package dev.rowan.layer;

/**
 * PyTorch's SparseAdam on touched rows: m ← β₁m + (1−β₁)g, v ← β₂v + (1−β₂)g², w ← w − η·√(1−β₂ᵗ) /
 * (1−β₁ᵗ) · m / (√v + ε). ε is added before the bias correction of √v, which is where it differs
 * from {@link LazyAdam}. Rows without a gradient keep m, v and w. State: 2·d numbers a row.
 *
 * @param rate η
 * @param beta1 β₁, in [0, 1)
 * @param beta2 β₂, in [0, 1)
 * @param epsilon ε, above 0
 * @param decay weight decay
 */
public record SparseAdam(
    Schedule rate, double beta1, double beta2, double epsilon, WeightDecay decay) implements Rule {

  /**
   * Checks the settings.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public SparseAdam {
    Checks.fraction("beta1", beta1);
    Checks.fraction("beta2", beta2);
    Checks.aboveZero("epsilon", epsilon);
  }

  /** Returns the rule with β₁ = 0.9, β₂ = 0.999 and ε = 1e-8. */
  public static SparseAdam of(Schedule rate) {
    return new SparseAdam(rate, 0.9, 0.999, 1e-8, WeightDecay.none());
  }

  /** Returns this rule with weight decay. */
  public SparseAdam with(WeightDecay other) {
    return new SparseAdam(rate, beta1, beta2, epsilon, other);
  }

  @Override
  public String label() {
    return "sparse-adam";
  }
}
