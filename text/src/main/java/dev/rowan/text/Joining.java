package dev.rowan.text;

import java.util.Arrays;

/**
 * Joins the symbols of one word pair by pair, the lowest rank first and of equal ranks the
 * leftmost. Short words are scanned for the best pair at each step; long ones keep their pairs in a
 * heap, which takes O(n log n) for n symbols. Both give the same result. Holds scratch memory: not
 * for several threads at once.
 */
final class Joining {
  // Up to here the scans, quadratic but over one or two cache lines, beat the heap.
  private static final int SHORT = 40;

  private static final int NO_PAIR = Integer.MAX_VALUE;

  private final PairTable table;
  private int[] symbols = new int[64];
  private int[] ranks = new int[64]; // of the pair that starts at each symbol
  private int[] results = new int[64];
  private int[] next = new int[0];
  private int[] previous = new int[0];
  private int count;

  Joining(PairTable table) {
    this.table = table;
  }

  /** Starts a word. */
  void clear() {
    count = 0;
  }

  /** Adds a symbol to the word. */
  void add(int symbol) {
    if (count == symbols.length) {
      symbols = Arrays.copyOf(symbols, 2 * count);
      ranks = new int[symbols.length];
      results = new int[symbols.length];
    }
    symbols[count++] = symbol;
  }

  /** Joins what can be joined and adds what is left to {@code ids}. */
  void join(Ints ids) {
    if (count <= SHORT) {
      joinShort();
    } else {
      joinLong();
    }
    for (int i = 0; i < count; i++) {
      ids.add(symbols[i]);
    }
  }

  private void joinShort() {
    for (int i = 0; i + 1 < count; i++) {
      look(i, i + 1);
    }
    while (count > 1) {
      int best = 0;
      for (int i = 1; i + 1 < count; i++) {
        best = ranks[i] < ranks[best] ? i : best;
      }
      if (ranks[best] == NO_PAIR) {
        return;
      }
      symbols[best] = results[best];
      int moved = count - best - 2;
      System.arraycopy(symbols, best + 2, symbols, best + 1, moved);
      System.arraycopy(ranks, best + 2, ranks, best + 1, moved);
      System.arraycopy(results, best + 2, results, best + 1, moved);
      count--;
      if (best > 0) {
        look(best - 1, best);
      }
      if (best + 1 < count) {
        look(best, best + 1);
      }
    }
  }

  private void joinLong() {
    if (next.length < count) {
      next = new int[symbols.length];
      previous = new int[symbols.length];
    }
    LongHeap heap = new LongHeap();
    for (int i = 0; i < count; i++) {
      next[i] = i + 1;
      previous[i] = i - 1;
      if (i + 1 < count) {
        offer(heap, i, i + 1);
      }
    }
    ranks[count - 1] = NO_PAIR;
    while (!heap.isEmpty()) {
      long top = heap.remove();
      int at = (int) top;
      if (ranks[at] != (int) (top >>> 32)) {
        continue; // the pair changed after this was put on the heap
      }
      symbols[at] = results[at];
      int gone = next[at];
      ranks[gone] = NO_PAIR;
      int after = next[gone];
      next[at] = after;
      if (after < count) {
        previous[after] = at;
        offer(heap, at, after);
      } else {
        ranks[at] = NO_PAIR;
      }
      if (previous[at] >= 0) {
        offer(heap, previous[at], at);
      }
    }
    int left = 0;
    for (int i = 0; i < count; i = next[i]) {
      symbols[left++] = symbols[i];
    }
    count = left;
  }

  private void offer(LongHeap heap, int at, int right) {
    look(at, right);
    if (ranks[at] != NO_PAIR) {
      heap.add((long) ranks[at] << 32 | at);
    }
  }

  private void look(int at, int right) {
    int place = table.find(symbols[at], symbols[right]);
    if (place == PairTable.NONE) {
      ranks[at] = NO_PAIR;
    } else {
      ranks[at] = table.rank(place);
      results[at] = table.joined(place);
    }
  }
}
