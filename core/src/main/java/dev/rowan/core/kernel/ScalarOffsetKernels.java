package dev.rowan.core.kernel;

/** The reference. */
final class ScalarOffsetKernels implements OffsetKernels {
  static final ScalarOffsetKernels INSTANCE = new ScalarOffsetKernels();

  private ScalarOffsetKernels() {}

  @Override
  public int aboveSum(float[] v, Runs runs, float threshold, int[] found) {
    return aboveSum(v, runs, 0, threshold, found, 0);
  }

  @Override
  public int aboveProduct(float[] v, Runs runs, float threshold, int[] found) {
    return aboveProduct(v, runs, 0, threshold, found, 0);
  }

  /** Goes on from position {@code from} with {@code n} positions found before. */
  static int aboveSum(float[] v, Runs runs, int from, float threshold, int[] found, int n) {
    int size = n;
    for (int i = from; i < runs.count(); i++) {
      if (OffsetKernels.sum(v, runs, i) > threshold) {
        found[size++] = i;
      }
    }
    return size;
  }

  /** Goes on from position {@code from} with {@code n} positions found before. */
  static int aboveProduct(float[] v, Runs runs, int from, float threshold, int[] found, int n) {
    int size = n;
    for (int i = from; i < runs.count(); i++) {
      if (OffsetKernels.product(v, runs, i) > threshold) {
        found[size++] = i;
      }
    }
    return size;
  }
}
