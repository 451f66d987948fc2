package dev.rowan.train.lm;

/**
 * How well tokens were predicted: e to the mean loss in nats; 1 is certainty, V is a blind guess.
 *
 * @param loss the sum of −ln p over the tokens
 * @param tokens how many
 */
public record Perplexity(double loss, long tokens) {
  /** Returns e^(loss / tokens); NaN for no tokens. */
  public double value() {
    return Math.exp(loss / tokens);
  }
}
