package dev.rowan.train.glove;

import dev.rowan.core.OutOfRange;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How to learn. Start from {@link #DEFAULT} and change what differs.
 *
 * @param width d, 1 to 10,000
 * @param window words at most so far apart come near each other, by 1/distance; 1 to 1,000
 * @param epochs how often the pairs are gone through, 1 to 10,000
 * @param rate eta of AdaGrad, above 0 to 10
 * @param most x_max: from which sum on a pair has the whole weight, above 0
 * @param power alpha: below that its weight is (sum / most) to this power, 0 to 10
 * @param rows which rows become the table
 * @param seed where randomness begins
 */
public record GloveSettings(
    int width,
    int window,
    int epochs,
    double rate,
    double most,
    double power,
    Rows rows,
    long seed) {

  /** The reference's, but for d = 100: window 15, 25 epochs, eta 0.05, x_max 100, alpha 0.75. */
  public static final GloveSettings DEFAULT =
      new GloveSettings(100, 15, 25, 0.05, 100, 0.75, Rows.SUM, 1);

  /** Which rows become the table. */
  public enum Rows {
    /** The sum of a word's row and its row as a context, as the reference writes it. */
    SUM,
    /** The word's row alone. */
    WORD
  }

  /** Checks the ranges. */
  public GloveSettings {
    OutOfRange.check("width", width, 1, 10_000);
    OutOfRange.check("window", window, 1, 1_000);
    OutOfRange.check("epochs", epochs, 1, 10_000);
    OutOfRange.check(rate > 0 && rate <= 10, "rate", rate, "more than 0, up to 10");
    OutOfRange.check(most > 0 && Double.isFinite(most), "x max", most, "more than 0, finite");
    OutOfRange.check(power >= 0 && power <= 10, "alpha", power, "0 to 10");
  }

  /** Returns every setting by name, as files keep it; {@link #of} reads it back. */
  public Map<String, String> asText() {
    Map<String, String> text = new LinkedHashMap<>();
    text.put("objective", "glove");
    text.put("width", String.valueOf(width));
    text.put("window", String.valueOf(window));
    text.put("epochs", String.valueOf(epochs));
    text.put("rate", String.valueOf(rate));
    text.put("x-max", String.valueOf(most));
    text.put("alpha", String.valueOf(power));
    text.put("rows", rows.name().toLowerCase(Locale.ROOT));
    text.put("seed", String.valueOf(seed));
    return text;
  }

  /**
   * Reads settings that {@link #asText} wrote; other names are ignored.
   *
   * @throws IllegalArgumentException if one is missing or not legal
   */
  public static GloveSettings of(Map<String, String> text) {
    return new GloveSettings(
        Integer.parseInt(value(text, "width")),
        Integer.parseInt(value(text, "window")),
        Integer.parseInt(value(text, "epochs")),
        Double.parseDouble(value(text, "rate")),
        Double.parseDouble(value(text, "x-max")),
        Double.parseDouble(value(text, "alpha")),
        Rows.valueOf(value(text, "rows").toUpperCase(Locale.ROOT)),
        Long.parseLong(value(text, "seed")));
  }

  private static String value(Map<String, String> text, String name) {
    String value = text.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the setting \"%s\" is missing".formatted(name));
    }
    return value;
  }
}
