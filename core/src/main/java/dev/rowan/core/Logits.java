package dev.rowan.core;

import dev.rowan.core.kernel.Exact;
import java.util.List;

/**
 * What a vector scores at the output: h · row for every row, the unembedding.
 *
 * @param top the k highest logits, best first, ties by lower id
 * @param logSumExp ln Σ exp(logit) over all finite rows, summed in double; −∞ if there is none
 */
public record Logits(List<Hit> top, double logSumExp) {
  private static final int CHUNK_ROWS = 1024;

  /** Copies the list. */
  public Logits {
    top = List.copyOf(top);
  }

  /** Returns the probability of a logit: its share of the softmax over all rows, in [0, 1]. */
  public double probability(double logit) {
    return Math.min(1, Math.exp(logit - logSumExp));
  }

  /**
   * Scores a vector against every row.
   *
   * @param h the vector; what it excludes is left out of {@code top} but not of the sum
   * @param k how many logits to return, 0 or more
   * @throws IllegalArgumentException if k is negative or a width differs
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static Logits of(Search search, Query h, int k) {
    List<Hit> top = search.nearest(h, Metric.DOT, k);
    Table table = search.table();
    int chunks = Math.toIntExact(Math.ceilDiv(table.rows(), CHUNK_ROWS));
    double[] largest = new double[chunks];
    double[] sums = new double[chunks]; // Σ exp(logit − largest) of each chunk
    search
        .workers()
        .run(
            chunks,
            () -> {
              float[] row = new float[table.width()];
              double[] logits = new double[CHUNK_ROWS];
              return chunk -> {
                long first = chunk * CHUNK_ROWS;
                int count = (int) Math.min(CHUNK_ROWS, table.rows() - first);
                double most = Double.NEGATIVE_INFINITY;
                for (int r = 0; r < count; r++) {
                  table.copyRow(first + r, row, 0);
                  double squared = Exact.dot(row, 0, row, 0, row.length);
                  logits[r] =
                      Double.isFinite(squared)
                          ? Exact.dot(row, h.values())
                          : Double.NEGATIVE_INFINITY;
                  most = Math.max(most, logits[r]);
                }
                largest[(int) chunk] = most;
                sums[(int) chunk] = sumExp(logits, count, most);
              };
            });
    double most = Double.NEGATIVE_INFINITY;
    for (double l : largest) {
      most = Math.max(most, l);
    }
    double sum = 0;
    for (int c = 0; c < chunks; c++) {
      sum += sums[c] == 0 ? 0 : sums[c] * Math.exp(largest[c] - most);
    }
    return new Logits(top, most == Double.NEGATIVE_INFINITY ? most : most + Math.log(sum));
  }

  private static double sumExp(double[] logits, int count, double most) {
    if (most == Double.NEGATIVE_INFINITY) {
      return 0;
    }
    double sum = 0;
    for (int r = 0; r < count; r++) {
      sum += Math.exp(logits[r] - most);
    }
    return sum;
  }
}
