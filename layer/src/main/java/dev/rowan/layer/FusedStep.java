package dev.rowan.layer;

/**
 * Gradient and update in one: each touched row's gradient is summed in a scratch row and applied at
 * once, so there is no gradient object. The same arithmetic in the same order as {@code backward}
 * followed by {@link Optimizer#step}, so the same bits; for every rule that does not touch every
 * row. Not safe for concurrent use.
 */
public final class FusedStep {
  private final Embedding embedding;
  private final Optimizer optimizer;
  private final Coalescer coalescer = new Coalescer();

  private FusedStep(Embedding embedding, Optimizer optimizer) {
    this.embedding = embedding;
    this.optimizer = optimizer;
  }

  /**
   * Returns a fused step.
   *
   * @throws IllegalArgumentException if the optimizer is of another table, or its rule touches
   *     every row
   */
  public static FusedStep of(Embedding embedding, Optimizer optimizer) {
    requireSame(embedding.weights(), optimizer);
    return new FusedStep(embedding, optimizer);
  }

  static void requireSame(WeightTable weights, Optimizer optimizer) {
    if (optimizer.weights() != weights) {
      throw new IllegalArgumentException(
          "the optimizer is of %s, not of the layer's %s; make it from layer.weights()"
              .formatted(optimizer.weights(), weights));
    }
    optimizer.requireFusable();
  }

  /**
   * Does one step.
   *
   * @param ids the ids that were looked up
   * @param upstream the gradient of the looked-up rows, ids.length × d numbers
   * @throws IndexOutOfBoundsException if an id is not in [0, V); nothing is changed then
   * @throws IllegalArgumentException if {@code upstream} has another length; nothing is changed
   *     then
   */
  public void apply(long[] ids, float[] upstream) {
    embedding.prepare(ids, upstream, coalescer);
    optimizer.step(coalescer, embedding.sum(coalescer, upstream));
  }
}
