package dev.rowan.train.corpus;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Words, numbered in the order in which they come, and how often each came. The bytes are a word's
 * identity; none of them is zero.
 *
 * <p>A record of three longs a word, in the order of the ids, so that the words that come early,
 * and so often, lie together in the cache:
 *
 * <pre>
 *   up to 16 bytes:  bytes 0–7 | bytes 8–15                          | count     zeros behind the end
 *   more:            hash      | 1 (8 bits), length (24), start (32) | count     start: in the spellings
 * </pre>
 *
 * <p>They are found by open addressing. A slot is 32 bits: as many as the number of a word needs
 * hold it, the others some bits of the hash, so that the record of another word is hardly ever
 * looked at. Needs 32 to 40 bytes a word, and the spelling of those over 16 bytes. Not thread-safe.
 */
final class WordTable {
  /** Reads 8 bytes of an array, the first one lowest. */
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Words of up to so many bytes are short. */
  static final int SHORT = 16;

  /** By length of a short word: which bits of its first, and of its last, 8 bytes belong to it. */
  private static final long[] FIRST = new long[SHORT + 1];

  private static final long[] LAST = new long[SHORT + 1];

  private static final long MIX = 0x9E3779B97F4A7C15L; // 2^64 / golden ratio
  private static final int RECORD = 3;
  private static final int COUNT = 2;

  /** The highest byte of the second long of a long word: no byte of a word is 1. */
  private static final long MARK = 1L << 56;

  private static final int MOST_WORDS = 1 << 28;
  private static final int MOST_PLACES = Integer.MAX_VALUE - 8; // of an array

  private int[] slots = new int[1 << 12]; // 0 is free: numbers, which are ids + 1, begin with 1
  private long[] records = new long[RECORD << 11]; // by number; that of 0 is no word's
  private byte[] spellings = new byte[1 << 10];
  private int used; // bytes of the spellings
  private int size;

  static {
    for (int length = 0; length <= SHORT; length++) {
      FIRST[length] = length < 8 ? (1L << (8 * length)) - 1 : -1;
      LAST[length] = length < 8 ? 0 : length < SHORT ? (1L << (8 * (length - 8))) - 1 : -1;
    }
  }

  /** Returns how many words there are. */
  int size() {
    return size;
  }

  long count(int id) {
    return records[RECORD * (id + 1) + COUNT];
  }

  /** Sets all counts anew. */
  void recount(long[] anew) {
    for (int id = 0; id < size; id++) {
      records[RECORD * (id + 1) + COUNT] = anew[id];
    }
  }

  /** Sets the count of a word to 0. */
  void forget(int id) {
    records[RECORD * (id + 1) + COUNT] = 0;
  }

  /** Returns the first 8 bytes of a short word, the first one highest; of a long one too. */
  long beginning(int id) {
    int at = RECORD * (id + 1);
    long second = records[at + 1];
    return Long.reverseBytes(
        isLong(second) ? (long) LONG.get(spellings, start(second)) : records[at]);
  }

  /** Returns whether a word is short and has neither capitals nor bytes beyond ASCII. */
  boolean isPlain(int id) {
    int at = RECORD * (id + 1);
    return !isLong(records[at + 1]) && isPlain(records[at]) && isPlain(records[at + 1]);
  }

  /** Returns whether a word is short and all ASCII. */
  boolean isAscii(int id) {
    int at = RECORD * (id + 1);
    return !isLong(records[at + 1]) && ((records[at] | records[at + 1]) & 0x8080808080808080L) == 0;
  }

  private static boolean isPlain(long bytes) {
    long low = bytes & 0x7F7F7F7F7F7F7F7FL;
    long fromA = low + 0x3F3F3F3F3F3F3F3FL; // the top bit of each byte: at least 'A'
    long aboveZ = low + 0x2525252525252525L; // above 'Z'
    return ((bytes | (fromA & ~aboveZ)) & 0x8080808080808080L) == 0;
  }

  /** Returns the spelling of a word. */
  byte[] word(int id) {
    int at = RECORD * (id + 1);
    long second = records[at + 1];
    if (isLong(second)) {
      return Arrays.copyOfRange(spellings, start(second), start(second) + length(second));
    }
    byte[] word = new byte[SHORT];
    LONG.set(word, 0, records[at]);
    LONG.set(word, 8, second);
    int length = 0;
    while (length < SHORT && word[length] != 0) {
      length++;
    }
    return Arrays.copyOf(word, length);
  }

  /**
   * Counts a word of 1 to {@link #SHORT} bytes, behind which 16 more can be read; returns its id.
   */
  int countShort(byte[] text, int at, int length) {
    long first = (long) LONG.get(text, at) & FIRST[length];
    long second = (long) LONG.get(text, at + 8) & LAST[length];
    int number = shortNumber(first, second);
    records[RECORD * number + COUNT]++;
    return number - 1;
  }

  /** Counts a word of more than {@link #SHORT} bytes and returns its id. */
  int countLong(byte[] text, int at, int length) {
    int number = longNumber(text, at, length);
    records[RECORD * number + COUNT]++;
    return number - 1;
  }

  /** Adds to the count of a word of any length and returns its id. */
  int add(byte[] word, long count) {
    int number;
    if (word.length > SHORT) {
      number = longNumber(word, 0, word.length);
    } else {
      byte[] padded = Arrays.copyOf(word, SHORT);
      number = shortNumber((long) LONG.get(padded, 0), (long) LONG.get(padded, 8));
    }
    records[RECORD * number + COUNT] += count;
    return number - 1;
  }

  /** Adds a short word of another table, with its count, and returns its id here. */
  int addShort(WordTable other, int id) {
    int at = RECORD * (id + 1);
    int number = shortNumber(other.records[at], other.records[at + 1]);
    records[RECORD * number + COUNT] += other.records[at + COUNT];
    return number - 1;
  }

  private int shortNumber(long first, long second) {
    int[] slots = this.slots;
    long[] records = this.records;
    int mask = slots.length - 1;
    long hash = hash(first, second);
    int tag = tag(hash, mask);
    int slot = (int) hash & mask;
    while (true) {
      int found = slots[slot];
      if ((found & ~mask) == tag) {
        int at = RECORD * (found & mask);
        if (records[at] == first && records[at + 1] == second) {
          return found & mask;
        }
      }
      if (found == 0) {
        return insert(slot, tag, first, second);
      }
      slot = (slot + 1) & mask;
    }
  }

  private int longNumber(byte[] text, int at, int length) {
    long first = hash(text, at, length);
    int mask = slots.length - 1;
    long hash = hash(first, MARK);
    int tag = tag(hash, mask);
    int slot = (int) hash & mask;
    while (slots[slot] != 0) {
      int number = slots[slot] & mask;
      if ((slots[slot] & ~mask) == tag && isLong(number, first, text, at, length)) {
        return number;
      }
      slot = (slot + 1) & mask;
    }
    return insert(slot, tag, first, MARK | (long) length << 32 | keep(text, at, length));
  }

  private boolean isLong(int number, long first, byte[] text, int at, int length) {
    long second = records[RECORD * number + 1];
    if (records[RECORD * number] != first || !isLong(second) || length(second) != length) {
      return false;
    }
    int start = start(second);
    return Arrays.equals(spellings, start, start + length, text, at, at + length);
  }

  private static boolean isLong(long second) {
    return second >>> 56 == 1;
  }

  private static int length(long second) {
    return (int) (second >>> 32) & 0xFFFFFF;
  }

  private static int start(long second) {
    return (int) second;
  }

  private static long hash(long first, long second) {
    long h = (first ^ Long.rotateLeft(second * MIX, 32)) * MIX;
    return h ^ h >>> 32;
  }

  private static int tag(long hash, int mask) {
    return (int) (hash >>> 32) & ~mask;
  }

  private static long hash(byte[] text, int at, int length) {
    long hash = length;
    int end = at + length;
    for (int i = at; i < end - 8; i += 8) {
      hash = mix(hash, (long) LONG.get(text, i));
    }
    return mix(hash, (long) LONG.get(text, end - 8)); // may overlap the 8 before
  }

  private static long mix(long hash, long bytes) {
    long h = (hash ^ bytes) * MIX;
    return h ^ h >>> 29;
  }

  private int insert(int slot, int tag, long first, long second) {
    if (size == MOST_WORDS) {
      throw tooMany();
    }
    int number = ++size;
    if (RECORD * (number + 1L) > records.length) {
      records = Arrays.copyOf(records, (int) Math.min(2L * records.length, MOST_PLACES));
    }
    int at = RECORD * number;
    records[at] = first;
    records[at + 1] = second;
    slots[slot] = tag | number;
    if (2L * (number + 1) >= slots.length) {
      grow();
    }
    return number;
  }

  private int keep(byte[] text, int at, int length) {
    if (length > spellings.length - used) {
      long least = (long) used + length;
      if (least > MOST_PLACES) {
        throw tooMany();
      }
      long more = Math.min(Math.max(2L * spellings.length, least), MOST_PLACES);
      spellings = Arrays.copyOf(spellings, (int) more);
    }
    System.arraycopy(text, at, spellings, used, length);
    used += length;
    return used - length;
  }

  private IllegalArgumentException tooMany() {
    return new IllegalArgumentException(
        "the corpus has more than %,d distinct words, which is all that can be counted; is it text?"
            .formatted(size));
  }

  /** Doubles the slots. Words that came early get the places where they are found at once. */
  private void grow() {
    int[] more = new int[2 * slots.length];
    int mask = more.length - 1;
    for (int number = 1; number <= size; number++) {
      long second = records[RECORD * number + 1];
      long hash = hash(records[RECORD * number], isLong(second) ? MARK : second);
      int slot = (int) hash & mask;
      while (more[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      more[slot] = tag(hash, mask) | number;
    }
    slots = more;
  }
}
