package dev.rowan.analysis.compare;

import dev.rowan.core.Hit;
import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The line from one row to another, both at unit norm, and where rows lie along it. An end may be
 * the mean of several rows: opposed pairs make a steadier line than one.
 *
 * <p>Immutable and safe for any number of threads.
 */
public final class Axis {
  private final Table table;
  private final long[] ends; // the rows of both
  private final double[] start;
  private final double[] step;
  private final double length;

  private Axis(Table table, long[] ends, double[] start, double[] step) {
    this.table = table;
    this.ends = ends;
    this.start = start;
    this.step = step;
    this.length = Math.sqrt(UnitRows.dot(step, step));
  }

  /**
   * A row beside the line.
   *
   * @param id the row
   * @param position where it projects to: 0 at the start, 1 at the end, beyond them too
   * @param cosine of the angle between the line and the way from its start to this row: ±1 on the
   *     line, near 0 where the position says little; 0 for the start itself
   */
  public record Place(long id, double position, double cosine) {}

  /**
   * Returns the line between two rows.
   *
   * @throws IllegalArgumentException if a row is not finite, or the two point the same way
   * @throws IndexOutOfBoundsException if a row is not in the table
   */
  public static Axis between(Table table, long from, long to) {
    return between(table, List.of(from), List.of(to));
  }

  /**
   * Returns the line between the means of rows at unit norm.
   *
   * @throws IllegalArgumentException if there is no row at an end, one is not finite, or both ends
   *     are at one place
   * @throws IndexOutOfBoundsException if a row is not in the table
   */
  public static Axis between(Table table, List<Long> from, List<Long> to) {
    if (from.isEmpty() || to.isEmpty()) {
      throw new IllegalArgumentException("an end of the line has no row; it takes 1 or more");
    }
    double[] start = mean(table, from);
    double[] end = mean(table, to);
    double[] step = new double[start.length];
    for (int i = 0; i < step.length; i++) {
      step[i] = end[i] - start[i];
    }
    if (UnitRows.dot(step, step) < 1e-24) {
      throw new IllegalArgumentException(
          "rows %s and %s point the same way, so there is no line between them"
              .formatted(names(from), names(to)));
    }
    long[] ends = Stream.concat(from.stream(), to.stream()).mapToLong(Long::longValue).toArray();
    return new Axis(table, ends, start, step);
  }

  private static String names(List<Long> ids) {
    return ids.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private static double[] mean(Table table, List<Long> ids) {
    double[] mean = new double[table.width()];
    for (long id : ids) {
      double[] unit = UnitRows.of(table, id);
      for (int i = 0; i < mean.length; i++) {
        mean[i] += unit[i] / ids.size();
      }
    }
    return mean;
  }

  /**
   * Returns where a row lies.
   *
   * @throws IllegalArgumentException if the row is not finite
   * @throws IndexOutOfBoundsException if it is not in the table
   */
  public Place place(long id) {
    double[] way = UnitRows.of(table, id);
    for (int i = 0; i < way.length; i++) {
      way[i] -= start[i];
    }
    double along = UnitRows.dot(way, step);
    double distance = Math.sqrt(UnitRows.dot(way, way));
    double cosine = distance == 0 ? 0 : Math.clamp(along / (distance * length), -1, 1);
    return new Place(id, along / (length * length), cosine);
  }

  /**
   * Returns the rows that point most in the direction of the line, those of those of its ends left
   * out.
   */
  public List<Hit> farthest(Search search, int k) {
    return search.nearest(Query.of(step).excluding(ends), Metric.COSINE, k);
  }

  /**
   * Returns the rows that point most against the direction of the line, those of its ends left out.
   */
  public List<Hit> farthestBack(Search search, int k) {
    double[] back = new double[step.length];
    for (int i = 0; i < back.length; i++) {
      back[i] = -step[i];
    }
    return search.nearest(Query.of(back).excluding(ends), Metric.COSINE, k);
  }
}
