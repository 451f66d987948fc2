package dev.rowan.analysis.compare;

import dev.rowan.core.Hit;
import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import java.util.List;

/**
 * The line from one row to another, both at unit norm, and where rows lie along it.
 *
 * <p>Immutable and safe for any number of threads.
 */
public final class Axis {
  private final Table table;
  private final long from;
  private final long to;
  private final double[] start;
  private final double[] step;
  private final double length;

  private Axis(Table table, long from, long to, double[] start, double[] step) {
    this.table = table;
    this.from = from;
    this.to = to;
    this.start = start;
    this.step = step;
    this.length = Math.sqrt(UnitRows.dot(step, step));
  }

  /**
   * A row beside the line.
   *
   * @param id the row
   * @param position where it projects to: 0 at the first row, 1 at the second, beyond them too
   * @param cosine of the angle between the line and the way from its first row to this one: ±1 on
   *     the line, near 0 where the position says little; 0 for the first row itself
   */
  public record Place(long id, double position, double cosine) {}

  /**
   * Returns the line between two rows.
   *
   * @throws IllegalArgumentException if a row is not finite, or the two point the same way
   * @throws IndexOutOfBoundsException if a row is not in the table
   */
  public static Axis between(Table table, long from, long to) {
    double[] start = UnitRows.of(table, from);
    double[] end = UnitRows.of(table, to);
    double[] step = new double[start.length];
    for (int i = 0; i < step.length; i++) {
      step[i] = end[i] - start[i];
    }
    if (UnitRows.dot(step, step) < 1e-24) {
      throw new IllegalArgumentException(
          "rows %d and %d point the same way, so there is no line between them"
              .formatted(from, to));
    }
    return new Axis(table, from, to, start, step);
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

  /** Returns the rows that point most in the direction of the line, its two ends left out. */
  public List<Hit> farthest(Search search, int k) {
    return search.nearest(Query.of(step).excluding(from, to), Metric.COSINE, k);
  }

  /** Returns the rows that point most against the direction of the line, its ends left out. */
  public List<Hit> farthestBack(Search search, int k) {
    double[] back = new double[step.length];
    for (int i = 0; i < back.length; i++) {
      back[i] = -step[i];
    }
    return search.nearest(Query.of(back).excluding(from, to), Metric.COSINE, k);
  }
}
