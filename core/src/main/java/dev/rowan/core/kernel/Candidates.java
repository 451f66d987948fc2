package dev.rowan.core.kernel;

import java.util.Arrays;

/**
 * The best rows seen so far for each query of a batch, by float score: one bounded min-heap a
 * query. A kernel reads the thresholds and offers what passes.
 *
 * <p>Not thread-safe: each worker has its own.
 */
public final class Candidates {
  private final int capacity;
  private final float[] thresholds;
  private final float[][] scores;
  private final long[][] ids;
  private final int[] sizes;
  private final long[][] excluded;

  /** Makes empty heaps that exclude nothing. */
  public Candidates(int queries, int capacity) {
    this(new long[queries][0], capacity);
  }

  /**
   * Makes empty heaps.
   *
   * @param excluded for each query the ids that it does not keep, ascending
   * @param capacity how many rows each keeps, 1 or more
   */
  public Candidates(long[][] excluded, int capacity) {
    int queries = excluded.length;
    this.excluded = excluded;
    this.capacity = capacity;
    // a whole number of the widest vectors, and nothing passes in the lanes beyond the last query
    this.thresholds = new float[Math.ceilDiv(queries, 16) * 16];
    Arrays.fill(thresholds, 0, queries, Float.NEGATIVE_INFINITY);
    Arrays.fill(thresholds, queries, thresholds.length, Float.POSITIVE_INFINITY);
    this.scores = new float[queries][];
    this.ids = new long[queries][];
    this.sizes = new int[queries];
    for (int q = 0; q < queries; q++) {
      scores[q] = new float[capacity];
      ids[q] = new long[capacity];
    }
  }

  /** Returns how many queries there are. */
  public int queries() {
    return sizes.length;
  }

  /** Returns how many rows a query keeps at most. */
  public int capacity() {
    return capacity;
  }

  /**
   * Returns the live thresholds, one a query: only a score strictly above passes. −∞ until a heap
   * is full; NaN never passes. The array is longer than the queries, with +∞, so that a kernel can
   * read whole vectors. Callers do not write.
   */
  public float[] thresholds() {
    return thresholds;
  }

  /** Returns how many rows query {@code q} holds. */
  public int size(int q) {
    return sizes[q];
  }

  /** Returns the score of the i-th held row of a query, in heap order. */
  public float score(int q, int i) {
    return scores[q][i];
  }

  /** Returns the id of the i-th held row of a query, in heap order. */
  public long id(int q, int i) {
    return ids[q][i];
  }

  /** Keeps a row for query {@code q} if its score is above the threshold and it is not excluded. */
  public void offer(int q, long id, float score) {
    if (!(score > thresholds[q]) || Arrays.binarySearch(excluded[q], id) >= 0) {
      return;
    }
    float[] s = scores[q];
    long[] d = ids[q];
    int size = sizes[q];
    if (size < capacity) {
      int at = size;
      while (at > 0) {
        int parent = (at - 1) >>> 1;
        if (s[parent] <= score) {
          break;
        }
        s[at] = s[parent];
        d[at] = d[parent];
        at = parent;
      }
      s[at] = score;
      d[at] = id;
      sizes[q] = size + 1;
      if (size + 1 == capacity) {
        thresholds[q] = s[0];
      }
      return;
    }
    int at = 0;
    int child;
    while ((child = 2 * at + 1) < capacity) {
      if (child + 1 < capacity && s[child + 1] < s[child]) {
        child++;
      }
      if (s[child] >= score) {
        break;
      }
      s[at] = s[child];
      d[at] = d[child];
      at = child;
    }
    s[at] = score;
    d[at] = id;
    thresholds[q] = s[0];
  }
}
