package dev.rowan.train.corpus;

import java.util.Arrays;
import java.util.Optional;

/**
 * Counts pairs of words exactly, in no more memory than was said: of the pairs, by their hash, from
 * one hash on as many as fit. What did not fit is counted by another one, from {@link #end} on.
 *
 * <p>Open addressing, 16 bytes a place, half of them used at most. Not thread-safe.
 */
final class PairCounts {
  /** Hashes lie below this. */
  static final long HASHES = 1L << 40;

  private static final int LEAST_PLACES = 1 << 10;
  private static final long MIX = 0x9E3779B97F4A7C15L; // 2^64 / golden ratio

  private final long start;
  private final long stop;
  private final int most;
  private long end;
  private long[] keys = new long[LEAST_PLACES]; // pair + 1; 0 is free
  private long[] counts = new long[LEAST_PLACES];
  private int used;

  /**
   * Counts none yet.
   *
   * @param start pairs of lower hashes are ignored
   * @param stop those of this and higher ones too
   * @param most places, a power of two
   */
  PairCounts(long start, long stop, int most) {
    this.start = start;
    this.stop = stop;
    this.end = stop;
    this.most = Math.max(LEAST_PLACES, most);
  }

  /** Takes a pair and its count. */
  interface Taker {
    void take(int first, int second, long count);
  }

  /** Returns a pair as one number. */
  static long key(int first, int second) {
    return (long) first << 32 | second;
  }

  /** Returns what counts the pairs that did not fit; empty if all did. */
  Optional<PairCounts> rest() {
    return end < stop ? Optional.of(new PairCounts(end, stop, most)) : Optional.empty();
  }

  /** Counts a pair of words, 0 or more, if its hash is one of those counted here. */
  void add(int first, int second) {
    long key = key(first, second) + 1;
    long mixed = mix(key);
    long hash = mixed >>> 24;
    if (hash < start || hash >= end) {
      return;
    }
    int place = place(key, mixed);
    if (keys[place] == 0) {
      keys[place] = key;
      if (2 * ++used > keys.length) {
        counts[place] = 1;
        makeRoom();
        return;
      }
    }
    counts[place]++;
  }

  private int place(long key, long mixed) {
    int mask = keys.length - 1;
    int place = (int) (mixed >>> 8) & mask;
    while (keys[place] != 0 && keys[place] != key) {
      place = (place + 1) & mask;
    }
    return place;
  }

  private static long mix(long key) {
    long mixed = (key ^ key >>> 32) * MIX;
    return (mixed ^ mixed >>> 29) * MIX;
  }

  /** Doubles, or leaves the upper half of the hashes to others. */
  private void makeRoom() {
    int places = keys.length;
    if (places < most) {
      places *= 2;
    } else {
      end = start + Math.max(1, (end - start) / 2);
    }
    long[] oldKeys = keys;
    long[] oldCounts = counts;
    keys = new long[places];
    counts = new long[places];
    used = 0;
    for (int i = 0; i < oldKeys.length; i++) {
      long mixed = mix(oldKeys[i]);
      if (oldKeys[i] != 0 && mixed >>> 24 < end) {
        int place = place(oldKeys[i], mixed);
        keys[place] = oldKeys[i];
        counts[place] = oldCounts[i];
        used++;
      }
    }
  }

  /** Hands every pair over, in no order. */
  void forEach(Taker taker) {
    for (int i = 0; i < keys.length; i++) {
      if (keys[i] != 0) {
        long pair = keys[i] - 1;
        taker.take((int) (pair >>> 32), (int) pair, counts[i]);
      }
    }
  }

  /** A set of pairs, each with a number; looked up by many threads once it is made. */
  static final class Numbers {
    private final long[] sorted;
    private final int[] numbers;

    /** Takes pairs in ascending order, and their numbers. */
    Numbers(long[] sorted, int[] numbers) {
      this.sorted = sorted;
      this.numbers = numbers;
    }

    /** Returns how many pairs there are. */
    int size() {
      return sorted.length;
    }

    /** Returns the number of a pair; −1 if it has none. */
    int of(int first, int second) {
      int at = Arrays.binarySearch(sorted, key(first, second));
      return at < 0 ? -1 : numbers[at];
    }
  }
}
