package dev.rowan.app.answers;

import dev.rowan.core.Query;
import dev.rowan.core.Table;
import dev.rowan.core.kernel.Exact;
import java.util.List;

/**
 * A line from the mean of some rows, at −1, to the mean of some others, at +1: several opposed
 * pairs make a steadier line than one.
 */
public final class Axis {
  private final double[] middle;
  private final double[] half; // from the middle to the +1 end
  private final double squared;

  private Axis(double[] middle, double[] half, double squared) {
    this.middle = middle;
    this.half = half;
    this.squared = squared;
  }

  /**
   * Where a row falls on the line.
   *
   * @param position −1 at one end, +1 at the other; may lie beyond them
   * @param cosine of the angle between the line and the way from its middle to the row: how much of
   *     the row the line tells, in [−1, 1]
   */
  public record Place(double position, double cosine) {}

  /**
   * Returns the line between two sets of rows.
   *
   * @throws IllegalArgumentException if either is empty, a row is not finite, or both have the same
   *     mean
   */
  public static Axis between(Table table, List<Long> from, List<Long> to) {
    double[] minus = mean(table, from);
    double[] plus = mean(table, to);
    double[] middle = new double[minus.length];
    double[] half = new double[minus.length];
    for (int i = 0; i < middle.length; i++) {
      middle[i] = (plus[i] + minus[i]) / 2;
      half[i] = (plus[i] - minus[i]) / 2;
    }
    double squared = Exact.squaredNorm(half);
    if (!(squared > 0)) {
      throw new IllegalArgumentException("both ends of the axis are the same place; name others");
    }
    return new Axis(middle, half, squared);
  }

  private static double[] mean(Table table, List<Long> ids) {
    if (ids.isEmpty()) {
      throw new IllegalArgumentException("an end of the axis has no token; name one or more");
    }
    double[] mean = new double[table.width()];
    for (long id : ids) {
      double[] row = Query.row(table, id).vector();
      for (int i = 0; i < mean.length; i++) {
        mean[i] += row[i] / ids.size();
      }
    }
    return mean;
  }

  /**
   * Returns where a row falls.
   *
   * @throws IllegalArgumentException if it is not finite
   */
  public Place place(Table table, long id) {
    double[] row = Query.row(table, id).vector();
    double along = 0;
    double length = 0;
    for (int i = 0; i < row.length; i++) {
      double way = row[i] - middle[i];
      along += way * half[i];
      length += way * way;
    }
    double product = Math.sqrt(length * squared);
    return new Place(along / squared, product == 0 ? 0 : Math.clamp(along / product, -1, 1));
  }
}
