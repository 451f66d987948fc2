package dev.rowan.train.kernel;

import dev.rowan.core.kernel.KernelChoice;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * The SIMD twin of {@link ScalarWindowKernels}.
 *
 * <p>Dot products run over blocks of 4, 2 or 1 inputs by 6 targets, whose accumulators stay in
 * registers, and leave one vector a pair; updates run over blocks of 3, 2 or 1 by 6. The compiler
 * does that only for small static methods over {@code float[]}, so each shape is one, spelled out.
 *
 * <p>Lanes are added by a tree of our own: {@code reduceLanes} promises no order and sums
 * differently before and after the compiler has seen it, so that two runs would differ.
 */
final class VectorWindowKernels implements WindowKernels {
  static final VectorWindowKernels INSTANCE = new VectorWindowKernels();

  private static final VectorSpecies<Float> S = species();
  private static final int LANES = S.length();

  // at each level of the tree: which lanes come from the second vector, and the other half's lanes
  private static final VectorMask<Float> UPPER8 = upper(8);
  private static final VectorMask<Float> UPPER4 = upper(4);
  private static final VectorMask<Float> UPPER2 = upper(2);
  private static final VectorMask<Float> UPPER1 = upper(1);
  static final VectorShuffle<Float> SWAP8 = swap(8);
  static final VectorShuffle<Float> SWAP4 = swap(4);
  static final VectorShuffle<Float> SWAP2 = swap(2);
  static final VectorShuffle<Float> SWAP1 = swap(1);

  /** The tree leaves the sum of vector r in the lane whose number is r with its bits reversed. */
  private static final VectorShuffle<Float> ORDER =
      VectorShuffle.fromOp(
          S, lane -> Integer.reverse(lane) >>> (32 - Integer.numberOfTrailingZeros(S.length())));

  private VectorWindowKernels() {}

  static VectorSpecies<Float> species() {
    String name = KernelChoice.INSTANCE.kernels().name(); // vector-512 and the like
    int bits = Integer.parseInt(name.substring(name.indexOf('-') + 1));
    return VectorSpecies.of(float.class, VectorShape.forBitSize(bits));
  }

  private static VectorMask<Float> upper(int half) {
    boolean[] set = new boolean[S.length()];
    for (int lane = 0; lane < set.length; lane++) {
      set[lane] = (lane & half) != 0;
    }
    return VectorMask.fromArray(S, set, 0);
  }

  private static VectorShuffle<Float> swap(int half) {
    return VectorShuffle.fromOp(S, lane -> (lane ^ half) & (S.length() - 1));
  }

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
    dots(in, x, m, out, window);
    addLanes(window.partial, m * n, window.sums);
    factors(window.sums, window.labels(), m * n, rate, window.factors);
    float[] g = window.factors;
    for (int i = 0; i < m; ) {
      int block = ScalarWindowKernels.blockOf(x, i, m);
      for (int j = 0; j < n; j += GROUP) {
        switch (block) {
          case 3 -> update3(in, x[i], x[i + 1], x[i + 2], out, o, j, stride, g, i * n + j, n);
          case 2 -> update2(in, x[i], x[i + 1], out, o, j, stride, g, i * n + j, n);
          default -> update1(in, x[i], out, o, j, stride, g, i * n + j);
        }
      }
      i += block;
    }
  }

  private static void dots(float[] in, int[] x, int m, float[] out, Window window) {
    int n = window.targetCount();
    int stride = window.stride();
    int[] o = window.targets();
    float[] partial = window.partial;
    for (int j = 0; j < n; j += GROUP) {
      int i = 0;
      for (; i + 4 <= m; i += 4) {
        int p = (i * n + j) * LANES;
        dots4(in, x[i], x[i + 1], x[i + 2], x[i + 3], out, o, j, stride, partial, p, n * LANES);
      }
      if (i + 2 <= m) {
        int p = (i * n + j) * LANES;
        dots2(in, x[i], x[i + 1], out, o, j, stride, partial, p, n * LANES);
        i += 2;
      }
      if (i < m) {
        dots1(in, x[i], out, o, j, stride, partial, (i * n + j) * LANES);
      }
    }
  }

  @Override
  public void stepHidden(float[] out, Window window, float rate) {
    int n = window.targetCount();
    int[] o = window.targets();
    window.size(1, n);
    for (int j = 0; j < n; j += GROUP) {
      dots1(window.hidden(), 0, out, o, j, window.stride(), window.partial, j * LANES);
    }
    addLanes(window.partial, n, window.sums);
    factors(window.sums, window.labels(), n, rate, window.factors);
    Arrays.fill(window.error(), 0);
    for (int j = 0; j < n; j += GROUP) {
      updateHidden(window.hidden(), window.error(), out, o, j, window.stride(), window.factors);
    }
  }

  /** Sums each of {@code count} vectors over its lanes; destroys {@code partial}. */
  private static void addLanes(float[] partial, int count, float[] sums) {
    for (int first = 0; first < count; first += LANES) {
      int at = first * LANES;
      int left = Math.min(LANES, count - first);
      if (LANES == 16) {
        for (int r = 0; r < left; r += 2) {
          merge(partial, at, r, left, UPPER8, SWAP8);
        }
        left = (left + 1) >> 1;
      }
      if (LANES >= 8) {
        for (int r = 0; r < left; r += 2) {
          merge(partial, at, r, left, UPPER4, SWAP4);
        }
        left = (left + 1) >> 1;
      }
      for (int r = 0; r < left; r += 2) {
        merge(partial, at, r, left, UPPER2, SWAP2);
      }
      merge(partial, at, 0, (left + 1) >> 1, UPPER1, SWAP1);
      FloatVector.fromArray(S, partial, at).rearrange(ORDER).intoArray(sums, first);
    }
  }

  /**
   * Adds the halves of two vectors: lanes outside {@code upper} get those of vector r, the others
   * those of r + 1, or of r again where there is no other. The result becomes vector r / 2.
   */
  private static void merge(
      float[] partial,
      int at,
      int r,
      int left,
      VectorMask<Float> upper,
      VectorShuffle<Float> swap) {
    FloatVector a = FloatVector.fromArray(S, partial, at + r * LANES);
    FloatVector b = FloatVector.fromArray(S, partial, at + Math.min(r + 1, left - 1) * LANES);
    a.blend(b, upper)
        .add(b.blend(a, upper).rearrange(swap))
        .intoArray(partial, at + (r >> 1) * LANES);
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

  private static void dots4(
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

  private static void dots2(
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

  private static void dots1(
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

  private static void update3(
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

  private static void update2(
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

  private static void update1(
      float[] in, int x0, float[] out, int[] o, int j, int stride, float[] g, int q) {
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

  private static void updateHidden(
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
