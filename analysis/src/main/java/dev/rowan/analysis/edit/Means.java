package dev.rowan.analysis.edit;

import dev.rowan.core.Workers;
import java.util.function.Supplier;

/** Sums over rows, in double and in the order of the rows, whatever the number of threads. */
final class Means {
  private static final int LEAST_CHUNK = 1024; // rows, so that a chunk is worth its start
  private static final int MOST_CHUNKS = 512; // since each holds a row of sums

  private Means() {}

  /**
   * The mean of rows.
   *
   * @param mean of the rows that are finite; zeros if there is none
   * @param finite how many those are
   */
  @SuppressWarnings("ArrayRecordComponent") // a plain carrier inside this package, never compared
  record Mean(double[] mean, long finite) {}

  /** Returns the mean of rows [0, {@code rows}). Reads all of them once. */
  static Mean of(Supplier<Blend.Reader> readers, long rows, int width, Workers workers) {
    long chunk = Math.max(LEAST_CHUNK, Math.ceilDiv(rows, (long) MOST_CHUNKS));
    int chunks = (int) Math.ceilDiv(rows, chunk);
    double[][] sums = new double[chunks][];
    long[] counts = new long[chunks];
    workers.run(
        chunks,
        () -> {
          Blend.Reader reader = readers.get();
          float[] row = new float[width];
          return number -> {
            double[] sum = new double[width];
            long from = number * chunk;
            for (long id = from; id < Math.min(rows, from + chunk); id++) {
              reader.read(id, row);
              if (isFinite(row)) {
                counts[(int) number]++;
                for (int i = 0; i < width; i++) {
                  sum[i] += row[i];
                }
              }
            }
            sums[(int) number] = sum;
          };
        });
    double[] mean = new double[width];
    long finite = 0;
    for (int c = 0; c < chunks; c++) {
      finite += counts[c];
      for (int i = 0; i < width; i++) {
        mean[i] += sums[c][i];
      }
    }
    for (int i = 0; i < width; i++) {
      mean[i] /= Math.max(1, finite);
    }
    return new Mean(mean, finite);
  }

  static boolean isFinite(float[] row) {
    float spoiled = 0;
    for (float value : row) {
      spoiled += value * 0; // NaN as soon as one is not finite
    }
    return spoiled == 0;
  }
}
