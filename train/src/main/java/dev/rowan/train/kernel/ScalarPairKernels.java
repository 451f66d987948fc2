package dev.rowan.train.kernel;

/** The reference. */
final class ScalarPairKernels implements PairKernels {
  static final ScalarPairKernels INSTANCE = new ScalarPairKernels();

  private ScalarPairKernels() {}

  @Override
  public float dot(float[] a, int aAt, float[] b, int bAt, int stride) {
    float sum = 0;
    for (int k = 0; k < stride; k++) {
      sum += a[aAt + k] * b[bAt + k];
    }
    return sum;
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
    for (int k = 0; k < stride; k++) {
      float forA = factor * b[bAt + k];
      float forB = factor * a[aAt + k];
      a[aAt + k] -= forA / (float) Math.sqrt(aSquares[aAt + k]);
      b[bAt + k] -= forB / (float) Math.sqrt(bSquares[bAt + k]);
      aSquares[aAt + k] += forA * forA;
      bSquares[bAt + k] += forB * forB;
    }
  }
}
