package dev.rowan.layer;

/**
 * How a row moves along its gradient: one record a rule, with its settings.
 *
 * <p>g is the row's gradient, w the row, t the number of the step (from 1, the same for all rows),
 * η the learning rate of the step. {@link #touchesEveryRow} tells whether a step costs V × d or
 * only the rows touched.
 */
public sealed interface Rule
    permits Sgd, Adagrad, RowWiseAdagrad, SparseAdam, LazyAdam, DenseAdam, PartialRowWiseAdam {

  /** Returns the learning rate. */
  Schedule rate();

  /** Returns the weight decay. */
  WeightDecay decay();

  /** Returns whether a step moves rows without a gradient too, so that its cost depends on V. */
  default boolean touchesEveryRow() {
    return false;
  }

  /** Returns the name in state files. */
  String label();
}
