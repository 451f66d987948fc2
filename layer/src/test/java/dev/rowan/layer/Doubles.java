package dev.rowan.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/** Finite differences in double, against gradients in float32. */
final class Doubles {
  private Doubles() {}

  static double[] of(float[] values) {
    double[] doubles = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      doubles[i] = values[i];
    }
    return doubles;
  }

  static float[] random(SplittableRandom random, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }

  static double dot(double[] a, int from, double[] b, int start, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += a[from + i] * b[start + i];
    }
    return sum;
  }

  /**
   * Asserts that {@code gradient} is that of a function at a point: central differences with h =
   * 1e-5, whose own error is about 1e-9; float32 sums of some tens of terms err by about 1e-6.
   */
  static void assertGradient(
      float[] gradient, double[] point, ToDoubleFunction<double[]> function) {
    assertThat(gradient).hasSize(point.length);
    double h = 1e-5;
    for (int i = 0; i < point.length; i++) {
      double kept = point[i];
      point[i] = kept + h;
      double above = function.applyAsDouble(point);
      point[i] = kept - h;
      double below = function.applyAsDouble(point);
      point[i] = kept;
      double expected = (above - below) / (2 * h);
      assertThat((double) gradient[i])
          .as("component %d", i)
          .isCloseTo(expected, within(2e-5 * Math.max(1, Math.abs(expected))));
    }
  }
}
