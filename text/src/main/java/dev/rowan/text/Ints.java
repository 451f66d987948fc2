package dev.rowan.text;

import java.util.Arrays;

/** A growing list of ints. Not for several threads at once. */
final class Ints {
  private int[] values = new int[64];
  private int size;

  void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
  }

  int size() {
    return size;
  }

  int get(int index) {
    return values[index];
  }

  void removeLast() {
    size--;
  }

  void clear() {
    size = 0;
  }

  long[] toLongs() {
    long[] longs = new long[size];
    for (int i = 0; i < size; i++) {
      longs[i] = values[i];
    }
    return longs;
  }
}
