package dev.rowan.core.kernel;

/**
 * One pass of a transform of columns, by radix r: m groups of {@code width} numbers in each of the
 * r parts of x become m groups of r × width in y. Writes y[(r·p + j)·width + q] = w_p^j Σ_l x[(p +
 * l·m)·width + q] e^(−2πi·jl/r) for p in [0, m), q in [0, width).
 */
interface ColumnPasses {
  void two(float[] xr, float[] xi, float[] yr, float[] yi, int m, int width, float[] w);

  void three(float[] xr, float[] xi, float[] yr, float[] yi, int m, int width, float[] w);

  void four(float[] xr, float[] xi, float[] yr, float[] yi, int m, int width, float[] w);

  void five(float[] xr, float[] xi, float[] yr, float[] yi, int m, int width, float[] w);
}
