package dev.rowan.layer;

/**
 * The pull of a touched row towards zero. Rows that a step does not touch do not decay (the rules
 * that touch every row decay every row).
 *
 * @param kind how it enters the step
 * @param factor λ, 0 or more
 */
public record WeightDecay(Kind kind, double factor) {

  /** How decay enters the step. */
  public enum Kind {
    /** g ← g + λ·w before the rule: it passes through the rule's state. */
    L2,
    /** w ← (1 − rate·λ)·w beside the rule (Loshchilov and Hutter 2019). */
    DECOUPLED
  }

  /**
   * Checks the factor.
   *
   * @throws IllegalArgumentException if it is negative or not finite
   */
  public WeightDecay {
    Checks.atLeastZero("weight decay", factor);
  }

  /** Returns no decay. */
  public static WeightDecay none() {
    return new WeightDecay(Kind.L2, 0);
  }

  /** Returns L2 decay. */
  public static WeightDecay l2(double factor) {
    return new WeightDecay(Kind.L2, factor);
  }

  /** Returns decoupled decay. */
  public static WeightDecay decoupled(double factor) {
    return new WeightDecay(Kind.DECOUPLED, factor);
  }
}
