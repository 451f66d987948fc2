package dev.rowan.app.answers;

import dev.rowan.core.OutOfRange;
import dev.rowan.core.Query;
import dev.rowan.core.RowStatistics;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import dev.rowan.core.kernel.Exact;
import java.util.Arrays;

/**
 * How the cosines of one vector with all rows are spread.
 *
 * @param counts how many rows fall into each of {@code counts.length} bins of equal width over [−1,
 *     1]; the last bin holds 1 itself
 * @param rows how many rows were counted: the finite ones that the query does not leave out
 * @param mean the mean of their cosines
 * @param deviation the standard deviation of their cosines
 */
@SuppressWarnings("ArrayRecordComponent") // carries numbers to a chart, never compared
public record CosineHistogram(long[] counts, long rows, double mean, double deviation) {
  private static final int CHUNK_ROWS = 1024;

  /**
   * Counts the cosines of every row. Reads the whole table once.
   *
   * @param bins how many bins, 1 to 1000
   * @throws IllegalArgumentException if {@code bins} is out of range or the query does not fit
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static CosineHistogram of(Search search, Query query, int bins) {
    OutOfRange.check("bins", bins, 1, 1000);
    Table table = search.table();
    if (query.width() != table.width()) {
      throw new IllegalArgumentException(
          "the query has %d numbers but the table's width is %d"
              .formatted(query.width(), table.width()));
    }
    RowStatistics statistics = table.statistics(search.workers());
    double[] vector = query.vector();
    double norm = Math.sqrt(Exact.squaredNorm(vector));
    long[] excluded = query.excluded();
    int chunks = Math.toIntExact(Math.ceilDiv(table.rows(), CHUNK_ROWS));
    Part[] parts = new Part[chunks];
    search
        .workers()
        .run(
            chunks,
            () -> {
              float[] row = new float[table.width()];
              return chunk -> {
                Part part = new Part(bins);
                long end = Math.min(table.rows(), (chunk + 1) * CHUNK_ROWS);
                for (long id = chunk * CHUNK_ROWS; id < end; id++) {
                  double rowNorm = statistics.norm(id);
                  if (Double.isFinite(rowNorm) && Arrays.binarySearch(excluded, id) < 0) {
                    table.copyRow(id, row, 0);
                    double product = norm * Math.sqrt(Exact.dot(row, 0, row, 0, row.length));
                    part.add(product == 0 ? 0 : Exact.dot(row, vector) / product);
                  }
                }
                parts[(int) chunk] = part;
              };
            });
    Part all = new Part(bins);
    for (Part part : parts) { // in chunk order: the same bits for any number of threads
      all.add(part);
    }
    return all.histogram();
  }

  /** Counts and sums of some rows. */
  private static final class Part {
    private final long[] counts;
    private long rows;
    private double sum;
    private double squares;

    Part(int bins) {
      counts = new long[bins];
    }

    void add(double cosine) {
      double clamped = Math.clamp(cosine, -1, 1);
      counts[Math.min(counts.length - 1, (int) ((clamped + 1) / 2 * counts.length))]++;
      rows++;
      sum += clamped;
      squares += clamped * clamped;
    }

    void add(Part other) {
      for (int i = 0; i < counts.length; i++) {
        counts[i] += other.counts[i];
      }
      rows += other.rows;
      sum += other.sum;
      squares += other.squares;
    }

    CosineHistogram histogram() {
      double mean = rows == 0 ? Double.NaN : sum / rows;
      double variance = rows == 0 ? Double.NaN : Math.max(0, squares / rows - mean * mean);
      return new CosineHistogram(counts, rows, mean, Math.sqrt(variance));
    }
  }
}
