package dev.rowan.core.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** SIMD twin of {@link ScalarOffsetKernels}: whole vectors, then the reference for the rest. */
final class VectorOffsetKernels implements OffsetKernels {
  static final VectorOffsetKernels INSTANCE = new VectorOffsetKernels();
  private static final VectorSpecies<Float> S = Lanes.FLOATS;
  private static final int LANES = S.length();

  private VectorOffsetKernels() {}

  private static FloatVector load(float[] from, int at) {
    return FloatVector.fromArray(S, from, at);
  }

  @Override
  public int aboveSum(float[] v, Runs runs, float threshold, int[] found) {
    int a = runs.a();
    int b = runs.b();
    int c = runs.c();
    int whole = S.loopBound(runs.count());
    FloatVector least = FloatVector.broadcast(S, threshold);
    int size = 0;
    for (int i = 0; i < whole; i += LANES) {
      FloatVector sum = load(v, b + i).sub(load(v, a + i)).add(load(v, c + i));
      VectorMask<Float> above = sum.compare(VectorOperators.GT, least);
      if (above.anyTrue()) {
        size = keep(above.toLong(), i, found, size);
      }
    }
    return ScalarOffsetKernels.aboveSum(v, runs, whole, threshold, found, size);
  }

  @Override
  public int aboveProduct(float[] v, Runs runs, float threshold, int[] found) {
    int a = runs.a();
    int b = runs.b();
    int c = runs.c();
    int whole = S.loopBound(runs.count());
    FloatVector least = FloatVector.broadcast(S, threshold);
    int size = 0;
    for (int i = 0; i < whole; i += LANES) {
      FloatVector product = load(v, b + i).mul(load(v, c + i)).mul(load(v, a + i));
      VectorMask<Float> above = product.compare(VectorOperators.GT, least);
      if (above.anyTrue()) {
        size = keep(above.toLong(), i, found, size);
      }
    }
    return ScalarOffsetKernels.aboveProduct(v, runs, whole, threshold, found, size);
  }

  private static int keep(long lanes, int first, int[] found, int n) {
    int size = n;
    for (long left = lanes; left != 0; left &= left - 1) {
      found[size++] = first + Long.numberOfTrailingZeros(left);
    }
    return size;
  }
}
