package dev.rowan.train;

/** The rows have grown beyond all bounds: these settings cannot be trained with on this text. */
public final class TrainingDivergedException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /**
   * Says so.
   *
   * @param words how many were learned from
   * @param loss the mean loss of a prediction by then, in nats
   * @param rate the learning rate by then
   * @param first the one it began with
   */
  public TrainingDivergedException(long words, double loss, double rate, double first) {
    super(
        "training diverged: after %,d words, at rate %.3g, the loss is %.3g; start again with a lower rate, such as %.3g"
            .formatted(words, rate, loss, first / 4));
  }
}
