package dev.rowan.analysis.map;

import dev.rowan.core.Counted;
import dev.rowan.core.Ids;
import dev.rowan.core.Metric;
import dev.rowan.core.RowStatistics;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rows to be mapped as a table of their own: each once, all finite, none zero under cosine.
 *
 * @param table row i is point i
 * @param ids the ids of the points in the table they came from
 * @param leftOut ids without a place
 * @param notes what was left out, in words
 */
@SuppressWarnings("ArrayRecordComponent") // handed on inside this package, never compared
record MapPoints(Table table, long[] ids, long[] leftOut, List<String> notes) {
  /** More than any vocabulary; the affinities of so many points fill an array of 2^31 places. */
  static final int MOST = 10_000_000;

  int count() {
    return ids.length;
  }

  /** Takes all rows, in place where nothing has to be left out. */
  static MapPoints all(Table table, Metric metric, Workers workers) {
    checkCount(table.rows());
    long[] ids = new long[(int) table.rows()];
    Arrays.setAll(ids, i -> i);
    return placed(table, ids, metric, workers, new ArrayList<>());
  }

  /** Takes the given rows. */
  static MapPoints of(Table table, long[] asked, Metric metric, Workers workers) {
    checkCount(asked.length);
    long[] ids = Arrays.stream(asked).distinct().toArray();
    List<String> notes = new ArrayList<>();
    if (ids.length < asked.length) {
      notes.add(
          Counted.of(
              asked.length - ids.length,
              "row was asked for more than once and is drawn once",
              "rows were asked for more than once and are drawn once"));
    }
    return placed(gather(table, ids), ids, metric, workers, notes);
  }

  private static void checkCount(long count) {
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException(
          "a map of %,d rows; it takes 1 to %,d: ask for fewer, the most frequent ones say"
              .formatted(count, MOST));
    }
  }

  private static MapPoints placed(
      Table rows, long[] ids, Metric metric, Workers workers, List<String> notes) {
    RowStatistics statistics = rows.statistics(workers);
    Map<String, List<Integer>> bad = new LinkedHashMap<>();
    List<Integer> good = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      float norm = statistics.norm(i);
      if (!Float.isFinite(norm)) {
        bad.computeIfAbsent("not finite", _ -> new ArrayList<>()).add(i);
      } else if (norm == 0 && metric == Metric.COSINE) {
        bad.computeIfAbsent("zero and have no direction", _ -> new ArrayList<>()).add(i);
      } else {
        good.add(i);
      }
    }
    if (good.isEmpty()) {
      throw new IllegalArgumentException(
          "none of the %,d rows can be mapped: they are %s"
              .formatted(ids.length, String.join(" or ", bad.keySet())));
    }
    if (bad.isEmpty()) {
      return new MapPoints(rows, ids, new long[0], notes);
    }
    bad.forEach((why, which) ->
        notes.add("left out %s: %s".formatted(Counted.of(which.size(), "row"), why)));
    long[] places = good.stream().mapToLong(i -> i).toArray();
    return new MapPoints(
        gather(rows, places),
        good.stream().mapToLong(i -> ids[i]).toArray(),
        bad.values().stream().flatMap(List::stream).mapToLong(i -> ids[i]).sorted().toArray(),
        notes);
  }

  private static Table gather(Table table, long[] ids) {
    long bytes = Math.multiplyExact(4L * table.width(), (long) ids.length);
    MemorySegment rows = Arena.ofAuto().allocate(bytes, 64); // freed with the table
    table.lookup(Ids.of(ids), rows);
    return Table.over(rows, ids.length, table.width(), FloatFormat.F32);
  }
}
