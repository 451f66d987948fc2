package dev.rowan.train.corpus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Orders words by count, the most frequent first, and equal counts by bytes: a radix sort, since
 * all threads but one wait for it.
 */
final class WordOrder {
  private final WordTable words;
  private int[] ids;
  private long[] keys;
  private int[] spareIds;
  private long[] spareKeys;

  private WordOrder(WordTable words, int[] ids) {
    this.words = words;
    this.ids = ids;
    this.keys = new long[ids.length];
    this.spareIds = new int[ids.length];
    this.spareKeys = new long[ids.length];
  }

  /** Returns the ids of the words that come so often or more. */
  static int[] of(WordTable words, long minCount) {
    int[] ids = new int[words.size()];
    int kept = 0;
    for (int id = 0; id < ids.length; id++) {
      ids[kept] = id;
      kept += words.count(id) >= minCount ? 1 : 0;
    }
    WordOrder order = new WordOrder(words, Arrays.copyOf(ids, kept));
    Arrays.setAll(order.keys, i -> words.beginning(order.ids[i]));
    order.sort();
    Arrays.setAll(order.keys, i -> ~words.count(order.ids[i]));
    order.sort();
    order.sortBeyondBeginnings();
    return order.ids;
  }

  /** Sorts by the keys as unsigned numbers; what has the same key stays in its order. */
  private void sort() {
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      int[] places = new int[257]; // of each value of these 8 bits, one further on while counting
      for (long key : keys) {
        places[digit(key, shift) + 1]++;
      }
      if (keys.length == 0 || places[digit(keys[0], shift) + 1] == keys.length) {
        continue;
      }
      for (int i = 1; i < places.length; i++) {
        places[i] += places[i - 1];
      }
      for (int i = 0; i < keys.length; i++) {
        int to = places[digit(keys[i], shift)]++;
        spareKeys[to] = keys[i];
        spareIds[to] = ids[i];
      }
      long[] sortedKeys = spareKeys;
      int[] sortedIds = spareIds;
      spareKeys = keys;
      spareIds = ids;
      keys = sortedKeys;
      ids = sortedIds;
    }
  }

  private static int digit(long key, int shift) {
    return (int) (key >>> shift) & 0xFF;
  }

  /** Sorts words with the same count and the same first bytes by all of them. */
  private void sortBeyondBeginnings() {
    int to;
    for (int from = 0; from < ids.length; from = to) {
      long beginning = words.beginning(ids[from]);
      to = from + 1;
      while (to < ids.length && keys[to] == keys[from] && words.beginning(ids[to]) == beginning) {
        to++;
      }
      if (to - from > 1) {
        List<Integer> same = new ArrayList<>();
        for (int i = from; i < to; i++) {
          same.add(ids[i]);
        }
        same.sort((a, b) -> Arrays.compareUnsigned(words.word(a), words.word(b)));
        for (int i = from; i < to; i++) {
          ids[i] = same.get(i - from);
        }
      }
    }
  }
}
