package dev.rowan.app.answers;

import dev.rowan.core.Hit;
import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Scope;
import dev.rowan.core.Search;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows closest to some points, from one pass over the table.
 *
 * @param results one a point, in order
 * @param baseline the mean cosine over all distinct pairs of rows of the table that was searched
 */
public record Neighbours(List<Result> results, double baseline) {

  /** Copies the list. */
  public Neighbours {
    results = List.copyOf(results);
  }

  /**
   * What lies close to one point.
   *
   * @param hits the closest rows, best first
   */
  public record Result(Asking.Point point, List<Hit> hits) {
    /** Copies the list. */
    public Result {
      hits = List.copyOf(hits);
    }
  }

  /**
   * Searches all rows. As {@link #of(Search, List, Metric, int, Scope)}.
   *
   * @param k how many rows a point, 0 or more; all where the table has fewer
   */
  public static Neighbours of(Search search, List<Asking.Point> points, Metric metric, int k) {
    return of(search, points, metric, k, Scope.all());
  }

  /**
   * Searches.
   *
   * @param k how many rows a point, 0 or more; all where the scope has fewer
   * @param scope which rows may be answers
   * @throws IllegalArgumentException if k is negative
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static Neighbours of(
      Search search, List<Asking.Point> points, Metric metric, int k, Scope scope) {
    List<Query> queries = points.stream().map(Asking.Point::query).toList();
    int most = (int) Math.min(k, search.table().rows());
    List<List<Hit>> hits = search.nearest(queries, metric, most, scope);
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      results.add(new Result(points.get(i), hits.get(i)));
    }
    return new Neighbours(results, search.table().statistics(search.workers()).meanCosine());
  }
}
