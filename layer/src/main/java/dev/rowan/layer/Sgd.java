package dev.rowan.layer;

/**
 * Stochastic gradient descent: b ← μ·b + g, w ← w − η·b; without momentum w ← w − η·g.
 *
 * @param rate η
 * @param momentum μ, in [0, 1); 0 keeps no state
 * @param reach which rows the momentum moves
 * @param decay weight decay
 */
public record Sgd(Schedule rate, double momentum, Reach reach, WeightDecay decay) implements Rule {

  /** Which rows momentum moves in a step. */
  public enum Reach {
    /** Rows with a gradient in this step; others keep row and velocity. */
    LAZY,
    /** Every row, as PyTorch does: a row keeps rolling after its gradient. Costs V × d a step. */
    EVERY_ROW
  }

  /**
   * Checks the settings.
   *
   * @throws IllegalArgumentException if {@code momentum} is not in [0, 1)
   */
  public Sgd {
    Checks.fraction("momentum", momentum);
  }

  /** Returns plain descent. */
  public static Sgd of(Schedule rate) {
    return new Sgd(rate, 0, Reach.LAZY, WeightDecay.none());
  }

  /** Returns descent whose momentum moves only rows with a gradient. */
  public static Sgd lazyMomentum(Schedule rate, double momentum) {
    return new Sgd(rate, momentum, Reach.LAZY, WeightDecay.none());
  }

  /** Returns descent whose momentum moves every row in every step. */
  public static Sgd momentum(Schedule rate, double momentum) {
    return new Sgd(rate, momentum, Reach.EVERY_ROW, WeightDecay.none());
  }

  /** Returns this rule with weight decay. */
  public Sgd with(WeightDecay other) {
    return new Sgd(rate, momentum, reach, other);
  }

  @Override
  public boolean touchesEveryRow() {
    return momentum > 0 && reach == Reach.EVERY_ROW;
  }

  @Override
  public String label() {
    return momentum > 0 ? "sgd-momentum" : "sgd";
  }
}
