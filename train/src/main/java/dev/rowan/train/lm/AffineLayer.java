package dev.rowan.train.lm;

import dev.rowan.core.kernel.Matrix;
import dev.rowan.core.kernel.RowKernels;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * y = x·W + b for a batch, with its gradient and Adagrad. W is inputs × outputs, row-major; the
 * last {@code outputs} numbers are b. One thread's own.
 */
final class AffineLayer {
  private static final float EPSILON = 1e-10f;

  private final RowKernels kernels = RowKernels.best();
  private final int inputs;
  private final int outputs;
  private final float[] values;
  private final float[] squares;
  private final float[] gradient;

  /** Makes a layer: W uniform after Glorot and Bengio (2010), b zero. */
  AffineLayer(int inputs, int outputs, SplittableRandom random) {
    this.inputs = inputs;
    this.outputs = outputs;
    this.values = new float[Math.addExact(Math.multiplyExact(inputs, outputs), outputs)];
    this.squares = new float[values.length];
    this.gradient = new float[values.length];
    double bound = Math.sqrt(6.0 / (inputs + outputs));
    for (int i = 0; i < inputs * outputs; i++) {
      values[i] = (float) random.nextDouble(-bound, bound);
    }
  }

  /** Returns W and b themselves. */
  float[] values() {
    return values;
  }

  /** Returns the gradient of the last backward, laid out as {@link #values}. */
  float[] gradient() {
    return gradient;
  }

  /** Returns Adagrad's sums of squares themselves. */
  float[] squares() {
    return squares;
  }

  int outputs() {
    return outputs;
  }

  /**
   * Computes y.
   *
   * @param x batch × inputs
   * @param y receives batch × outputs
   */
  void forward(float[] x, int batch, float[] y) {
    for (int b = 0; b < batch; b++) {
      System.arraycopy(values, inputs * outputs, y, b * outputs, outputs);
    }
    kernels.multiply(
        Matrix.of(x, 0, batch, inputs),
        Matrix.of(values, 0, inputs, outputs),
        Matrix.of(y, 0, batch, outputs));
  }

  /**
   * Computes the gradients of W, b and x.
   *
   * @param x what forward had
   * @param dy batch × outputs
   * @param dx receives batch × inputs
   */
  void backward(float[] x, float[] dy, int batch, float[] dx) {
    Arrays.fill(gradient, 0);
    kernels.multiply(
        Matrix.of(x, 0, batch, inputs).transposed(),
        Matrix.of(dy, 0, batch, outputs),
        Matrix.of(gradient, 0, inputs, outputs));
    for (int b = 0; b < batch; b++) {
      kernels.add(dy, b * outputs, gradient, inputs * outputs, outputs);
    }
    // dx = dy·Wᵀ, as W·dyᵀ read crosswise would stride; a transposed copy keeps columns together
    float[] transposed = new float[inputs * outputs];
    for (int i = 0; i < inputs; i++) {
      for (int o = 0; o < outputs; o++) {
        transposed[o * inputs + i] = values[i * outputs + o];
      }
    }
    Arrays.fill(dx, 0, batch * inputs, 0f);
    kernels.multiply(
        Matrix.of(dy, 0, batch, outputs),
        Matrix.of(transposed, 0, outputs, inputs),
        Matrix.of(dx, 0, batch, inputs));
  }

  /** Moves W and b along the gradient of the last backward. */
  void step(float rate) {
    kernels.adagrad(values, gradient, squares, values.length, rate, EPSILON);
  }
}
