package dev.rowan.train.corpus;

import java.util.Arrays;

/**
 * Cuts bytes into words and numbers them: a word is a run of bytes above 0x20, so UTF-8 is never
 * cut; a line feed ends a sentence.
 *
 * <p>Finds the borders of words in 64 bytes at a time, then looks the words up. One thread's own;
 * allocates only as its tables grow.
 */
final class WordScanner {
  /** Marks the end of a sentence among ids. */
  static final int SENTENCE_END = -1;

  /** Marks the end of a sentence that is also the end of a record of several. */
  static final int DOCUMENT_END = -3;

  /** Words longer than this are left out: no word of a language, but data between the text. */
  static final int MOST_BYTES = 1024;

  /** Bytes that must be readable, and blank, where the text ends. */
  static final int PADDING = 64;

  /** Bytes whose borders are found before their words are looked up; their borders stay in L1. */
  private static final int CHUNK = 4096;

  private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;
  private static final long ABOVE_SPACE = 0x5F5F5F5F5F5F5F5FL;

  private final WordTable words = new WordTable();
  private final int[] borders = new int[CHUNK + 2]; // where words start and end, by turns
  private int[] ids = new int[1 << 16];
  private int count;
  private int reached; // where the last word ended
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
   * @param end words that start there or later are somebody else's. A word may go on behind it, and
   *     what blanks follow it belong to it
   * @param stop where the text ends; {@link #PADDING} blanks follow
   */
  void scan(byte[] text, int start, int end, int stop) {
    reached = start - 1;
    int open = 0; // 1 while the word at the first border goes on
    for (int at = start; at < end; at += CHUNK) {
      int found = borders(text, at, Math.min(end, at + CHUNK), open);
      open = found & 1;
      words(text, found - open);
      borders[0] = borders[found - open];
    }
    int at = end;
    if (open == 1) {
      while (!isBlank(text[at])) {
        at++;
      }
      borders[1] = at;
      words(text, 2);
    }
    while (at < stop && isBlank(text[at])) {
      at++;
    }
    lineFeeds(text, reached + 1, at);
  }

  /** Finds the borders of words in some bytes, {@code found} being known; returns how many are. */
  private int borders(byte[] text, int from, int to, int found) {
    int next = found;
    long before = found == 0 ? 1 : 0; // whether the byte before is blank
    for (int at = from; at < to; at += Long.SIZE) {
      long blanks = blanks(text, at);
      long changes = blanks ^ (blanks << 1 | before);
      before = blanks >>> 63;
      if (to - at < Long.SIZE) {
        changes &= (1L << (to - at)) - 1;
      }
      while (changes != 0) {
        borders[next++] = at + Long.numberOfTrailingZeros(changes);
        changes &= changes - 1;
      }
    }
    return next;
  }

  /** Looks the words between pairs of borders up. */
  private void words(byte[] text, int found) {
    reserve(found + 1); // a word and the end of a sentence for each pair, and one place to spare
    int before = reached;
    for (int i = 0; i < found; i += 2) {
      int from = borders[i];
      int to = borders[i + 1];
      if (from - before > 1) {
        lineFeeds(text, before + 1, from);
      }
      int length = to - from;
      if (length <= WordTable.SHORT) {
        int[] ids = this.ids;
        int next = count;
        ids[next] = words.countShort(text, from, length);
        ids[next + 1] = SENTENCE_END; // counted or not: cheaper than a branch that lines mislead
        count = next + (text[to] == '\n' ? 2 : 1);
      } else {
        longWord(text, from, to);
      }
      before = to;
    }
    reached = before;
  }

  private void longWord(byte[] text, int from, int to) {
    if (to - from > MOST_BYTES) {
      tooLong++;
    } else {
      ids[count++] = words.countLong(text, from, to - from);
    }
    if (text[to] == '\n') {
      endSentence();
    }
  }

  /** Ends the sentence if there is a line feed among some blanks. */
  private void lineFeeds(byte[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (text[i] == '\n') {
        endSentence();
        return;
      }
    }
  }

  private static boolean isBlank(byte b) {
    return b >= 0 && b <= ' ';
  }

  /** Returns a bit for each of 64 bytes, the first one lowest: whether it is at most 0x20. */
  private static long blanks(byte[] text, int at) {
    return eight(text, at)
        | eight(text, at + 8) << 8
        | eight(text, at + 16) << 16
        | eight(text, at + 24) << 24
        | eight(text, at + 32) << 32
        | eight(text, at + 40) << 40
        | eight(text, at + 48) << 48
        | eight(text, at + 56) << 56;
  }

  private static long eight(byte[] text, int at) {
    long bytes = (long) WordTable.LONG.get(text, at);
    // the top bit of each byte, no carry passing between bytes; then one product moves them
    // together
    long blanks = ~(((bytes & LOW_BITS) + ABOVE_SPACE) | bytes) & ~LOW_BITS;
    return ((blanks >>> 7) * 0x0102040810204080L) >>> 56;
  }

  private void reserve(int more) {
    if (ids.length - count < more) {
      ids = Arrays.copyOf(ids, Math.multiplyExact(ids.length, 2));
    }
  }
}
