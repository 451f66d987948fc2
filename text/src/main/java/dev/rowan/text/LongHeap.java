package dev.rowan.text;

import java.util.Arrays;

/** A binary heap of longs, the smallest on top. Not for several threads at once. */
final class LongHeap {
  private long[] values = new long[64];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (values[parent] <= value) {
        break;
      }
      values[at] = values[parent];
      at = parent;
    }
    values[at] = value;
  }

  /** Removes the smallest and returns it; there must be one. */
  long remove() {
    long top = values[0];
    long last = values[--size];
    int at = 0;
    while (true) {
      int child = 2 * at + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && values[child + 1] < values[child]) {
        child++;
      }
      if (values[child] >= last) {
        break;
      }
      values[at] = values[child];
      at = child;
    }
    values[at] = last;
    return top;
  }
}
