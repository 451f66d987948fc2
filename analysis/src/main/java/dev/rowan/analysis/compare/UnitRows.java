package dev.rowan.analysis.compare;

import dev.rowan.core.Query;
import dev.rowan.core.Table;

/** Rows at unit norm, in double. */
final class UnitRows {
  private UnitRows() {}

  /**
   * Returns a row scaled to unit norm; a zero row stays zero.
   *
   * @throws IllegalArgumentException if the row is not finite
   */
  static double[] of(Table table, long id) {
    return scaled(Query.row(table, id).vector());
  }

  /** Returns a vector scaled to unit norm; a zero vector stays zero. */
  static double[] scaled(double[] vector) {
    double norm = Math.sqrt(dot(vector, vector));
    double[] unit = vector.clone();
    for (int i = 0; i < unit.length; i++) {
      unit[i] = norm == 0 ? 0 : unit[i] / norm;
    }
    return unit;
  }

  static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
