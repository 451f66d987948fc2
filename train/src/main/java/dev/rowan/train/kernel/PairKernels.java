package dev.rowan.train.kernel;

import dev.rowan.core.kernel.KernelChoice;

/**
 * One step of AdaGrad (Duchi et al. 2011) for a pair of rows a and b whose dot product is fitted,
 * as GloVe's reference does it:
 *
 * <pre>
 *   g = factor · b                   the gradient for a, the rate in it; for b it is factor · a
 *   a -= g / √s                      s begins with ones and sums the squares of what came before
 *   s += g²
 * </pre>
 *
 * <p>Both gradients are those of the rows before the step. Rows lie in {@code float[]}, {@code
 * stride} numbers each, a multiple of {@link WindowKernels#PADDING}; the places beyond d hold zeros
 * and keep them. Two implementations, the scalar one and a SIMD twin that sums in another, fixed
 * order. Stateless; threads may share rows without locks.
 */
public interface PairKernels {
  /** Returns the reference. */
  static PairKernels scalar() {
    return ScalarPairKernels.INSTANCE;
  }

  /** Returns the kernels for this JVM, by the rule of {@link KernelChoice}. */
  static PairKernels best() {
    return KernelChoice.INSTANCE.kernels().name().equals("scalar")
        ? scalar()
        : VectorPairKernels.INSTANCE;
  }

  /** Returns the dot product of two rows. */
  float dot(float[] a, int aAt, float[] b, int bAt, int stride);

  /**
   * Does a step.
   *
   * @param a one row's numbers, and {@code aSquares} its sums at the same place
   * @param factor the rate times the derivative of the loss by the dot product
   */
  void step(
      float[] a,
      float[] aSquares,
      int aAt,
      float[] b,
      float[] bSquares,
      int bAt,
      float factor,
      int stride);
}
