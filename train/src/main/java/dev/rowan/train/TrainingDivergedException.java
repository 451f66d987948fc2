package dev.rowan.train;

import dev.rowan.core.Counted;
import java.math.BigDecimal;
import java.math.MathContext;

/** The rows have grown beyond all bounds: these settings cannot be trained with on this text. */
public final class TrainingDivergedException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /**
   * Says so.
   *
   * @param words how many were learned from
   * @param loss the mean loss of a prediction by then, in nats
   * @param rate the learning rate by then
   * @param lower the one to begin with instead
   */
  public TrainingDivergedException(long words, double loss, double rate, double lower) {
    super(
        "training diverged: after %s, at rate %.3g, the loss is %.3g; start again with a lower rate, such as %s"
            .formatted(Counted.of(words, "word"), rate, loss, digits(lower)));
  }

  /**
   * Returns the rate to begin with instead of one that was too high: the usual one, or a quarter of
   * one that is no higher.
   */
  public static double advice(double first, double usual) {
    return first > usual ? usual : first / 4;
  }

  private static String digits(double rate) {
    return new BigDecimal(rate).round(new MathContext(3)).stripTrailingZeros().toPlainString();
  }
}
