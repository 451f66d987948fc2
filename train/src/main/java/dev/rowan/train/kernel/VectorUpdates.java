package dev.rowan.train.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Updates of inputs and targets by each other, by blocks of 3, 2 or 1 inputs by 6 targets: small
 * static methods, spelled out, as in {@link VectorDots}.
 */
final class VectorUpdates {
  private static final VectorSpecies<Float> S = Lanes.S;
  private static final int LANES = Lanes.LANES;

  private VectorUpdates() {}

  static void three(
      float[] in,
      int x0,
      int x1,
      int x2,
      float[] out,
      int[] o,
      int j,
      int stride,
      float[] g,
      int q,
      int apart) {
    int o0 = o[j], o1 = o[j + 1], o2 = o[j + 2], o3 = o[j + 3], o4 = o[j + 4], o5 = o[j + 5];
    FloatVector g00 = FloatVector.broadcast(S, g[q]);
    FloatVector g01 = FloatVector.broadcast(S, g[q + 1]);
    FloatVector g02 = FloatVector.broadcast(S, g[q + 2]);
    FloatVector g03 = FloatVector.broadcast(S, g[q + 3]);
    FloatVector g04 = FloatVector.broadcast(S, g[q + 4]);
    FloatVector g05 = FloatVector.broadcast(S, g[q + 5]);
    FloatVector g10 = FloatVector.broadcast(S, g[q + apart]);
    FloatVector g11 = FloatVector.broadcast(S, g[q + apart + 1]);
    FloatVector g12 = FloatVector.broadcast(S, g[q + apart + 2]);
    FloatVector g13 = FloatVector.broadcast(S, g[q + apart + 3]);
    FloatVector g14 = FloatVector.broadcast(S, g[q + apart + 4]);
    FloatVector g15 = FloatVector.broadcast(S, g[q + apart + 5]);
    FloatVector g20 = FloatVector.broadcast(S, g[q + 2 * apart]);
    FloatVector g21 = FloatVector.broadcast(S, g[q + 2 * apart + 1]);
    FloatVector g22 = FloatVector.broadcast(S, g[q + 2 * apart + 2]);
    FloatVector g23 = FloatVector.broadcast(S, g[q + 2 * apart + 3]);
    FloatVector g24 = FloatVector.broadcast(S, g[q + 2 * apart + 4]);
    FloatVector g25 = FloatVector.broadcast(S, g[q + 2 * apart + 5]);
    for (int k = 0; k < stride; k += LANES) {
      FloatVector v0 = FloatVector.fromArray(S, in, x0 + k);
      FloatVector n0 = v0;
      FloatVector v1 = FloatVector.fromArray(S, in, x1 + k);
      FloatVector n1 = v1;
      FloatVector v2 = FloatVector.fromArray(S, in, x2 + k);
      FloatVector n2 = v2;
      FloatVector w0 = FloatVector.fromArray(S, out, o0 + k);
      n0 = g00.fma(w0, n0);
      n1 = g10.fma(w0, n1);
      n2 = g20.fma(w0, n2);
      g20.fma(v2, g10.fma(v1, g00.fma(v0, w0))).intoArray(out, o0 + k);
      FloatVector w1 = FloatVector.fromArray(S, out, o1 + k);
      n0 = g01.fma(w1, n0);
      n1 = g11.fma(w1, n1);
      n2 = g21.fma(w1, n2);
      g21.fma(v2, g11.fma(v1, g01.fma(v0, w1))).intoArray(out, o1 + k);
      FloatVector w2 = FloatVector.fromArray(S, out, o2 + k);
      n0 = g02.fma(w2, n0);
      n1 = g12.fma(w2, n1);
      n2 = g22.fma(w2, n2);
      g22.fma(v2, g12.fma(v1, g02.fma(v0, w2))).intoArray(out, o2 + k);
      FloatVector w3 = FloatVector.fromArray(S, out, o3 + k);
      n0 = g03.fma(w3, n0);
      n1 = g13.fma(w3, n1);
      n2 = g23.fma(w3, n2);
      g23.fma(v2, g13.fma(v1, g03.fma(v0, w3))).intoArray(out, o3 + k);
      FloatVector w4 = FloatVector.fromArray(S, out, o4 + k);
      n0 = g04.fma(w4, n0);
      n1 = g14.fma(w4, n1);
      n2 = g24.fma(w4, n2);
      g24.fma(v2, g14.fma(v1, g04.fma(v0, w4))).intoArray(out, o4 + k);
      FloatVector w5 = FloatVector.fromArray(S, out, o5 + k);
      n0 = g05.fma(w5, n0);
      n1 = g15.fma(w5, n1);
      n2 = g25.fma(w5, n2);
      g25.fma(v2, g15.fma(v1, g05.fma(v0, w5))).intoArray(out, o5 + k);
      n0.intoArray(in, x0 + k);
      n1.intoArray(in, x1 + k);
      n2.intoArray(in, x2 + k);
    }
  }

  static void two(
      float[] in,
      int x0,
      int x1,
      float[] out,
      int[] o,
      int j,
      int stride,
      float[] g,
      int q,
      int apart) {
    int o0 = o[j], o1 = o[j + 1], o2 = o[j + 2], o3 = o[j + 3], o4 = o[j + 4], o5 = o[j + 5];
    FloatVector g00 = FloatVector.broadcast(S, g[q]);
    FloatVector g01 = FloatVector.broadcast(S, g[q + 1]);
    FloatVector g02 = FloatVector.broadcast(S, g[q + 2]);
    FloatVector g03 = FloatVector.broadcast(S, g[q + 3]);
    FloatVector g04 = FloatVector.broadcast(S, g[q + 4]);
    FloatVector g05 = FloatVector.broadcast(S, g[q + 5]);
    FloatVector g10 = FloatVector.broadcast(S, g[q + apart]);
    FloatVector g11 = FloatVector.broadcast(S, g[q + apart + 1]);
    FloatVector g12 = FloatVector.broadcast(S, g[q + apart + 2]);
    FloatVector g13 = FloatVector.broadcast(S, g[q + apart + 3]);
    FloatVector g14 = FloatVector.broadcast(S, g[q + apart + 4]);
    FloatVector g15 = FloatVector.broadcast(S, g[q + apart + 5]);
    for (int k = 0; k < stride; k += LANES) {
      FloatVector v0 = FloatVector.fromArray(S, in, x0 + k);
      FloatVector n0 = v0;
      FloatVector v1 = FloatVector.fromArray(S, in, x1 + k);
      FloatVector n1 = v1;
      FloatVector w0 = FloatVector.fromArray(S, out, o0 + k);
      n0 = g00.fma(w0, n0);
      n1 = g10.fma(w0, n1);
      g10.fma(v1, g00.fma(v0, w0)).intoArray(out, o0 + k);
      FloatVector w1 = FloatVector.fromArray(S, out, o1 + k);
      n0 = g01.fma(w1, n0);
      n1 = g11.fma(w1, n1);
      g11.fma(v1, g01.fma(v0, w1)).intoArray(out, o1 + k);
      FloatVector w2 = FloatVector.fromArray(S, out, o2 + k);
      n0 = g02.fma(w2, n0);
      n1 = g12.fma(w2, n1);
      g12.fma(v1, g02.fma(v0, w2)).intoArray(out, o2 + k);
      FloatVector w3 = FloatVector.fromArray(S, out, o3 + k);
      n0 = g03.fma(w3, n0);
      n1 = g13.fma(w3, n1);
      g13.fma(v1, g03.fma(v0, w3)).intoArray(out, o3 + k);
      FloatVector w4 = FloatVector.fromArray(S, out, o4 + k);
      n0 = g04.fma(w4, n0);
      n1 = g14.fma(w4, n1);
      g14.fma(v1, g04.fma(v0, w4)).intoArray(out, o4 + k);
      FloatVector w5 = FloatVector.fromArray(S, out, o5 + k);
      n0 = g05.fma(w5, n0);
      n1 = g15.fma(w5, n1);
      g15.fma(v1, g05.fma(v0, w5)).intoArray(out, o5 + k);
      n0.intoArray(in, x0 + k);
      n1.intoArray(in, x1 + k);
    }
  }

  static void one(float[] in, int x0, float[] out, int[] o, int j, int stride, float[] g, int q) {
    int o0 = o[j], o1 = o[j + 1], o2 = o[j + 2], o3 = o[j + 3], o4 = o[j + 4], o5 = o[j + 5];
    FloatVector g00 = FloatVector.broadcast(S, g[q]);
    FloatVector g01 = FloatVector.broadcast(S, g[q + 1]);
    FloatVector g02 = FloatVector.broadcast(S, g[q + 2]);
    FloatVector g03 = FloatVector.broadcast(S, g[q + 3]);
    FloatVector g04 = FloatVector.broadcast(S, g[q + 4]);
    FloatVector g05 = FloatVector.broadcast(S, g[q + 5]);
    for (int k = 0; k < stride; k += LANES) {
      FloatVector v0 = FloatVector.fromArray(S, in, x0 + k);
      FloatVector n0 = v0;
      FloatVector w0 = FloatVector.fromArray(S, out, o0 + k);
      n0 = g00.fma(w0, n0);
      g00.fma(v0, w0).intoArray(out, o0 + k);
      FloatVector w1 = FloatVector.fromArray(S, out, o1 + k);
      n0 = g01.fma(w1, n0);
      g01.fma(v0, w1).intoArray(out, o1 + k);
      FloatVector w2 = FloatVector.fromArray(S, out, o2 + k);
      n0 = g02.fma(w2, n0);
      g02.fma(v0, w2).intoArray(out, o2 + k);
      FloatVector w3 = FloatVector.fromArray(S, out, o3 + k);
      n0 = g03.fma(w3, n0);
      g03.fma(v0, w3).intoArray(out, o3 + k);
      FloatVector w4 = FloatVector.fromArray(S, out, o4 + k);
      n0 = g04.fma(w4, n0);
      g04.fma(v0, w4).intoArray(out, o4 + k);
      FloatVector w5 = FloatVector.fromArray(S, out, o5 + k);
      n0 = g05.fma(w5, n0);
      g05.fma(v0, w5).intoArray(out, o5 + k);
      n0.intoArray(in, x0 + k);
    }
  }

  /** Moves the targets by the hidden row, and the error by them. */
  static void hidden(
      float[] hidden, float[] error, float[] out, int[] o, int j, int stride, float[] g) {
    int o0 = o[j], o1 = o[j + 1], o2 = o[j + 2], o3 = o[j + 3], o4 = o[j + 4], o5 = o[j + 5];
    FloatVector g0 = FloatVector.broadcast(S, g[j]);
    FloatVector g1 = FloatVector.broadcast(S, g[j + 1]);
    FloatVector g2 = FloatVector.broadcast(S, g[j + 2]);
    FloatVector g3 = FloatVector.broadcast(S, g[j + 3]);
    FloatVector g4 = FloatVector.broadcast(S, g[j + 4]);
    FloatVector g5 = FloatVector.broadcast(S, g[j + 5]);
    for (int k = 0; k < stride; k += LANES) {
      FloatVector v = FloatVector.fromArray(S, hidden, k);
      FloatVector e = FloatVector.fromArray(S, error, k);
      FloatVector w0 = FloatVector.fromArray(S, out, o0 + k);
      e = g0.fma(w0, e);
      g0.fma(v, w0).intoArray(out, o0 + k);
      FloatVector w1 = FloatVector.fromArray(S, out, o1 + k);
      e = g1.fma(w1, e);
      g1.fma(v, w1).intoArray(out, o1 + k);
      FloatVector w2 = FloatVector.fromArray(S, out, o2 + k);
      e = g2.fma(w2, e);
      g2.fma(v, w2).intoArray(out, o2 + k);
      FloatVector w3 = FloatVector.fromArray(S, out, o3 + k);
      e = g3.fma(w3, e);
      g3.fma(v, w3).intoArray(out, o3 + k);
      FloatVector w4 = FloatVector.fromArray(S, out, o4 + k);
      e = g4.fma(w4, e);
      g4.fma(v, w4).intoArray(out, o4 + k);
      FloatVector w5 = FloatVector.fromArray(S, out, o5 + k);
      e = g5.fma(w5, e);
      g5.fma(v, w5).intoArray(out, o5 + k);
      e.intoArray(error, k);
    }
  }
}
