package dev.rowan.train.corpus;

import java.util.Arrays;

/**
 * Cuts bytes into words and numbers them: a word is a run of bytes above 0x20, so UTF-8 is never
 * cut; a line feed ends a sentence.
 *
 * <p>Looks at 8 bytes at a time. One thread's own; allocates only as its tables grow.
 */
final class WordScanner {
  /** Marks the end of a sentence among ids. */
  static final int SENTENCE_END = -1;

  /** Marks the end of a sentence that is also the end of a record of several. */
  static final int DOCUMENT_END = -3;

  /** Words longer than this are left out: no word of a language, but data between the text. */
  static final int MOST_BYTES = 1024;

  /** Bytes that must be readable, and blank, behind the end of what is scanned. */
  static final int PADDING = 8;

  private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;
  private static final long ABOVE_SPACE = 0x5F5F5F5F5F5F5F5FL;

  private final WordTable words = new WordTable();
  private int[] ids = new int[1 << 16];
  private int count;
  private long tooLong;

  /** Returns the words so far. */
  WordTable words() {
    return words;
  }

  /** Returns how many words were left out because of their length. */
  long tooLong() {
    return tooLong;
  }

  /** Forgets the ids, not the words. */
  void clear() {
    count = 0;
  }

  /** Returns a copy of the ids since {@link #clear}, sentence ends among them. */
  int[] ids() {
    return Arrays.copyOf(ids, count);
  }

  /** Appends the end of a sentence, unless one is there already or nothing is before it. */
  void endSentence() {
    if (count > 0 && ids[count - 1] >= 0) {
      reserve(1);
      ids[count++] = SENTENCE_END;
    }
  }

  /** Marks the end of a record that began at a place among the ids, unless it has no words. */
  void endDocument(int began) {
    if (count > began) {
      endSentence();
      ids[count - 1] = DOCUMENT_END;
    }
  }

  /** Returns how many ids there are since {@link #clear}. */
  int count() {
    return count;
  }

  /**
   * Scans bytes from {@code start} on.
   *
   * @param end where the words that start here end: words that start there or later are somebody
   *     else's. A word may go on behind it; {@link #PADDING} blanks must stand where the text ends
   */
  void scan(byte[] text, int start, int end) {
    int at = start;
    while (true) {
      while (at < end && text[at] >= 0 && text[at] <= ' ') {
        if (text[at++] == '\n') {
          endSentence();
        }
      }
      if (at >= end) {
        return;
      }
      reserve(1);
      at = word(text, at);
    }
  }

  private int word(byte[] text, int at) {
    long bytes = (long) WordTable.LONG.get(text, at);
    long blanks = blanks(bytes);
    if (blanks != 0) {
      int length = Long.numberOfTrailingZeros(blanks) >>> 3;
      long key = bytes & ((1L << (length << 3)) - 1); // at most 7 bytes, so the shift is in range
      ids[count++] = words.countShort(key, text, at, length);
      return at + length;
    }
    long hash = 0;
    int to = at;
    do {
      hash = WordTable.mix(hash, bytes);
      to += 8;
      bytes = (long) WordTable.LONG.get(text, to);
      blanks = blanks(bytes);
    } while (blanks == 0);
    int rest = Long.numberOfTrailingZeros(blanks) >>> 3;
    if (rest > 0) {
      hash = WordTable.mix(hash, bytes & ((1L << (rest << 3)) - 1));
    }
    return longWord(text, at, to + rest - at, hash);
  }

  private int longWord(byte[] text, int at, int length, long hash) {
    if (length > MOST_BYTES) {
      tooLong++;
    } else if (length == 8) {
      ids[count++] = words.countShort((long) WordTable.LONG.get(text, at), text, at, 8);
    } else {
      ids[count++] = words.countLong(hash, text, at, length);
    }
    return at + length;
  }

  /** Returns the top bit of each byte that is at most 0x20: no carry passes between bytes. */
  private static long blanks(long bytes) {
    return ~(((bytes & LOW_BITS) + ABOVE_SPACE) | bytes) & ~LOW_BITS;
  }

  private void reserve(int more) {
    if (ids.length - count < more) {
      ids = Arrays.copyOf(ids, Math.multiplyExact(ids.length, 2));
    }
  }
}
