package dev.rowan.analysis.geometry;

import dev.rowan.core.Hit;
import dev.rowan.core.Ids;
import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Whether the nearest neighbour of a point is of its own group: in all dimensions, and on a map.
 * What is lost between the two is lost by the map.
 *
 * @param measured how many points that is asked of: those whose group has another member, or of
 *     more than 4,096 such points as many at equal distances
 * @param inAllDimensions how many of them have their nearest of all points with a group in their
 *     own one, by the metric over whole rows
 * @param onMap the same on the map
 */
public record GroupAgreement(int measured, int inAllDimensions, int onMap) {
  private static final int MOST = 4096;
  private static final int BATCH = 256;

  /**
   * Counts.
   *
   * @param ids the rows of the points
   * @param x their places on the map
   * @param y as x
   * @param groups their groups; negative for none
   * @return empty if no group has two members
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static Optional<GroupAgreement> of(
      Table table,
      Metric metric,
      long[] ids,
      double[] x,
      double[] y,
      int[] groups,
      Workers workers) {
    int[] members = IntStream.range(0, ids.length).filter(i -> groups[i] >= 0).toArray();
    int[] group = Arrays.stream(members).map(i -> groups[i]).toArray();
    int[] sizes = new int[Arrays.stream(group).max().orElse(-1) + 1];
    Arrays.stream(group).forEach(g -> sizes[g]++);
    int[] asked = IntStream.range(0, group.length).filter(m -> sizes[group[m]] > 1).toArray();
    if (asked.length == 0) {
      return Optional.empty();
    }
    int stride = Math.ceilDiv(asked.length, MOST);
    int[] chosen =
        IntStream.range(0, Math.ceilDiv(asked.length, stride))
            .map(i -> asked[i * stride])
            .toArray();
    Table rows = gathered(table, Arrays.stream(members).mapToLong(i -> ids[i]).toArray());
    float[] places = new float[2 * members.length];
    for (int m = 0; m < members.length; m++) {
      places[2 * m] = (float) x[members[m]];
      places[2 * m + 1] = (float) y[members[m]];
    }
    return Optional.of(
        new GroupAgreement(
            chosen.length,
            agreeing(Search.over(rows, workers), metric, chosen, group),
            agreeing(Search.over(Table.of(2, places), workers), Metric.EUCLIDEAN, chosen, group)));
  }

  private static Table gathered(Table table, long[] ids) {
    long bytes = Math.multiplyExact(4L * table.width(), (long) ids.length);
    MemorySegment rows = Arena.ofAuto().allocate(bytes, 64); // freed with the table
    table.lookup(Ids.of(ids), rows);
    return Table.over(rows, ids.length, table.width(), FloatFormat.F32);
  }

  private static int agreeing(Search search, Metric metric, int[] chosen, int[] group) {
    int agreeing = 0;
    for (int from = 0; from < chosen.length; from += BATCH) {
      int to = Math.min(chosen.length, from + BATCH);
      List<Query> queries = new ArrayList<>();
      for (int c = from; c < to; c++) {
        queries.add(Query.row(search.table(), chosen[c]));
      }
      List<List<Hit>> nearest = search.nearest(queries, metric, 1);
      for (int c = from; c < to; c++) {
        int neighbour = (int) nearest.get(c - from).getFirst().id();
        agreeing += group[neighbour] == group[chosen[c]] ? 1 : 0;
      }
    }
    return agreeing;
  }
}
