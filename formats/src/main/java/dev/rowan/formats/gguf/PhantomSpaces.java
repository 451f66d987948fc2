package dev.rowan.formats.gguf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * WordPiece as GGUF files spell it (llama.cpp, convert_hf_to_gguf.py): a space that is not in the
 * text marks the start of a word, where BERT marks the continuation.
 *
 * <pre>
 *   BERT      GGUF
 *   cat       ▁cat     starts a word
 *   ##s       s        continues one
 *   [CLS]     [CLS]    names in brackets and control tokens stay; newer converters write ▁[unused0]
 * </pre>
 */
public final class PhantomSpaces {
  private static final byte[] SPACE = "▁".getBytes(StandardCharsets.UTF_8);
  private static final byte[] CONTINUATION = {'#', '#'};

  private PhantomSpaces() {}

  /**
   * Returns what a file writes for a token of BERT.
   *
   * @param special whether it is a token outside the algorithm
   */
  public static byte[] write(byte[] token, boolean special) {
    if (special || isBracketed(token)) {
      return token;
    }
    return startsWith(token, CONTINUATION)
        ? Arrays.copyOfRange(token, CONTINUATION.length, token.length)
        : joined(SPACE, token);
  }

  /**
   * Returns the token of BERT that a file's entry stands for.
   *
   * @param special whether it is a token outside the algorithm
   */
  public static byte[] read(byte[] entry, boolean special) {
    if (entry.length > SPACE.length && startsWith(entry, SPACE)) {
      return Arrays.copyOfRange(entry, SPACE.length, entry.length);
    }
    return special || isBracketed(entry) ? entry : joined(CONTINUATION, entry);
  }

  /**
   * Returns whether entries are spelled this way: some files keep BERT's own spelling, where no
   * token has the space and some continue a word.
   */
  static boolean isUsed(byte[][] entries) {
    boolean continued = false;
    for (byte[] entry : entries) {
      if (startsWith(entry, SPACE)) {
        return true;
      }
      continued |= entry.length > CONTINUATION.length && startsWith(entry, CONTINUATION);
    }
    return !continued;
  }

  private static boolean isBracketed(byte[] token) {
    return token.length > 1 && token[0] == '[' && token[token.length - 1] == ']';
  }

  private static boolean startsWith(byte[] token, byte[] start) {
    return token.length >= start.length
        && Arrays.equals(token, 0, start.length, start, 0, start.length);
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }
}
