package dev.rowan.layer;

import dev.rowan.core.kernel.RowKernels;
import java.lang.foreign.MemorySegment;

/**
 * Rows of a table that wait to be moved by multiples of their gradients, four at a time so that
 * their cache misses overlap: on the way to a row of a big table the time goes into waiting.
 */
final class RowQueue {
  private static final int ROWS = 4;

  private final RowKernels kernels = RowKernels.best();
  private final int width;
  private final float[][] own; // room for gradients that lie nowhere as they are
  private final float[] factors = new float[ROWS];
  private final float[][] gradients = new float[ROWS][];
  private final int[] from = new int[ROWS];
  private final long[] rows = new long[ROWS];
  private int size;

  RowQueue(int width) {
    this.width = width;
    this.own = new float[ROWS][width];
  }

  /** Returns room for the gradient of the next row. */
  float[] room() {
    return own[size];
  }

  /**
   * Adds a row, and moves four if there are four. No row waits twice.
   *
   * @param gradient has the row's gradient from {@code from} on, and keeps it until the row moved
   * @param row the byte at which the row starts
   */
  void add(float factor, float[] gradient, int from, MemorySegment table, long row) {
    factors[size] = factor;
    gradients[size] = gradient;
    this.from[size] = from;
    rows[size] = row;
    size++;
    if (size == ROWS) {
      kernels.addScaledFour(factors, gradients, this.from, table, rows, width);
      size = 0;
    }
  }

  /** Moves the rows that still wait. */
  void flush(MemorySegment table) {
    for (int r = 0; r < size; r++) {
      kernels.addScaled(factors[r], gradients[r], from[r], table, rows[r], width);
    }
    size = 0;
  }
}
