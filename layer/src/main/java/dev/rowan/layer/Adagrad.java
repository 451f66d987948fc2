package dev.rowan.layer;

/**
 * Adagrad (Duchi et al. 2011): s ← s + g², w ← w − η·g / (√s + ε), number by number. State: d
 * numbers a row.
 *
 * @param rate η
 * @param epsilon ε, above 0
 * @param initial what s starts as, 0 or more
 * @param decay weight decay
 */
public record Adagrad(Schedule rate, double epsilon, double initial, WeightDecay decay)
    implements Rule {

  /**
   * Checks the settings.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public Adagrad {
    Checks.aboveZero("epsilon", epsilon);
    Checks.atLeastZero("initial", initial);
  }

  /** Returns Adagrad with ε = 1e-10 and s starting at 0, as PyTorch has it. */
  public static Adagrad of(Schedule rate) {
    return new Adagrad(rate, 1e-10, 0, WeightDecay.none());
  }

  /** Returns this rule with weight decay. */
  public Adagrad with(WeightDecay other) {
    return new Adagrad(rate, epsilon, initial, other);
  }

  @Override
  public String label() {
    return "adagrad";
  }
}
