package dev.rowan.train;

import dev.rowan.train.kernel.WindowKernels;

/**
 * A thread's own copies of {@link HotRows}, on which it learns instead of the rows that all share.
 *
 * <p>Words come by Zipf's law: a few thousand rows take nearly all the touches, and each touch
 * writes. Were these rows shared, their cache lines would wander from processor to processor with
 * every window, which costs more than the window's arithmetic: two processors whose caches are far
 * apart learn more slowly than one. So each thread changes its replicas, and every so many words
 * {@link WindowKernels#merge} adds what a replica moved by to the shared row and takes over what
 * others have added: rows are sums of everybody's steps, as without replicas, a little late. Rows
 * that are touched seldom are shared without replicas (Niu et al. 2011). A single thread needs
 * none, and would get the same bytes with them.
 *
 * <p>One thread's own.
 */
final class Replicas {
  private final HotRows hot;
  private final WindowKernels kernels;
  private final Weights weights;
  private final float[] rows; // shared ones and, behind them, everybody's replicas
  private final int first; // where the replicas begin
  private final float[] base; // what they were after the last merge
  private final int[] offsets; // by row: of the replica, or of the row where there is none
  private long words;

  private Replicas(
      HotRows hot, Weights weights, float[] rows, int count, int first, WindowKernels kernels) {
    this.hot = hot;
    this.kernels = kernels;
    this.weights = weights;
    this.rows = rows;
    this.first = first;
    this.base = new float[weights.offset(hot.size())];
    this.offsets = new int[count];
    for (int row = 0; row < count; row++) {
      offsets[row] = weights.offset(row);
    }
    for (int rank = 0; rank < hot.size(); rank++) {
      int from = offsets[hot.row(rank)];
      int to = first + rank * weights.stride();
      System.arraycopy(rows, from, rows, to, weights.stride());
      System.arraycopy(rows, from, base, weights.offset(rank), weights.stride());
      offsets[hot.row(rank)] = to;
    }
  }

  /** Copies the hot input rows as they are, into a thread's spare rows. */
  static Replicas ofInput(Lesson lesson, int thread, WindowKernels kernels) {
    Weights weights = lesson.weights();
    int first = weights.spareInput(thread * lesson.spareInputs());
    return new Replicas(
        lesson.hotInputs(), weights, weights.input(), weights.inputRows(), first, kernels);
  }

  /** Copies the hot output rows as they are, into a thread's spare rows. */
  static Replicas ofOutput(Lesson lesson, int thread, WindowKernels kernels) {
    Weights weights = lesson.weights();
    int first = weights.spareOutput(thread * lesson.hotOutputs().size());
    return new Replicas(
        lesson.hotOutputs(), weights, weights.output(), weights.outputRows(), first, kernels);
  }

  /** Returns by row where it begins for this thread. */
  int[] offsets() {
    return offsets;
  }

  /** Notes that so many words were learned from, and merges what is due. */
  void advance(int count) {
    long before = words;
    words += count;
    merge(0, hot.due(before, words));
  }

  /** Merges a part of all replicas; for pauses, when no thread learns. */
  void mergePart(long part, int parts) {
    merge((int) (part * hot.size() / parts), (int) ((part + 1) * hot.size() / parts));
  }

  private void merge(int from, int to) {
    int stride = weights.stride();
    for (int rank = from; rank < to; rank++) {
      int row = weights.offset(hot.row(rank));
      kernels.merge(rows, row, first + rank * stride, base, weights.offset(rank), stride);
    }
  }
}
