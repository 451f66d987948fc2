package dev.rowan.train.lm;

import dev.rowan.core.OutOfRange;
import dev.rowan.train.TrainingDivergedException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How a language model is made and trained.
 *
 * <p>The rows of the {@code context} tokens before a place, one after the other, are x. With hidden
 * units (Bengio et al. 2003, without its direct connections): h = W₂·tanh(W₁·x + b₁) + b₂; without
 * (log-bilinear, Mnih and Hinton 2007): h = W·x + b. The logit of token j is E_j · h + c_j, E being
 * the output table: the input table itself where they are tied (Press and Wolf 2017).
 *
 * @param width d, numbers of a row
 * @param context n, how many tokens before a place are seen
 * @param hidden units of the hidden layer; 0 for the log-bilinear model
 * @param tying whether input and output are one table
 * @param batch places learned from at once
 * @param epochs passes over the text
 * @param rate the learning rate of Adagrad at the start; it falls linearly to a tenth
 * @param sampled tokens drawn for a sampled softmax; 0 for the full one
 * @param heldOut the share of sentences that are kept back for measuring, above 0 and below 0.5
 * @param seed of the first rows, the order of places, the sentences held out and the samples
 */
public record LanguageSettings(
    int width,
    int context,
    int hidden,
    Tying tying,
    int batch,
    int epochs,
    double rate,
    int sampled,
    double heldOut,
    long seed) {

  /** A hundred numbers a row, four tokens of context, 128 hidden units, tied. */
  public static final LanguageSettings DEFAULT =
      new LanguageSettings(100, 4, 128, Tying.TIED, 64, 3, 0.05, 0, 0.05, 1);

  /** Whether input and output are one table. */
  public enum Tying {
    /** One table reads and scores. */
    TIED,
    /** The output has a table of its own. */
    UNTIED
  }

  /** Checks the ranges. */
  public LanguageSettings {
    OutOfRange.check("width", width, 1, 8192);
    OutOfRange.check("context", context, 1, 64);
    OutOfRange.check("hidden", hidden, 0, 65_536);
    OutOfRange.check("batch", batch, 1, 65_536);
    OutOfRange.check("epochs", epochs, 1, 100_000);
    OutOfRange.check("sampled", sampled, 0, 1_000_000);
    OutOfRange.check(rate > 0 && rate <= 10, "rate", rate, "more than 0, up to 10");
    OutOfRange.check(
        heldOut > 0 && heldOut < 0.5, "held out", heldOut, "more than 0 and less than 0.5");
  }

  /** Returns these settings tied or untied. */
  public LanguageSettings with(Tying other) {
    return new LanguageSettings(
        width, context, hidden, other, batch, epochs, rate, sampled, heldOut, seed);
  }

  /** Returns a rate for a training that diverged with these settings. */
  double lowerRate() {
    return TrainingDivergedException.advice(rate, DEFAULT.rate);
  }

  /** Returns every setting by name, for a file's metadata. */
  public Map<String, String> asText() {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("objective", "next-token");
    texts.put("width", String.valueOf(width));
    texts.put("context", String.valueOf(context));
    texts.put("hidden", String.valueOf(hidden));
    texts.put("tying", tying.name().toLowerCase(Locale.ROOT));
    texts.put("batch", String.valueOf(batch));
    texts.put("epochs", String.valueOf(epochs));
    texts.put("rate", String.valueOf(rate));
    texts.put("sampled", String.valueOf(sampled));
    texts.put("held-out", String.valueOf(heldOut));
    texts.put("seed", String.valueOf(seed));
    return texts;
  }

  /**
   * Reads settings as {@link #asText} writes them; other names are ignored.
   *
   * @throws IllegalArgumentException if one is missing or out of range
   */
  public static LanguageSettings of(Map<String, String> texts) {
    return new LanguageSettings(
        whole(texts, "width"),
        whole(texts, "context"),
        whole(texts, "hidden"),
        Tying.valueOf(text(texts, "tying").toUpperCase(Locale.ROOT)),
        whole(texts, "batch"),
        whole(texts, "epochs"),
        Double.parseDouble(text(texts, "rate")),
        whole(texts, "sampled"),
        Double.parseDouble(text(texts, "held-out")),
        Long.parseLong(text(texts, "seed")));
  }

  private static int whole(Map<String, String> texts, String name) {
    return Integer.parseInt(text(texts, name));
  }

  private static String text(Map<String, String> texts, String name) {
    String value = texts.get(name);
    if (value == null) {
      throw new IllegalArgumentException("there is no setting \"" + name + "\"");
    }
    return value;
  }
}
