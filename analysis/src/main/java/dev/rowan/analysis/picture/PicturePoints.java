package dev.rowan.analysis.picture;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The points of a map. Arrays are not copied: 300,000 points are ordinary.
 *
 * @param x one number a point, finite; grows to the right
 * @param y one number a point, finite; grows upwards
 * @param labels text of a point, any text; asked for points of {@code labelOrder} only
 * @param groups the group of each point, −1 for none; empty if there are no groups
 * @param groupNames names of the groups 0, 1, …
 * @param shades a number in [0, 1] for each point, NaN where unknown, to colour points without
 *     groups by; empty if there is none
 * @param labelOrder the points that want a label, most wanted first, each once
 * @param emphasised how many of those, from the first on, stand out
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier for numbers, never compared
public record PicturePoints(
    double[] x,
    double[] y,
    IntFunction<String> labels,
    int[] groups,
    List<String> groupNames,
    double[] shades,
    int[] labelOrder,
    int emphasised) {

  /**
   * Checks the sizes and the places.
   *
   * @throws IllegalArgumentException if they do not fit together or a place is not finite; the
   *     message names the point
   */
  public PicturePoints {
    int n = x.length;
    if (y.length != n
        || !(groups.length == 0 || groups.length == n)
        || !(shades.length == 0 || shades.length == n)) {
      throw new IllegalArgumentException(
          "a map of %,d points with %,d heights, %,d groups and %,d shades; they must be as many"
              .formatted(n, y.length, groups.length, shades.length));
    }
    for (int i = 0; i < n; i++) {
      if (!Double.isFinite(x[i]) || !Double.isFinite(y[i])) {
        throw new IllegalArgumentException(
            "point %,d lies at (%s, %s); leave points out that have no finite place"
                .formatted(i, x[i], y[i]));
      }
    }
    for (int group : groups) {
      if (group < -1 || group >= groupNames.size()) {
        throw new IllegalArgumentException(
            "group %d has no name; there are %d names".formatted(group, groupNames.size()));
      }
    }
    boolean[] seen = new boolean[n];
    for (int point : labelOrder) {
      if (point < 0 || point >= n || seen[point]) {
        throw new IllegalArgumentException(
            "a label for point %,d, which is there twice or not in [0, %,d)".formatted(point, n));
      }
      seen[point] = true;
    }
    if (emphasised < 0 || emphasised > labelOrder.length) {
      throw new IllegalArgumentException(
          "%,d emphasised of %,d labels".formatted(emphasised, labelOrder.length));
    }
    groupNames = List.copyOf(groupNames);
  }

  /** Returns points that all want a label, in their order. */
  public static PicturePoints of(double[] x, double[] y, IntFunction<String> labels) {
    int[] all = IntStream.range(0, x.length).toArray();
    return new PicturePoints(x, y, labels, new int[0], List.of(), new double[0], all, 0);
  }

  /** Returns these points in groups; −1 is none. */
  public PicturePoints withGroups(int[] group, List<String> names) {
    return new PicturePoints(x, y, labels, group, names, shades, labelOrder, emphasised);
  }

  /** Returns these points coloured by a number in [0, 1]; NaN where it is not known. */
  public PicturePoints withShades(double[] shade) {
    return new PicturePoints(x, y, labels, groups, groupNames, shade, labelOrder, emphasised);
  }

  /** Returns these points with labels for some, most wanted first. */
  public PicturePoints withLabels(int[] order, int standOut) {
    return new PicturePoints(x, y, labels, groups, groupNames, shades, order, standOut);
  }

  /** Returns how many points there are. */
  public int size() {
    return x.length;
  }

  /** Returns whether any point is in a group. */
  public boolean isGrouped() {
    return !groupNames.isEmpty() && Arrays.stream(groups).anyMatch(group -> group >= 0);
  }
}
