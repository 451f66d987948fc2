package dev.rowan.text;

/**
 * Splits text into the ids of a model's tokens.
 *
 * <p>Safe for any number of threads, but not during {@link #close}.
 */
public interface Tokenizer extends AutoCloseable {

  /** Whether the tokens that a model frames its text with are part of the result. */
  enum SpecialTokens {
    /** The text alone. */
    OMIT,
    /** With what the tokenizer file puts around it, such as {@code [CLS]} and {@code [SEP]}. */
    ADD
  }

  /**
   * Returns the ids of the tokens of a text, in order; nothing is cut off and nothing padded.
   *
   * @throws IllegalStateException if the tokenizer is closed
   */
  long[] encode(String text, SpecialTokens special);

  /** Returns the ids of the tokens of a text alone, without special tokens. */
  default long[] encode(String text) {
    return encode(text, SpecialTokens.OMIT);
  }

  /** Frees what the tokenizer holds; a second call does nothing. */
  @Override
  void close();
}
