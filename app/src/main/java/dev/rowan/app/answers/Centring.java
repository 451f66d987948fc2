package dev.rowan.app.answers;

import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A table whose mean row is taken away from every row: cosines of such rows measure the angle seen
 * from the middle of the table instead of from the origin.
 *
 * <p>The mean is over the finite rows, summed in double in row order; the differences are stored as
 * float32. Non-finite rows stay as they are.
 */
public final class Centring {
  /** Bytes that a centred copy may take. */
  public static final long MOST_BYTES = 4L << 30;

  private static final int CHUNK_ROWS = 1024;

  private Centring() {}

  /**
   * Returns a centred copy of a table, in memory that is freed when nobody uses it any more. Reads
   * the table twice.
   *
   * @throws IllegalArgumentException if the copy would take more than {@link #MOST_BYTES}
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static Table of(Table table, Workers workers) {
    long rows = table.rows();
    int width = table.width();
    long bytes = Math.multiplyExact(Math.multiplyExact(rows, width), (long) Float.BYTES);
    if (bytes > MOST_BYTES) {
      throw new IllegalArgumentException(
          "a centred copy of this table takes %,d bytes; at most %,d are spent on one"
              .formatted(bytes, MOST_BYTES));
    }
    double[] mean = mean(table, workers);
    MemorySegment copy = Arena.ofAuto().allocate(Math.max(1, bytes), Float.BYTES);
    workers.run(
        Math.ceilDiv(rows, CHUNK_ROWS),
        () -> {
          float[] row = new float[width];
          return chunk -> {
            long end = Math.min(rows, (chunk + 1) * CHUNK_ROWS);
            for (long id = chunk * CHUNK_ROWS; id < end; id++) {
              table.copyRow(id, row, 0);
              for (int i = 0; i < width; i++) {
                row[i] = (float) (row[i] - mean[i]);
              }
              MemorySegment.copy(
                  row, 0, copy, ValueLayout.JAVA_FLOAT, id * width * Float.BYTES, width);
            }
          };
        });
    return Table.over(copy, rows, width, FloatFormat.F32);
  }

  /** Returns the mean of the finite rows; zero where there is none. */
  static double[] mean(Table table, Workers workers) {
    int width = table.width();
    int chunks = Math.toIntExact(Math.ceilDiv(table.rows(), CHUNK_ROWS));
    double[][] sums = new double[chunks][];
    long[] counts = new long[chunks];
    workers.run(
        chunks,
        () -> {
          float[] row = new float[width];
          return chunk -> {
            double[] sum = new double[width];
            long end = Math.min(table.rows(), (chunk + 1) * CHUNK_ROWS);
            for (long id = chunk * CHUNK_ROWS; id < end; id++) {
              table.copyRow(id, row, 0);
              if (isFinite(row)) {
                counts[(int) chunk]++;
                for (int i = 0; i < width; i++) {
                  sum[i] += row[i];
                }
              }
            }
            sums[(int) chunk] = sum;
          };
        });
    double[] mean = new double[width];
    long count = 0;
    for (int c = 0; c < chunks; c++) { // in chunk order: the same bits for any number of threads
      count += counts[c];
      for (int i = 0; i < width; i++) {
        mean[i] += sums[c][i];
      }
    }
    for (int i = 0; i < width; i++) {
      mean[i] /= Math.max(1, count);
    }
    return mean;
  }

  private static boolean isFinite(float[] row) {
    for (float value : row) {
      if (!Float.isFinite(value)) {
        return false;
      }
    }
    return true;
  }
}
