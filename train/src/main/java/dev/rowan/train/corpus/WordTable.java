package dev.rowan.train.corpus;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Words, numbered in the order in which they come, and how often each came. The bytes are a word's
 * identity.
 *
 * <p>Open addressing over 64-bit keys: a word of up to 8 bytes is its own key, so most words are
 * known from one comparison; of a longer word the key is a hash, and the bytes are compared too.
 * Needs about 40 bytes a word beside its spelling. Not thread-safe.
 */
final class WordTable {
  /** Reads 8 bytes of an array, the first one lowest. */
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long MIX = 0x9E3779B97F4A7C15L; // 2^64 / golden ratio

  private long[] keys = new long[1 << 12];
  private int[] slots = new int[1 << 12]; // id + 1; 0 is free
  private long[] counts = new long[1 << 11];
  private int[] starts = new int[1 << 11];
  private int[] lengths = new int[1 << 11];
  private byte[] spellings = new byte[1 << 14];
  private int used; // bytes of the spellings
  private int size;

  /** Returns how many words there are. */
  int size() {
    return size;
  }

  long count(int id) {
    return counts[id];
  }

  /** Sets all counts anew. */
  void recount(long[] anew) {
    System.arraycopy(anew, 0, counts, 0, size);
  }

  /** Returns the spelling of a word. */
  byte[] word(int id) {
    return Arrays.copyOfRange(spellings, starts[id], starts[id] + lengths[id]);
  }

  /**
   * Counts a word of 1 to 8 bytes and returns its id.
   *
   * @param key its bytes, the first one lowest, the rest zero
   */
  int countShort(long key, byte[] text, int at, int length) {
    int mask = slots.length - 1;
    int slot = slot(key) & mask;
    while (true) {
      int id = slots[slot] - 1;
      if (id < 0) {
        return insert(slot, key, text, at, length);
      }
      // fewer than 8 bytes leave the top byte zero, which no hash does, so the key says it all
      if (keys[slot] == key && (length < 8 || lengths[id] == 8)) {
        counts[id]++;
        return id;
      }
      slot = (slot + 1) & mask;
    }
  }

  /** Counts a word of more than 8 bytes and returns its id. */
  int countLong(long hash, byte[] text, int at, int length) {
    long key = hash | 1L << 63;
    int mask = slots.length - 1;
    int slot = slot(key) & mask;
    while (true) {
      int id = slots[slot] - 1;
      if (id < 0) {
        return insert(slot, key, text, at, length);
      }
      if (keys[slot] == key && lengths[id] == length && equal(id, text, at, length)) {
        counts[id]++;
        return id;
      }
      slot = (slot + 1) & mask;
    }
  }

  private boolean equal(int id, byte[] text, int at, int length) {
    return Arrays.equals(spellings, starts[id], starts[id] + length, text, at, at + length);
  }

  /** Adds to the count of a word of any length and returns its id. */
  int add(byte[] word, long count) {
    int length = word.length;
    byte[] padded = Arrays.copyOf(word, Math.ceilDiv(length, 8) * 8 + 8);
    int id;
    if (length <= 8) {
      id = countShort((long) LONG.get(padded, 0), padded, 0, length);
    } else {
      long hash = 0;
      int at = 0;
      for (; at + 8 <= length; at += 8) {
        hash = mix(hash, (long) LONG.get(padded, at));
      }
      if (at < length) {
        hash = mix(hash, (long) LONG.get(padded, at));
      }
      id = countLong(hash, padded, 0, length);
    }
    counts[id] += count - 1;
    return id;
  }

  /** Mixes 8 more bytes of a long word into its hash. */
  static long mix(long hash, long bytes) {
    long h = (hash ^ bytes) * MIX;
    return h ^ (h >>> 29);
  }

  private static int slot(long key) {
    long h = key * MIX;
    return (int) (h >>> 32 ^ h >>> 47);
  }

  private int insert(int slot, long key, byte[] text, int at, int length) {
    if (size == counts.length) {
      int more = Math.multiplyExact(size, 2);
      counts = Arrays.copyOf(counts, more);
      starts = Arrays.copyOf(starts, more);
      lengths = Arrays.copyOf(lengths, more);
    }
    if (length > spellings.length - used) {
      long more = Math.max(2L * spellings.length, (long) used + length);
      if (used + (long) length > Integer.MAX_VALUE - 8) {
        throw new IllegalArgumentException(
            "the corpus has more than %,d distinct words, whose spellings exceed 2 GB; is it text?"
                .formatted(size));
      }
      spellings = Arrays.copyOf(spellings, (int) Math.min(more, Integer.MAX_VALUE - 8));
    }
    System.arraycopy(text, at, spellings, used, length);
    starts[size] = used;
    lengths[size] = length;
    counts[size] = 1;
    used += length;
    keys[slot] = key;
    slots[slot] = ++size;
    if (2L * size > slots.length) {
      grow();
    }
    return size - 1;
  }

  private void grow() {
    int capacity = Math.multiplyExact(slots.length, 4);
    long[] newKeys = new long[capacity];
    int[] newSlots = new int[capacity];
    for (int s = 0; s < slots.length; s++) {
      if (slots[s] != 0) {
        int slot = slot(keys[s]) & (capacity - 1);
        while (newSlots[slot] != 0) {
          slot = (slot + 1) & (capacity - 1);
        }
        newSlots[slot] = slots[s];
        newKeys[slot] = keys[s];
      }
    }
    keys = newKeys;
    slots = newSlots;
  }
}
