package dev.rowan.analysis.map;

import java.util.Arrays;

/**
 * Exact nearest points in the plane, ties by lower number: a k-d tree by medians, laid out as
 * ranges of one array. Immutable; safe for any number of threads.
 */
final class FlatNeighbours {
  private static final int LEAF = 12;

  private final double[] x;
  private final double[] y;
  private final int[] points;

  FlatNeighbours(double[] x, double[] y) {
    this.x = x;
    this.y = y;
    this.points = new int[x.length];
    Arrays.setAll(points, i -> i);
    split(0, points.length, true);
  }

  private void split(int from, int to, boolean byX) {
    if (to - from > LEAF) {
      double[] axis = byX ? x : y;
      int middle = (from + to) >>> 1;
      select(axis, from, to, middle);
      split(from, middle, !byX);
      split(middle + 1, to, !byX);
    }
  }

  /** Puts the point that belongs at a place there, smaller ones before it (Hoare 1961). */
  private void select(double[] axis, int begin, int end, int place) {
    int from = begin;
    int to = end - 1;
    while (from < to) {
      double pivot = axis[points[(from + to) >>> 1]];
      int i = from;
      int j = to;
      while (i <= j) {
        while (axis[points[i]] < pivot) {
          i++;
        }
        while (axis[points[j]] > pivot) {
          j--;
        }
        if (i <= j) {
          int held = points[i];
          points[i++] = points[j];
          points[j--] = held;
        }
      }
      if (place <= j) {
        to = j;
      } else if (place >= i) {
        from = i;
      } else {
        return;
      }
    }
  }

  /** One worker's search. */
  final class Finder {
    private final int[] found;
    private final double[] squared;
    private int size;
    private double atX;
    private double atY;
    private int self;

    Finder(int k) {
      found = new int[k];
      squared = new double[k];
    }

    /**
     * Finds the k points nearest to a place.
     *
     * @param self the point left out, −1 for none
     * @return points, nearest first; fewer than k if there are fewer; valid until the next call
     */
    int[] nearest(double placeX, double placeY, int self) {
      size = 0;
      atX = placeX;
      atY = placeY;
      this.self = self;
      walk(0, points.length, true);
      return size == found.length ? found : Arrays.copyOf(found, size);
    }

    private void walk(int from, int to, boolean byX) {
      if (to - from <= LEAF) {
        for (int o = from; o < to; o++) {
          offer(points[o]);
        }
        return;
      }
      int middle = (from + to) >>> 1;
      int point = points[middle];
      double offset = byX ? atX - x[point] : atY - y[point];
      if (offset < 0) {
        walk(from, middle, !byX);
      } else {
        walk(middle + 1, to, !byX);
      }
      // on a tie the far side may hold a lower number
      if (size < found.length || offset * offset <= squared[size - 1]) {
        offer(point);
        if (offset < 0) {
          walk(middle + 1, to, !byX);
        } else {
          walk(from, middle, !byX);
        }
      }
    }

    private void offer(int point) {
      if (point == self) {
        return;
      }
      double dx = x[point] - atX;
      double dy = y[point] - atY;
      double distance = dx * dx + dy * dy;
      if (size == found.length && !isBefore(distance, point, size - 1)) {
        return;
      }
      int at = size == found.length ? size - 1 : size++;
      while (at > 0 && isBefore(distance, point, at - 1)) {
        found[at] = found[at - 1];
        squared[at] = squared[at - 1];
        at--;
      }
      found[at] = point;
      squared[at] = distance;
    }

    private boolean isBefore(double distance, int point, int place) {
      return distance < squared[place] || (distance == squared[place] && point < found[place]);
    }
  }
}
