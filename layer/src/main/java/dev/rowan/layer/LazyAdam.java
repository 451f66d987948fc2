package dev.rowan.layer;

/**
 * Adam on touched rows: the formula of {@link DenseAdam}, but rows without a gradient keep m, v and
 * w. State: 2·d numbers a row.
 *
 * @param rate η
 * @param beta1 β₁, in [0, 1)
 * @param beta2 β₂, in [0, 1)
 * @param epsilon ε, above 0
 * @param decay weight decay
 */
public record LazyAdam(Schedule rate, double beta1, double beta2, double epsilon, WeightDecay decay)
    implements Rule {

  /**
   * Checks the settings.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public LazyAdam {
    Checks.fraction("beta1", beta1);
    Checks.fraction("beta2", beta2);
    Checks.aboveZero("epsilon", epsilon);
  }

  /** Returns the rule with β₁ = 0.9, β₂ = 0.999 and ε = 1e-8. */
  public static LazyAdam of(Schedule rate) {
    return new LazyAdam(rate, 0.9, 0.999, 1e-8, WeightDecay.none());
  }

  /** Returns this rule with weight decay. */
  public LazyAdam with(WeightDecay other) {
    return new LazyAdam(rate, beta1, beta2, epsilon, other);
  }

  @Override
  public String label() {
    return "lazy-adam";
  }
}
