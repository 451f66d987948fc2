package dev.rowan.app.answers;

import dev.rowan.core.Table;

/** The long way round: a one-hot vector times a table, multiplied out. */
public final class OneHot {
  private OneHot() {}

  /**
   * Returns one-hot(id) × table, all V × d products computed and added in row order.
   *
   * @throws IndexOutOfBoundsException if the id is not in [0, V)
   */
  public static float[] times(Table table, long id) {
    table.checkId(id);
    float[] sum = new float[table.width()];
    float[] row = new float[table.width()];
    for (long r = 0; r < table.rows(); r++) {
      table.copyRow(r, row, 0);
      float hot = r == id ? 1 : 0;
      for (int i = 0; i < sum.length; i++) {
        sum[i] += hot * row[i];
      }
    }
    return sum;
  }

  /** Returns whether two vectors are the same bits. */
  public static boolean sameBits(float[] a, float[] b) {
    boolean same = a.length == b.length;
    for (int i = 0; same && i < a.length; i++) {
      same = Float.floatToRawIntBits(a[i]) == Float.floatToRawIntBits(b[i]);
    }
    return same;
  }
}
