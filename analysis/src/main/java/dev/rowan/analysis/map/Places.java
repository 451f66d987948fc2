package dev.rowan.analysis.map;

/** Places among n points by a key, the largest first, ties by lower number. */
final class Places {
  private Places() {}

  static boolean isBefore(double key, int point, double otherKey, int other) {
    return key > otherKey || (key == otherKey && point < other);
  }

  /**
   * Finds the k points of the largest keys.
   *
   * @param self the point left out
   * @param best receives k points, best first
   */
  static void best(double[] keys, int self, int[] best) {
    int size = 0;
    for (int j = 0; j < keys.length; j++) {
      if (j == self) {
        continue;
      }
      double key = keys[j];
      if (size == best.length && !(key > keys[best[size - 1]])) {
        continue; // on a tie the one before has the lower number
      }
      int at = size == best.length ? size - 1 : size++;
      while (at > 0 && key > keys[best[at - 1]]) {
        best[at] = best[at - 1];
        at--;
      }
      best[at] = j;
    }
  }

  /**
   * Returns Σ max(0, place − k) over k points, 1 being the place of the best.
   *
   * @param self the point left out
   */
  static long lateness(double[] keys, int self, int[] points) {
    int k = points.length;
    double lowest = Double.POSITIVE_INFINITY;
    for (int point : points) {
      lowest = Math.min(lowest, keys[point]);
    }
    long[] places = new long[k];
    java.util.Arrays.fill(places, 1);
    for (int j = 0; j < keys.length; j++) {
      double key = keys[j];
      if (key < lowest || j == self) {
        continue;
      }
      for (int m = 0; m < k; m++) {
        if (isBefore(key, j, keys[points[m]], points[m])) {
          places[m]++;
        }
      }
    }
    long late = 0;
    for (long place : places) {
      late += Math.max(0, place - k);
    }
    return late;
  }

  /** Returns how many numbers two lists have in common. */
  static int common(int[] a, int[] b) {
    int common = 0;
    for (int x : a) {
      for (int y : b) {
        common += x == y ? 1 : 0;
      }
    }
    return common;
  }
}
