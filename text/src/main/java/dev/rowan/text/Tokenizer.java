package dev.rowan.text;

import dev.rowan.core.Vocabulary;
import java.io.IOException;
import java.util.OptionalInt;

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

  /**
   * Returns the token that stands for text without a token of its own, if the tokenizer has one. It
   * may be any token, and one that is a word too.
   *
   * @param vocabulary the model's tokens
   * @throws IOException if the tokenizer's file has to be read for it and cannot be
   */
  default OptionalInt unknown(Vocabulary vocabulary) throws IOException {
    return OptionalInt.empty();
  }

  /** Frees what the tokenizer holds; a second call does nothing. */
  @Override
  void close();
}
