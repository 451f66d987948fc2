package dev.rowan.analysis.compare;

import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Search;

/**
 * How alike two rows are, and how much that is in their table.
 *
 * @param cosine in [−1, 1]
 * @param dot the dot product
 * @param distance the Euclidean distance
 * @param rankFromFirst the second row's place among the neighbours of the first by cosine: 1 is the
 *     nearest, the first itself left out; 0 if the two are one row
 * @param rankFromSecond the other way round
 * @param baseline the mean cosine over all distinct pairs of rows
 */
public record Likeness(
    double cosine,
    double dot,
    double distance,
    long rankFromFirst,
    long rankFromSecond,
    double baseline) {

  /**
   * Compares two rows. Reads the table a few times for the ranks.
   *
   * @throws IllegalArgumentException if a row is not finite
   * @throws IndexOutOfBoundsException if a row is not in the table
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static Likeness of(Search search, long first, long second) {
    Query a = Query.row(search.table(), first);
    Query b = Query.row(search.table(), second);
    return new Likeness(
        search.score(a, Metric.COSINE, second),
        search.score(a, Metric.DOT, second),
        -search.score(a, Metric.EUCLIDEAN, second) + 0.0, // no −0
        first == second ? 0 : search.rank(a, Metric.COSINE, second),
        first == second ? 0 : search.rank(b, Metric.COSINE, first),
        search.table().statistics(search.workers()).meanCosine());
  }
}
