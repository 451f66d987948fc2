package dev.rowan.analysis.map;

/**
 * Is told how far a map has come, by the thread that asked for it. A listener that interrupts that
 * thread ends the work with a {@link java.util.concurrent.CancellationException}.
 */
public interface MapListener {
  /** Hears nothing. */
  MapListener NONE = new MapListener() {};

  /** Tells how many rows have their neighbours. */
  default void neighbours(long done, long of) {}

  /** Tells that an iteration is done. Called after each one, so it should be quick. */
  default void step(Step step) {}

  /**
   * An iteration that is done.
   *
   * @param iteration 1 for the first
   * @param of how many there will be
   * @param loss what the method minimises (t-SNE: the KL divergence before the iteration, without
   *     exaggeration), computed every 50th iteration; NaN at others
   * @param x where the points are; the working arrays themselves: copy them to keep them
   * @param y as x
   */
  @SuppressWarnings("ArrayRecordComponent") // a view for the duration of a call, never compared
  record Step(int iteration, int of, double loss, double[] x, double[] y) {}
}
