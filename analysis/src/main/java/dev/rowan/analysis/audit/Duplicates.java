package dev.rowan.analysis.audit;

import java.util.ArrayList;
import java.util.List;

/** Finds rows that store the same numbers as an earlier one. */
final class Duplicates {
  private final int[] firsts; // the earliest equal row, or the row itself

  private Duplicates(int[] firsts) {
    this.firsts = firsts;
  }

  /** Compares the usable rows of a scan; zero and non-finite rows are other rules' business. */
  static Duplicates of(RowScan scan) {
    int rows = scan.rows();
    int size = Integer.highestOneBit(Math.max(1, rows)) << 1;
    int[] slots = new int[Math.max(4, size << 1)]; // row + 1; 0 is free
    int mask = slots.length - 1;
    int[] firsts = new int[rows];
    for (int id = 0; id < rows; id++) {
      firsts[id] = id;
      if (!scan.isUsable(id)) {
        continue;
      }
      int slot = (int) scan.hash(id) & mask;
      while (slots[slot] != 0) {
        int other = slots[slot] - 1;
        if (scan.hash(other) == scan.hash(id) && scan.isSame(other, id)) {
          firsts[id] = other;
          break;
        }
        slot = (slot + 1) & mask;
      }
      if (slots[slot] == 0) {
        slots[slot] = id + 1;
      }
    }
    return new Duplicates(firsts);
  }

  /** Returns whether no earlier row is equal. */
  boolean isFirst(int id) {
    return firsts[id] == id;
  }

  List<Finding> findings() {
    List<Finding> found = new ArrayList<>();
    for (int id = 0; id < firsts.length; id++) {
      if (firsts[id] != id) {
        found.add(
            new Finding(
                Rule.DUPLICATE, id, 1, firsts[id], "the same numbers as row #" + firsts[id]));
      }
    }
    return found;
  }
}
