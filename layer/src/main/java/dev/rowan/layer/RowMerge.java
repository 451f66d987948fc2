package dev.rowan.layer;

import dev.rowan.core.kernel.RowKernels;

/** Joins two lists of rows in the order of their ids; rows in both are added. */
final class RowMerge {
  private RowMerge() {}

  /** Writes the sum of a gradient and other rows to a target with room; returns its length. */
  static int of(
      RowGradient gradient,
      long[] otherIds,
      float[] other,
      int otherCount,
      long[] targetIds,
      float[] target) {
    long[] ids = gradient.rawIds();
    float[] rows = gradient.rawValues();
    int count = gradient.count();
    int width = gradient.width();
    RowKernels kernels = RowKernels.best();
    int a = 0;
    int b = 0;
    int n = 0;
    while (a < count || b < otherCount) {
      long left = a < count ? ids[a] : Long.MAX_VALUE;
      long right = b < otherCount ? otherIds[b] : Long.MAX_VALUE;
      targetIds[n] = Math.min(left, right);
      if (left <= right) {
        System.arraycopy(rows, a++ * width, target, n * width, width);
        if (left == right) {
          kernels.add(other, b++ * width, target, n * width, width);
        }
      } else {
        System.arraycopy(other, b++ * width, target, n * width, width);
      }
      n++;
    }
    return n;
  }
}
