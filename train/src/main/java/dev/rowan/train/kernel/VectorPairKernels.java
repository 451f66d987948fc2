package dev.rowan.train.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The SIMD twin of {@link ScalarPairKernels}. A step is bound by its divisions and square roots,
 * two of each a number, not by memory.
 */
final class VectorPairKernels implements PairKernels {
  static final VectorPairKernels INSTANCE = new VectorPairKernels();

  private static final VectorSpecies<Float> S = Lanes.S;

  private VectorPairKernels() {}

  @Override
  public float dot(float[] a, int aAt, float[] b, int bAt, int stride) {
    FloatVector sum = FloatVector.zero(S);
    for (int k = 0; k < stride; k += S.length()) {
      FloatVector left = FloatVector.fromArray(S, a, aAt + k);
      sum = left.fma(FloatVector.fromArray(S, b, bAt + k), sum);
    }
    return Lanes.sum(sum);
  }

  @Override
  public void step(
      float[] a,
      float[] aSquares,
      int aAt,
      float[] b,
      float[] bSquares,
      int bAt,
      float factor,
      int stride) {
    for (int k = 0; k < stride; k += S.length()) {
      FloatVector left = FloatVector.fromArray(S, a, aAt + k);
      FloatVector right = FloatVector.fromArray(S, b, bAt + k);
      FloatVector leftSquares = FloatVector.fromArray(S, aSquares, aAt + k);
      FloatVector rightSquares = FloatVector.fromArray(S, bSquares, bAt + k);
      FloatVector forLeft = right.mul(factor);
      FloatVector forRight = left.mul(factor);
      left.sub(forLeft.div(leftSquares.lanewise(VectorOperators.SQRT))).intoArray(a, aAt + k);
      right.sub(forRight.div(rightSquares.lanewise(VectorOperators.SQRT))).intoArray(b, bAt + k);
      forLeft.fma(forLeft, leftSquares).intoArray(aSquares, aAt + k);
      forRight.fma(forRight, rightSquares).intoArray(bSquares, bAt + k);
    }
  }
}
