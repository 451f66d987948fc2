package dev.rowan.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The k best rows by double score, ties by lower id. NaN is never kept. */
final class TopHits {
  private static final Comparator<Hit> BEST_FIRST =
      Comparator.comparingDouble(Hit::score).reversed().thenComparingLong(Hit::id);

  private final int k;
  private final PriorityQueue<Hit> worstFirst;
  private boolean decided = true;

  /**
   * Makes an empty list.
   *
   * @param k how many are kept, 1 or more
   * @param expected how many may be offered; bounds the memory taken at first
   */
  TopHits(int k, long expected) {
    this.k = k;
    this.worstFirst =
        new PriorityQueue<>(Math.clamp(expected, 1, Math.min(k, 1024)), BEST_FIRST.reversed());
  }

  void offer(long id, double score) {
    if (Double.isNaN(score)) {
      return;
    }
    if (worstFirst.size() < k) {
      worstFirst.add(new Hit(id, score));
    } else {
      Hit worst = worstFirst.element();
      if (score > worst.score() || (score == worst.score() && id < worst.id())) {
        worstFirst.remove();
        worstFirst.add(new Hit(id, score));
      }
    }
  }

  boolean isFull() {
    return worstFirst.size() == k;
  }

  /** Returns the lowest score kept. */
  double worst() {
    return worstFirst.element().score();
  }

  /** Returns whether no other row can belong to the list. */
  boolean decided() {
    return decided;
  }

  void setDecided(boolean decided) {
    this.decided = decided;
  }

  List<Hit> sorted() {
    List<Hit> hits = new ArrayList<>(worstFirst);
    hits.sort(BEST_FIRST);
    return List.copyOf(hits);
  }
}
