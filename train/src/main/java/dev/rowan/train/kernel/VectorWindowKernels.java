package dev.rowan.train.kernel;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** The SIMD twin of {@link ScalarWindowKernels}. */
final class VectorWindowKernels implements WindowKernels {
  static final VectorWindowKernels INSTANCE = new VectorWindowKernels();

  private static final VectorSpecies<Float> S = Lanes.S;
  private static final int LANES = Lanes.LANES;

  private VectorWindowKernels() {}

  @Override
  public String name() {
    return "vector-" + S.vectorBitSize();
  }

  @Override
  public void step(float[] in, float[] out, Window window, float rate) {
    int m = window.inputCount();
    int n = window.targetCount();
    int stride = window.stride();
    int[] x = window.inputs();
    int[] o = window.targets();
    VectorDots.all(in, x, m, out, window);
    Lanes.sums(window.partial, m * n, window.sums);
    factors(window.sums, window.labels(), m * n, rate, window.factors);
    float[] g = window.factors;
    for (int i = 0; i < m; ) {
      int block = ScalarWindowKernels.blockOf(x, i, m);
      for (int j = 0; j < n; j += GROUP) {
        switch (block) {
          case 3 ->
              VectorUpdates.three(in, x[i], x[i + 1], x[i + 2], out, o, j, stride, g, i * n + j, n);
          case 2 -> VectorUpdates.two(in, x[i], x[i + 1], out, o, j, stride, g, i * n + j, n);
          default -> VectorUpdates.one(in, x[i], out, o, j, stride, g, i * n + j);
        }
      }
      i += block;
    }
  }

  @Override
  public void stepHidden(float[] out, Window window, float rate) {
    int n = window.targetCount();
    int[] o = window.targets();
    window.size(1, n);
    for (int j = 0; j < n; j += GROUP) {
      VectorDots.one(window.hidden(), 0, out, o, j, window.stride(), window.partial, j * LANES);
    }
    Lanes.sums(window.partial, n, window.sums);
    factors(window.sums, window.labels(), n, rate, window.factors);
    Arrays.fill(window.error(), 0);
    for (int j = 0; j < n; j += GROUP) {
      VectorUpdates.hidden(
          window.hidden(), window.error(), out, o, j, window.stride(), window.factors);
    }
  }

  /** See {@link ScalarWindowKernels#sigmoid}; the same to the last bit for the same sums. */
  private static void factors(
      float[] sums, float[] labels, int count, float rate, float[] factors) {
    for (int p = 0; p < count; p += LANES) {
      FloatVector x = FloatVector.fromArray(S, sums, p);
      FloatVector y = x.mul(0.5f);
      FloatVector y2 = y.mul(y);
      FloatVector above =
          y2.add(378f)
              .fma(y2, FloatVector.broadcast(S, 17_325f))
              .fma(y2, FloatVector.broadcast(S, 135_135f));
      FloatVector below =
          FloatVector.broadcast(S, 28f)
              .fma(y2, FloatVector.broadcast(S, 3_150f))
              .fma(y2, FloatVector.broadcast(S, 62_370f))
              .fma(y2, FloatVector.broadcast(S, 135_135f));
      FloatVector half = FloatVector.broadcast(S, 0.5f);
      FloatVector sigma =
          half.fma(y.mul(above).div(below), half)
              .blend(1f, x.compare(VectorOperators.GT, 6f))
              .blend(0f, x.compare(VectorOperators.LT, -6f));
      FloatVector.fromArray(S, labels, p).sub(sigma).mul(rate).intoArray(factors, p);
    }
  }

  @Override
  public void sum(
      float[] from, int[] rows, int count, float factor, float[] target, int at, int stride) {
    for (int k = 0; k < stride; k += LANES) {
      FloatVector sum = FloatVector.zero(S);
      for (int r = 0; r < count; r++) {
        sum = sum.add(FloatVector.fromArray(S, from, rows[r] + k));
      }
      sum.mul(factor).intoArray(target, at + k);
    }
  }

  @Override
  public void merge(float[] rows, int row, int replica, float[] base, int at, int stride) {
    for (int k = 0; k < stride; k += LANES) {
      FloatVector shared = FloatVector.fromArray(S, rows, row + k);
      FloatVector before = FloatVector.fromArray(S, base, at + k);
      FloatVector own = FloatVector.fromArray(S, rows, replica + k);
      FloatVector merged = shared.add(own.sub(before)).blend(own, shared.eq(before));
      merged.intoArray(rows, row + k);
      merged.intoArray(rows, replica + k);
      merged.intoArray(base, at + k);
    }
  }

  @Override
  public void add(float[] to, int[] rows, int count, float[] what, int at, int stride) {
    for (int r = 0; r < count; r++) {
      int row = rows[r];
      for (int k = 0; k < stride; k += LANES) {
        FloatVector.fromArray(S, to, row + k)
            .add(FloatVector.fromArray(S, what, at + k))
            .intoArray(to, row + k);
      }
    }
  }
}
