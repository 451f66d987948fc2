package dev.rowan.layer;

/** {@link FusedStep} for bags. Not safe for concurrent use. */
public final class FusedBagStep {
  private final EmbeddingBag bag;
  private final Optimizer optimizer;
  private final Coalescer coalescer = new Coalescer();

  private FusedBagStep(EmbeddingBag bag, Optimizer optimizer) {
    this.bag = bag;
    this.optimizer = optimizer;
  }

  /**
   * Returns a fused step.
   *
   * @throws IllegalArgumentException if the optimizer is of another table, or its rule touches
   *     every row
   */
  public static FusedBagStep of(EmbeddingBag bag, Optimizer optimizer) {
    FusedStep.requireSame(bag.weights(), optimizer);
    return new FusedBagStep(bag, optimizer);
  }

  /**
   * Does one step.
   *
   * @param upstream the gradient of the pooled rows, bags × d numbers
   * @throws IndexOutOfBoundsException if an id is not in [0, V); nothing is changed then
   * @throws IllegalArgumentException if {@code upstream} has another length; nothing is changed
   *     then
   */
  public void apply(Bags bags, float[] upstream) {
    optimizer.step(coalescer, bag.prepare(bags, upstream, coalescer));
  }
}
