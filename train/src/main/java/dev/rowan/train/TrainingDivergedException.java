package dev.rowan.train;

/** The rows have grown beyond all bounds: these settings cannot be trained with on this text. */
public final class TrainingDivergedException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /**
   * Says so.
   *
   * @param words how many were learned from
   * @param rate the learning rate by then
   * @param first the one it began with
   */
  public TrainingDivergedException(long words, double rate, double first) {
    super(
        "training diverged: after %,d words, at rate %.3g, the loss is no longer a number; start again with a lower rate, such as %.3g"
            .formatted(words, rate, first / 4));
  }
}
