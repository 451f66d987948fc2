package dev.rowan.analysis.output;

import dev.rowan.core.OutOfRange;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * What a model does to h · row before the softmax: logit = cap · tanh(scale · (h · row) / cap), and
 * probabilities from logit / temperature.
 *
 * @param scale multiplies products; above 0
 * @param softCap the cap of Gemma 2 and its kin; above 0
 * @param temperature above 0
 */
public record Scoring(double scale, OptionalDouble softCap, double temperature) {
  /** Products as they are. */
  public static final Scoring PLAIN = new Scoring(1, OptionalDouble.empty(), 1);

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is not above 0 and finite
   */
  public Scoring {
    check("scale", scale);
    check("temperature", temperature);
    softCap.ifPresent(cap -> check("soft cap", cap));
  }

  private static void check(String what, double value) {
    OutOfRange.check(value > 0 && Double.isFinite(value), what, value, "more than 0, finite");
  }

  /** Returns the logit of a product h · row. */
  public double logit(double product) {
    double z = scale * product;
    return softCap.isPresent() ? softCap.getAsDouble() * Math.tanh(z / softCap.getAsDouble()) : z;
  }

  /** Returns what is done, for people; empty if nothing is. */
  public String text() {
    StringBuilder text = new StringBuilder();
    if (scale != 1) {
      text.append(String.format(Locale.ROOT, "scale %.6g", scale));
    }
    softCap.ifPresent(cap ->
        text.append(
            String.format(Locale.ROOT, "%ssoft cap %.6g", text.isEmpty() ? "" : ", ", cap)));
    if (temperature != 1) {
      text.append(
          String.format(
              Locale.ROOT, "%stemperature %.6g", text.isEmpty() ? "" : ", ", temperature));
    }
    return text.toString();
  }
}
