package dev.rowan.analysis.compare;

import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import java.util.OptionalLong;

/**
 * How alike two rows are, and how much that is in their table.
 *
 * @param cosine in [−1, 1]
 * @param dot the dot product
 * @param distance the Euclidean distance
 * @param rankFromFirst the second row's place among the neighbours of the first by cosine: 1 is the
 *     nearest, the first itself left out; 0 if the two are one row or the second has no row
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
   * One of the two that are compared: a row, or a vector without one.
   *
   * @param vector its numbers, its own row excluded
   * @param id its row
   */
  public record Side(Query vector, OptionalLong id) {
    /** Returns a row of a table. */
    public static Side row(Table table, long id) {
      return new Side(Query.row(table, id), OptionalLong.of(id));
    }
  }

  /**
   * Compares two rows. Reads the table a few times for the ranks.
   *
   * @throws IllegalArgumentException if a row is not finite
   * @throws IndexOutOfBoundsException if a row is not in the table
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static Likeness of(Search search, long first, long second) {
    return of(search, Side.row(search.table(), first), Side.row(search.table(), second));
  }

  /**
   * Compares rows, or vectors of float32 numbers of the same width that have no row. As {@link
   * #of(Search, long, long)}.
   */
  public static Likeness of(Search search, Side a, Side b) {
    Search pair = Search.over(single(b.vector()), search.workers());
    boolean same = a.id().isPresent() && a.id().equals(b.id());
    return new Likeness(
        pair.score(a.vector().excludingNothing(), Metric.COSINE, 0),
        pair.score(a.vector().excludingNothing(), Metric.DOT, 0),
        -pair.score(a.vector().excludingNothing(), Metric.EUCLIDEAN, 0) + 0.0, // no −0
        same ? 0 : rank(search, a.vector(), b.id()),
        same ? 0 : rank(search, b.vector(), a.id()),
        search.table().statistics(search.workers()).meanCosine());
  }

  private static long rank(Search search, Query from, OptionalLong id) {
    return id.isPresent() ? search.rank(from, Metric.COSINE, id.getAsLong()) : 0;
  }

  private static Table single(Query vector) {
    double[] numbers = vector.vector();
    float[] row = new float[numbers.length];
    for (int i = 0; i < row.length; i++) {
      row[i] = (float) numbers[i]; // they were float32
    }
    return Table.of(row.length, row);
  }
}
