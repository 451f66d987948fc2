package dev.rowan.analysis.audit;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Points in a grid of cells as wide as the distance that matters, so that points within that
 * distance lie in the same or adjacent cells.
 */
final class Cells {
  private final float[] points; // q numbers each, by id
  private final int q;
  private final double reach;
  private final int[] ids; // by cell
  private final int[] starts; // of each cell in ids
  private final int[][] later; // adjacent cells with a larger number

  private Cells(float[] points, int q, double reach, int[] ids, int[] starts, int[][] later) {
    this.points = points;
    this.q = q;
    this.reach = reach;
    this.ids = ids;
    this.starts = starts;
    this.later = later;
  }

  /** A cell's place in the grid. */
  private record Place(int x, int y, int z) {}

  /**
   * Sorts points into cells.
   *
   * @param points q numbers for each id
   * @param axes how many of them the grid has, 1 to 3
   * @param reach the width of a cell
   * @param ids the points that take part, ascending
   */
  static Cells of(float[] points, int q, int axes, double reach, int[] ids) {
    Map<Place, Integer> numbers = new HashMap<>();
    int[] cellOf = new int[ids.length];
    for (int i = 0; i < ids.length; i++) {
      int at = ids[i] * q;
      Place place =
          new Place(
              cell(points[at], reach),
              axes > 1 ? cell(points[at + 1], reach) : 0,
              axes > 2 ? cell(points[at + 2], reach) : 0);
      cellOf[i] = numbers.computeIfAbsent(place, _ -> numbers.size());
    }
    int[] starts = new int[numbers.size() + 1];
    for (int cell : cellOf) {
      starts[cell + 1]++;
    }
    for (int c = 0; c < numbers.size(); c++) {
      starts[c + 1] += starts[c];
    }
    int[] next = starts.clone();
    int[] sorted = new int[ids.length];
    for (int i = 0; i < ids.length; i++) {
      sorted[next[cellOf[i]]++] = ids[i];
    }
    return new Cells(points, q, reach, sorted, starts, later(numbers));
  }

  private static int cell(float x, double reach) {
    return (int) Math.floor(Math.clamp(x / reach, -1e9, 1e9));
  }

  private static int[][] later(Map<Place, Integer> numbers) {
    int[][] later = new int[numbers.size()][];
    numbers.forEach((place, number) -> {
      int[] found = new int[26];
      int count = 0;
      for (int step = 0; step < 27; step++) {
        Integer other =
            numbers.get(
                new Place(
                    place.x() + step % 3 - 1,
                    place.y() + step / 3 % 3 - 1,
                    place.z() + step / 9 - 1));
        if (other != null && other > number) {
          found[count++] = other;
        }
      }
      later[number] = Arrays.copyOf(found, count);
    });
    return later;
  }

  int count() {
    return later.length;
  }

  private long size(int cell) {
    return (long) starts[cell + 1] - starts[cell];
  }

  /** Returns how many pairs lie in the same or adjacent cells. */
  long pairs() {
    long pairs = 0;
    for (int c = 0; c < count(); c++) {
      pairs += size(c) * (size(c) - 1) / 2;
      for (int other : later[c]) {
        pairs += size(c) * size(other);
      }
    }
    return pairs;
  }

  /**
   * Returns the pairs of a cell, within it and with later ones, that are within reach in all q
   * numbers: the lower id in the upper half. Stops at a number of pairs.
   */
  long[] close(int cell, int most) {
    long[] found = new long[64];
    int count = 0;
    double limit = reach * reach;
    for (int i = starts[cell]; i < starts[cell + 1]; i++) {
      int a = ids[i];
      for (int part = -1; part < later[cell].length; part++) {
        int from = part < 0 ? i + 1 : starts[later[cell][part]];
        int to = part < 0 ? starts[cell + 1] : starts[later[cell][part] + 1];
        for (int j = from; j < to; j++) {
          if (isClose(a, ids[j], limit)) {
            if (count == found.length) {
              found = Arrays.copyOf(found, (int) Math.min(most, 2L * count));
            }
            int b = ids[j];
            found[count++] = (long) Math.min(a, b) << 32 | Math.max(a, b);
            if (count == most) {
              return found;
            }
          }
        }
      }
    }
    return Arrays.copyOf(found, count);
  }

  private boolean isClose(int a, int b, double limit) {
    int x = a * q;
    int y = b * q;
    double sum = 0;
    for (int i = 0; i < q; i++) {
      float difference = points[x + i] - points[y + i];
      sum += difference * difference;
      if (sum > limit) {
        return false;
      }
    }
    return true;
  }
}
