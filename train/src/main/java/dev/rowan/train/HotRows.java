package dev.rowan.train;

import java.util.stream.IntStream;

/**
 * The rows of a table that threads touch so often that each has {@link Replicas} of them, and how
 * often these are merged: the oftener a row is touched, the oftener, so that every merge is paid by
 * about the same number of touches.
 *
 * <p>Immutable and safe for any number of threads.
 */
final class HotRows {
  /**
   * Touches between two merges, times the rate, times the square of the threads. Threads that each
   * go a whole way alike overshoot when their steps are added: skip-gram at rate 0.025 diverges at
   * 51, and loses a point or two of analogies at 26. This gives two threads 128 touches.
   */
  private static final double MOST_STEPS = 12.8;

  /** Merges more frequent than that cost more than replicas gain. */
  private static final double LEAST_BETWEEN = 8;

  /**
   * A row touched less often than so between two pauses, when all rows are merged, stays shared.
   */
  private static final double LEAST_TOUCHES = 16;

  private static final int LEVELS = 31;

  /** No rows. */
  static final HotRows NONE = new HotRows(new int[0], new int[LEVELS]);

  private final int[] rows; // in order of how often they are touched, falling
  private final int[] ends; // by level: the first so many are due every 2^level words of a thread

  private HotRows(int[] rows, int[] ends) {
    this.rows = rows;
    this.ends = ends;
  }

  /**
   * Chooses rows; none for so many threads, at such a rate, that merges would have to be frequent.
   *
   * @param touches by row: how many times a thread touches it for one word, on average
   * @param rate the first learning rate
   * @param words of a thread between two pauses
   * @param most how many may be chosen
   */
  static HotRows of(double[] touches, int threads, double rate, double words, int most) {
    double between = MOST_STEPS / (threads * threads * rate);
    if (between < LEAST_BETWEEN) {
      return NONE;
    }
    int[] rows =
        IntStream.range(0, touches.length)
            .filter(row -> touches[row] * words >= LEAST_TOUCHES)
            .boxed()
            .sorted((a, b) -> Double.compare(touches[b], touches[a]))
            .limit(most)
            .mapToInt(row -> row)
            .toArray();
    int[] ends = new int[LEVELS];
    for (int row : rows) {
      ends[level(between / touches[row])]++;
    }
    for (int level = 1; level < LEVELS; level++) {
      ends[level] += ends[level - 1];
    }
    return new HotRows(rows, ends);
  }

  /** Returns the level of a row that is due after so many words. */
  private static int level(double words) {
    return Math.clamp(Math.getExponent(words), 0, LEVELS - 1);
  }

  /** Returns how many rows there are. */
  int size() {
    return rows.length;
  }

  /** Returns a row: 0 for the one that is touched most. */
  int row(int rank) {
    return rows[rank];
  }

  /** Returns how many rows are due when a thread has gone from so many words to so many. */
  int due(long before, long after) {
    int level = 63 - Long.numberOfLeadingZeros(before ^ after); // the highest that was passed
    return level < 0 ? 0 : ends[Math.min(level, LEVELS - 1)];
  }
}
