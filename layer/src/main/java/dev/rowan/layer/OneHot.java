package dev.rowan.layer;

import dev.rowan.core.Ids;
import dev.rowan.core.Rows;
import java.util.Arrays;

/** One-hot × table, multiplied out. */
final class OneHot {
  private OneHot() {}

  static Rows times(WeightTable weights, Ids ids, float scale) {
    int width = weights.width();
    float[] oneHot = new float[Math.toIntExact(weights.rows())];
    float[] row = new float[width];
    float[] product = new float[Math.multiplyExact(ids.count(), width)];
    for (int p = 0; p < ids.count(); p++) {
      Arrays.fill(oneHot, 0);
      oneHot[Math.toIntExact(ids.get(p))] = 1;
      // −0 is the number that changes nothing when added to: +0 would lose the sign of −0
      Arrays.fill(product, p * width, (p + 1) * width, -0f);
      for (int v = 0; v < oneHot.length; v++) {
        if (oneHot[v] != 0) { // 0 × row counts as nothing: 0 × ∞ would be NaN, 0 + −0 would be +0
          weights.read(v, row, 0);
          for (int i = 0; i < width; i++) {
            product[p * width + i] += oneHot[v] * row[i];
          }
        }
      }
      if (scale != 1) {
        for (int i = 0; i < width; i++) {
          product[p * width + i] *= scale;
        }
      }
    }
    int[] shape = Arrays.copyOf(ids.shape(), ids.shape().length + 1);
    shape[shape.length - 1] = width;
    return new Rows(product, shape);
  }
}
