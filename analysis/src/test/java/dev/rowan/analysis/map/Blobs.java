package dev.rowan.analysis.map;

import dev.rowan.core.Table;

/**
 * Rows around a few centres, made by a rule that the scripts behind the expected numbers share:
 * centres of seed 11 minus 0.5, plus spread × (seed 12 minus 0.5), both by {@link Noise#uniform}.
 */
final class Blobs {
  private Blobs() {}

  static Table table(int rows, int width, int groups, double spread) {
    Noise centres = new Noise(11);
    Noise around = new Noise(12);
    float[] values = new float[rows * width];
    for (int i = 0; i < rows; i++) {
      for (int k = 0; k < width; k++) {
        double centre = centres.uniform((long) (i % groups) * width + k) - 0.5;
        double offset = spread * (around.uniform((long) i * width + k) - 0.5);
        values[i * width + k] = (float) (centre + offset);
      }
    }
    return Table.of(width, values);
  }

  /** Returns one column times a factor. */
  static double[] column(Table table, int column, double factor) {
    double[] values = new double[(int) table.rows()];
    for (int i = 0; i < values.length; i++) {
      values[i] = factor * table.row(i)[column];
    }
    return values;
  }
}
