package dev.rowan.layer;

/**
 * Row-wise Adagrad: s ← s + mean(g²), one number a row; w ← w − η·g / (√s + ε). State: 1 number a
 * row, so 1 MiB where Adagrad takes 1.2 GB for 262,144 × 1,152.
 *
 * @param rate η
 * @param epsilon ε, above 0
 * @param decay weight decay
 */
public record RowWiseAdagrad(Schedule rate, double epsilon, WeightDecay decay) implements Rule {

  /**
   * Checks the settings.
   *
   * @throws IllegalArgumentException if {@code epsilon} is not above 0
   */
  public RowWiseAdagrad {
    Checks.aboveZero("epsilon", epsilon);
  }

  /** Returns row-wise Adagrad with ε = 1e-8. */
  public static RowWiseAdagrad of(Schedule rate) {
    return new RowWiseAdagrad(rate, 1e-8, WeightDecay.none());
  }

  /** Returns this rule with weight decay. */
  public RowWiseAdagrad with(WeightDecay other) {
    return new RowWiseAdagrad(rate, epsilon, other);
  }

  @Override
  public String label() {
    return "row-wise-adagrad";
  }
}
