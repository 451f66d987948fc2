package dev.rowan.layer;

import java.util.Arrays;

/**
 * Groups positions by id: ids rise from segment to segment, positions rise inside one. Memory is
 * kept for the next call. Not safe for concurrent use.
 *
 * <p>A key is one long, {@code id << positionBits | position}, sorted by its id bits with a stable
 * radix sort of 11 bits a pass (2,048 counters stay in L1), so positions keep their order.
 */
final class Coalescer {
  private static final int DIGIT = 11;
  private static final int BUCKETS = 1 << DIGIT;

  private long[] keys = new long[0];
  private long[] spare = new long[0];
  private int[] starts = new int[1]; // of segments, and one past the last
  private final int[] counters = new int[BUCKETS];
  private int positionBits;
  private int size;
  private int segments;

  /** Groups positions 0 … ids.length−1, leaving those of {@code skipped} out (−1: none). */
  void group(long[] ids, long rows, long skipped) {
    begin(ids.length, rows);
    for (int p = 0; p < ids.length; p++) {
      if (ids[p] != skipped) {
        keys[size++] = ids[p] << positionBits | p;
      }
    }
    finish(rows);
  }

  /** As {@link #group(long[], long, long)} for an int array. */
  void group(int[] ids, long rows, long skipped) {
    begin(ids.length, rows);
    for (int p = 0; p < ids.length; p++) {
      if (ids[p] != skipped) {
        keys[size++] = (long) ids[p] << positionBits | p;
      }
    }
    finish(rows);
  }

  private void begin(int count, long rows) {
    positionBits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, count - 1));
    if (positionBits + bits(rows) > 63) {
      throw new IllegalArgumentException(
          "%,d ids in a table of %,d rows do not fit one call; split them".formatted(count, rows));
    }
    if (keys.length < count) {
      keys = new long[count];
      spare = new long[count];
    }
    size = 0;
  }

  private static int bits(long rows) {
    return Long.SIZE - Long.numberOfLeadingZeros(rows - 1);
  }

  private void finish(long rows) {
    for (int shift = positionBits; shift < positionBits + bits(rows); shift += DIGIT) {
      pass(shift);
    }
    segments = 0;
    if (starts.length < size + 1) {
      starts = new int[size + 1];
    }
    long last = -1;
    for (int k = 0; k < size; k++) {
      long id = keys[k] >>> positionBits;
      if (id != last) {
        starts[segments++] = k;
        last = id;
      }
    }
    starts[segments] = size;
  }

  private void pass(int shift) {
    Arrays.fill(counters, 0);
    for (int k = 0; k < size; k++) {
      counters[(int) (keys[k] >>> shift) & (BUCKETS - 1)]++;
    }
    int sum = 0;
    for (int b = 0; b < BUCKETS; b++) {
      int count = counters[b];
      counters[b] = sum;
      sum += count;
    }
    for (int k = 0; k < size; k++) {
      long key = keys[k];
      spare[counters[(int) (key >>> shift) & (BUCKETS - 1)]++] = key;
    }
    long[] swap = keys;
    keys = spare;
    spare = swap;
  }

  /** Returns how many different ids there are. */
  int segments() {
    return segments;
  }

  long id(int segment) {
    return keys[starts[segment]] >>> positionBits;
  }

  int start(int segment) {
    return starts[segment];
  }

  int end(int segment) {
    return starts[segment + 1];
  }

  /** Returns the k-th position in the order of ids. */
  int position(int k) {
    return (int) (keys[k] & ((1L << positionBits) - 1));
  }
}
