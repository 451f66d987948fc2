package dev.rowan.formats.fasttext;

import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * From a word to the rows of its character n-grams, as fastText's dictionary.cc does it.
 *
 * <p>The word is put between {@code <} and {@code >}; its n-grams of {@code shortest} to {@code
 * longest} characters (of UTF-8: a byte 10xxxxxx continues one) are taken, but no single character
 * at either end. An n-gram's row is its hash modulo the number of buckets, behind the words.
 *
 * @param shortest characters of the shortest n-gram
 * @param longest characters of the longest; 0 if there are no n-grams
 * @param bucket how many n-gram rows there were in training
 * @param words how many rows of words stand before them
 * @param kept the row of each kept bucket, null if all were
 */
public record Subwords(
    int shortest, int longest, int bucket, int words, @Nullable Map<Integer, Integer> kept) {

  /**
   * Returns the rows of a word's n-grams, in fastText's order, repeats included.
   *
   * @param word UTF-8
   */
  public long[] rows(byte[] word) {
    byte[] text = new byte[word.length + 2];
    text[0] = '<';
    System.arraycopy(word, 0, text, 1, word.length);
    text[text.length - 1] = '>';
    long[] rows = new long[16];
    int count = 0;
    for (int from = 0; from < text.length; from++) {
      if (continues(text[from])) {
        continue;
      }
      int hash = 0x811C9DC5;
      int at = from;
      for (int n = 1; at < text.length && n <= longest; n++) {
        do {
          hash = step(hash, text[at++]);
        } while (at < text.length && continues(text[at]));
        boolean edge = n == 1 && (from == 0 || at == text.length);
        if (n >= shortest && !edge) {
          long row = row(hash);
          if (row >= 0) {
            if (count == rows.length) {
              rows = Arrays.copyOf(rows, 2 * count);
            }
            rows[count++] = row;
          }
        }
      }
    }
    return Arrays.copyOf(rows, count);
  }

  private long row(int hash) {
    int slot = (int) (Integer.toUnsignedLong(hash) % bucket);
    if (kept == null) {
      return (long) words + slot;
    }
    Integer row = kept.get(slot);
    return row == null ? -1 : (long) words + row;
  }

  private static boolean continues(byte b) {
    return (b & 0xC0) == 0x80;
  }

  /**
   * Returns the hash of an n-gram: FNV-1a of 32 bits, but each byte is sign-extended before it is
   * mixed in, as the first fastText did by accident and all others since must.
   */
  static int hash(byte[] text) {
    int hash = 0x811C9DC5;
    for (byte b : text) {
      hash = step(hash, b);
    }
    return hash;
  }

  private static int step(int hash, byte b) {
    return (hash ^ b) * 0x01000193;
  }
}
