package dev.rowan.analysis.audit;

/**
 * A tokenizer as the audit needs it: text to ids, without special tokens. Called by many threads.
 */
@FunctionalInterface
public interface Encoder {
  /** Returns the ids of a text's tokens, in order. */
  long[] encode(String text);
}
