package dev.rowan.train.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Dot products of inputs and targets, by blocks of 4, 2 or 1 inputs by 6 targets, whose
 * accumulators stay in registers. The compiler does that only for small static methods over {@code
 * float[]}, so each shape is one, spelled out.
 */
final class VectorDots {
  private static final VectorSpecies<Float> S = Lanes.S;
  private static final int LANES = Lanes.LANES;

  private VectorDots() {}

  /** Leaves one vector a pair in {@code partial}, whose lanes are still to be added. */
  static void all(float[] in, int[] x, int m, float[] out, Window window) {
    int n = window.targetCount();
    int stride = window.stride();
    int[] o = window.targets();
    float[] partial = window.partial;
    for (int j = 0; j < n; j += WindowKernels.GROUP) {
      int i = 0;
      for (; i + 4 <= m; i += 4) {
        int p = (i * n + j) * LANES;
        four(in, x[i], x[i + 1], x[i + 2], x[i + 3], out, o, j, stride, partial, p, n * LANES);
      }
      if (i + 2 <= m) {
        int p = (i * n + j) * LANES;
        two(in, x[i], x[i + 1], out, o, j, stride, partial, p, n * LANES);
        i += 2;
      }
      if (i < m) {
        one(in, x[i], out, o, j, stride, partial, (i * n + j) * LANES);
      }
    }
  }

  private static void four(
      float[] in,
      int x0,
      int x1,
      int x2,
      int x3,
      float[] out,
      int[] o,
      int j,
      int stride,
      float[] partial,
      int p,
      int apart) {
    int o0 = o[j], o1 = o[j + 1], o2 = o[j + 2], o3 = o[j + 3], o4 = o[j + 4], o5 = o[j + 5];
    FloatVector a00 = FloatVector.zero(S);
    FloatVector a01 = FloatVector.zero(S);
    FloatVector a02 = FloatVector.zero(S);
    FloatVector a03 = FloatVector.zero(S);
    FloatVector a04 = FloatVector.zero(S);
    FloatVector a05 = FloatVector.zero(S);
    FloatVector a10 = FloatVector.zero(S);
    FloatVector a11 = FloatVector.zero(S);
    FloatVector a12 = FloatVector.zero(S);
    FloatVector a13 = FloatVector.zero(S);
    FloatVector a14 = FloatVector.zero(S);
    FloatVector a15 = FloatVector.zero(S);
    FloatVector a20 = FloatVector.zero(S);
    FloatVector a21 = FloatVector.zero(S);
    FloatVector a22 = FloatVector.zero(S);
    FloatVector a23 = FloatVector.zero(S);
    FloatVector a24 = FloatVector.zero(S);
    FloatVector a25 = FloatVector.zero(S);
    FloatVector a30 = FloatVector.zero(S);
    FloatVector a31 = FloatVector.zero(S);
    FloatVector a32 = FloatVector.zero(S);
    FloatVector a33 = FloatVector.zero(S);
    FloatVector a34 = FloatVector.zero(S);
    FloatVector a35 = FloatVector.zero(S);
    for (int k = 0; k < stride; k += LANES) {
      FloatVector v0 = FloatVector.fromArray(S, in, x0 + k);
      FloatVector v1 = FloatVector.fromArray(S, in, x1 + k);
      FloatVector v2 = FloatVector.fromArray(S, in, x2 + k);
      FloatVector v3 = FloatVector.fromArray(S, in, x3 + k);
      FloatVector w0 = FloatVector.fromArray(S, out, o0 + k);
      a00 = v0.fma(w0, a00);
      a10 = v1.fma(w0, a10);
      a20 = v2.fma(w0, a20);
      a30 = v3.fma(w0, a30);
      FloatVector w1 = FloatVector.fromArray(S, out, o1 + k);
      a01 = v0.fma(w1, a01);
      a11 = v1.fma(w1, a11);
      a21 = v2.fma(w1, a21);
      a31 = v3.fma(w1, a31);
      FloatVector w2 = FloatVector.fromArray(S, out, o2 + k);
      a02 = v0.fma(w2, a02);
      a12 = v1.fma(w2, a12);
      a22 = v2.fma(w2, a22);
      a32 = v3.fma(w2, a32);
      FloatVector w3 = FloatVector.fromArray(S, out, o3 + k);
      a03 = v0.fma(w3, a03);
      a13 = v1.fma(w3, a13);
      a23 = v2.fma(w3, a23);
      a33 = v3.fma(w3, a33);
      FloatVector w4 = FloatVector.fromArray(S, out, o4 + k);
      a04 = v0.fma(w4, a04);
      a14 = v1.fma(w4, a14);
      a24 = v2.fma(w4, a24);
      a34 = v3.fma(w4, a34);
      FloatVector w5 = FloatVector.fromArray(S, out, o5 + k);
      a05 = v0.fma(w5, a05);
      a15 = v1.fma(w5, a15);
      a25 = v2.fma(w5, a25);
      a35 = v3.fma(w5, a35);
    }
    a00.intoArray(partial, p);
    a01.intoArray(partial, p + LANES);
    a02.intoArray(partial, p + 2 * LANES);
    a03.intoArray(partial, p + 3 * LANES);
    a04.intoArray(partial, p + 4 * LANES);
    a05.intoArray(partial, p + 5 * LANES);
    a10.intoArray(partial, p + apart);
    a11.intoArray(partial, p + apart + LANES);
    a12.intoArray(partial, p + apart + 2 * LANES);
    a13.intoArray(partial, p + apart + 3 * LANES);
    a14.intoArray(partial, p + apart + 4 * LANES);
    a15.intoArray(partial, p + apart + 5 * LANES);
    a20.intoArray(partial, p + 2 * apart);
    a21.intoArray(partial, p + 2 * apart + LANES);
    a22.intoArray(partial, p + 2 * apart + 2 * LANES);
    a23.intoArray(partial, p + 2 * apart + 3 * LANES);
    a24.intoArray(partial, p + 2 * apart + 4 * LANES);
    a25.intoArray(partial, p + 2 * apart + 5 * LANES);
    a30.intoArray(partial, p + 3 * apart);
    a31.intoArray(partial, p + 3 * apart + LANES);
    a32.intoArray(partial, p + 3 * apart + 2 * LANES);
    a33.intoArray(partial, p + 3 * apart + 3 * LANES);
    a34.intoArray(partial, p + 3 * apart + 4 * LANES);
    a35.intoArray(partial, p + 3 * apart + 5 * LANES);
  }

  private static void two(
      float[] in,
      int x0,
      int x1,
      float[] out,
      int[] o,
      int j,
      int stride,
      float[] partial,
      int p,
      int apart) {
    int o0 = o[j], o1 = o[j + 1], o2 = o[j + 2], o3 = o[j + 3], o4 = o[j + 4], o5 = o[j + 5];
    FloatVector a00 = FloatVector.zero(S);
    FloatVector a01 = FloatVector.zero(S);
    FloatVector a02 = FloatVector.zero(S);
    FloatVector a03 = FloatVector.zero(S);
    FloatVector a04 = FloatVector.zero(S);
    FloatVector a05 = FloatVector.zero(S);
    FloatVector a10 = FloatVector.zero(S);
    FloatVector a11 = FloatVector.zero(S);
    FloatVector a12 = FloatVector.zero(S);
    FloatVector a13 = FloatVector.zero(S);
    FloatVector a14 = FloatVector.zero(S);
    FloatVector a15 = FloatVector.zero(S);
    for (int k = 0; k < stride; k += LANES) {
      FloatVector v0 = FloatVector.fromArray(S, in, x0 + k);
      FloatVector v1 = FloatVector.fromArray(S, in, x1 + k);
      FloatVector w0 = FloatVector.fromArray(S, out, o0 + k);
      a00 = v0.fma(w0, a00);
      a10 = v1.fma(w0, a10);
      FloatVector w1 = FloatVector.fromArray(S, out, o1 + k);
      a01 = v0.fma(w1, a01);
      a11 = v1.fma(w1, a11);
      FloatVector w2 = FloatVector.fromArray(S, out, o2 + k);
      a02 = v0.fma(w2, a02);
      a12 = v1.fma(w2, a12);
      FloatVector w3 = FloatVector.fromArray(S, out, o3 + k);
      a03 = v0.fma(w3, a03);
      a13 = v1.fma(w3, a13);
      FloatVector w4 = FloatVector.fromArray(S, out, o4 + k);
      a04 = v0.fma(w4, a04);
      a14 = v1.fma(w4, a14);
      FloatVector w5 = FloatVector.fromArray(S, out, o5 + k);
      a05 = v0.fma(w5, a05);
      a15 = v1.fma(w5, a15);
    }
    a00.intoArray(partial, p);
    a01.intoArray(partial, p + LANES);
    a02.intoArray(partial, p + 2 * LANES);
    a03.intoArray(partial, p + 3 * LANES);
    a04.intoArray(partial, p + 4 * LANES);
    a05.intoArray(partial, p + 5 * LANES);
    a10.intoArray(partial, p + apart);
    a11.intoArray(partial, p + apart + LANES);
    a12.intoArray(partial, p + apart + 2 * LANES);
    a13.intoArray(partial, p + apart + 3 * LANES);
    a14.intoArray(partial, p + apart + 4 * LANES);
    a15.intoArray(partial, p + apart + 5 * LANES);
  }

  /** As {@link #all}, of one input and the six targets from {@code j} on. */
  static void one(
      float[] in, int x0, float[] out, int[] o, int j, int stride, float[] partial, int p) {
    int o0 = o[j], o1 = o[j + 1], o2 = o[j + 2], o3 = o[j + 3], o4 = o[j + 4], o5 = o[j + 5];
    FloatVector a00 = FloatVector.zero(S);
    FloatVector a01 = FloatVector.zero(S);
    FloatVector a02 = FloatVector.zero(S);
    FloatVector a03 = FloatVector.zero(S);
    FloatVector a04 = FloatVector.zero(S);
    FloatVector a05 = FloatVector.zero(S);
    for (int k = 0; k < stride; k += LANES) {
      FloatVector v0 = FloatVector.fromArray(S, in, x0 + k);
      FloatVector w0 = FloatVector.fromArray(S, out, o0 + k);
      a00 = v0.fma(w0, a00);
      FloatVector w1 = FloatVector.fromArray(S, out, o1 + k);
      a01 = v0.fma(w1, a01);
      FloatVector w2 = FloatVector.fromArray(S, out, o2 + k);
      a02 = v0.fma(w2, a02);
      FloatVector w3 = FloatVector.fromArray(S, out, o3 + k);
      a03 = v0.fma(w3, a03);
      FloatVector w4 = FloatVector.fromArray(S, out, o4 + k);
      a04 = v0.fma(w4, a04);
      FloatVector w5 = FloatVector.fromArray(S, out, o5 + k);
      a05 = v0.fma(w5, a05);
    }
    a00.intoArray(partial, p);
    a01.intoArray(partial, p + LANES);
    a02.intoArray(partial, p + 2 * LANES);
    a03.intoArray(partial, p + 3 * LANES);
    a04.intoArray(partial, p + 4 * LANES);
    a05.intoArray(partial, p + 5 * LANES);
  }
}
