package dev.rowan.core.kernel;

import java.lang.foreign.MemorySegment;

/**
 * The inner loops of training. {@link ScalarRowKernels} is the reference; the Vector twin gives the
 * same answers to the last bit, because every loop works number by number (or, in {@link
 * #multiply}, runs one chain of fused multiply-adds for each result) and uses a fused multiply-add
 * exactly where the reference does.
 *
 * <p>Arguments are checked by the array accesses alone: callers check shapes before they write.
 * Source and target ranges must not overlap unless they are the same. Stateless; safe for any
 * number of threads.
 */
public interface RowKernels {

  /** Returns the scalar reference. */
  static RowKernels scalar() {
    return ScalarRowKernels.INSTANCE;
  }

  /** Returns the kernels chosen for this JVM; the rule is that of {@link KernelChoice}. */
  static RowKernels best() {
    return RowKernelChoice.BEST;
  }

  /** Returns the name shown to users: {@code scalar} or {@code vector-512} and the like. */
  String name();

  /** y[i] += x[i]. */
  void add(float[] x, int xFrom, float[] y, int yFrom, int count);

  /** y[i] = fma(a, x[i], y[i]). */
  void addScaled(float a, float[] x, int xFrom, float[] y, int yFrom, int count);

  /** As {@link #addScaled}, into an f32 row of a table that starts at byte {@code row}. */
  void addScaled(float a, float[] x, int xFrom, MemorySegment table, long row, int count);

  /**
   * As four calls of {@link #addScaled(float, float[], int, MemorySegment, long, int)}, to four
   * different rows: the bits are the same, and their cache misses overlap.
   *
   * @param a four factors
   * @param x for each row the array that has its summand
   * @param xFrom for each row where the summand begins
   * @param rows for each row the byte at which it starts
   */
  default void addScaledFour(
      float[] a, float[][] x, int[] xFrom, MemorySegment table, long[] rows, int count) {
    for (int r = 0; r < 4; r++) {
      addScaled(a[r], x[r], xFrom[r], table, rows[r], count);
    }
  }

  /** Returns Σ x[i]² in double, in the order of {@link Exact}. */
  double squaredNorm(float[] x, int xFrom, int count);

  /** y[i] *= a. */
  void scale(float a, float[] y, int yFrom, int count);

  /**
   * One row of Adagrad (Duchi et al. 2011): s[i] = fma(g[i], g[i], s[i]); w[i] −= rate · g[i] /
   * (√s[i] + epsilon). All from place 0.
   */
  void adagrad(float[] w, float[] g, float[] s, int count, float rate, float epsilon);

  /**
   * One row of Adam (Kingma and Ba 2015): m = fma(β₁, m, rest₁·g), v = fma(β₂, v, rest₂·g·g), w −=
   * rate · m / fma(√v, rootScale, epsilon). All from place 0.
   */
  void adam(float[] w, float[] g, float[] m, float[] v, int count, AdamFactors factors);

  /**
   * The numbers of one Adam step.
   *
   * @param beta1 β₁
   * @param rest1 1 − β₁, rounded from double: 1 − 0.999f is wrong in its fifth digit
   * @param beta2 β₂
   * @param rest2 1 − β₂
   * @param rate the learning rate with its bias corrections
   * @param rootScale what √v is multiplied by before epsilon is added
   * @param epsilon ε
   */
  record AdamFactors(
      float beta1,
      float rest1,
      float beta2,
      float rest2,
      float rate,
      float rootScale,
      float epsilon) {}

  /** y[i] = max(x[i], y[i]); a NaN on either side wins. */
  void max(float[] x, int xFrom, float[] y, int yFrom, int count);

  /** sum[i] += e^(x[i] − shift[i]); see {@link #exponential} for the exponential. */
  void addExponentials(float[] x, int xFrom, float[] shift, float[] sum, int count);

  /** x[i] = factor[i] · e^(x[i] − shift[i]); see {@link #exponential} for the exponential. */
  void exponentials(float[] x, int xFrom, float[] shift, float[] factor, int count);

  /**
   * C += A·B. Each number of C is one chain c = fma(a(i,0), b(0,j), c), fma(a(i,1), b(1,j), c), …,
   * so its bits depend neither on the tile nor on the width of the vectors.
   *
   * @param a m × k, any strides
   * @param b k × n, column stride 1
   * @param c m × n, column stride 1
   * @throws IllegalArgumentException if shapes or strides do not fit
   */
  void multiply(Matrix a, Matrix b, Matrix c);

  /**
   * Copies f32 rows, one after the other, bytes as they are.
   *
   * @param data the table
   * @param width d
   * @param ids ids of rows, checked by the caller
   * @param from the first position of {@code ids} to copy
   * @param to the position after the last
   * @param target receives the row of position p from place p × d on
   */
  void copyRows(MemorySegment data, int width, long[] ids, int from, int to, float[] target);

  /** As the other {@code copyRows}, for ids in an int array. */
  void copyRows(MemorySegment data, int width, int[] ids, int from, int to, float[] target);

  /** As the other {@code copyRows}, to memory outside the heap. */
  void copyRows(MemorySegment data, int width, long[] ids, int from, int to, MemorySegment target);

  /** As the other {@code copyRows}, for ids in an int array, to memory outside the heap. */
  void copyRows(MemorySegment data, int width, int[] ids, int from, int to, MemorySegment target);

  /**
   * Adds f32 rows of a table one after the other: y[i] += row[i] for each id in turn.
   *
   * @param data the table
   * @param ids ids of rows, all checked by the caller: rows of later positions may be touched
   * @param from the first position of {@code ids} to add
   * @param to the position after the last
   * @param y receives the sum of {@code count} columns
   * @param yFrom where it starts
   * @param count d
   */
  void addRows(MemorySegment data, long[] ids, int from, int to, float[] y, int yFrom, int count);

  /** As {@link #addRows}, each row times its weight: y[i] = fma(weights[p], row[i], y[i]). */
  void addScaledRows(
      MemorySegment data,
      long[] ids,
      float[] weights,
      int from,
      int to,
      float[] y,
      int yFrom,
      int count);

  /** Checks the shapes of {@link #multiply}. */
  static void checkProduct(Matrix a, Matrix b, Matrix c) {
    if (a.columns() != b.rows() || a.rows() != c.rows() || b.columns() != c.columns()) {
      throw new IllegalArgumentException(
          "%d × %d times %d × %d does not fit into %d × %d"
              .formatted(a.rows(), a.columns(), b.rows(), b.columns(), c.rows(), c.columns()));
    }
    if (b.columnStride() != 1 || c.columnStride() != 1) {
      throw new IllegalArgumentException(
          "column strides of B and C are %d and %d; both must be 1"
              .formatted(b.columnStride(), c.columnStride()));
    }
  }

  /**
   * Returns e^x to about 1 unit in the last place: x = k·ln 2 + r, the Taylor series of e^r to r⁷
   * (error 5e-9 at |r| = ln 2 / 2), then k added to the exponent bits. Below −87.33 the result is
   * 0, so subnormal results do not occur; above 88.72 it is +Inf; NaN stays NaN.
   */
  static float exponential(float x) {
    // 1.5 · 2^23: adding it rounds to an integer, which stands in the low bits of the fraction
    float t = Math.fma(x, LOG2_E, ROUNDER);
    float k = t - ROUNDER;
    float r = Math.fma(k, -LN2_HIGH, x);
    r = Math.fma(k, -LN2_LOW, r);
    float p = Math.fma(r, C7, C6);
    p = Math.fma(p, r, C5);
    p = Math.fma(p, r, C4);
    p = Math.fma(p, r, C3);
    p = Math.fma(p, r, C2);
    p = Math.fma(p, r, 1f);
    p = Math.fma(p, r, 1f);
    float e = Float.intBitsToFloat(Float.floatToRawIntBits(p) + (Float.floatToRawIntBits(t) << 23));
    if (x < LEAST) {
      return 0f;
    }
    if (x > MOST) {
      return Float.POSITIVE_INFINITY;
    }
    return Float.isNaN(x) ? x : e;
  }

  /** log₂ e. */
  float LOG2_E = 1.442695f;

  /** 1.5 · 2²³. */
  float ROUNDER = 0x1.8p23f;

  /** The upper bits of ln 2 (355/512), few enough that k · LN2_HIGH is exact. */
  float LN2_HIGH = 0x1.63p-1f;

  /** ln 2 − LN2_HIGH. */
  float LN2_LOW = -0x1.bd0106p-13f;

  /** 1/2!. */
  float C2 = 0.5f;

  /** 1/3!. */
  float C3 = 1f / 6;

  /** 1/4!. */
  float C4 = 1f / 24;

  /** 1/5!. */
  float C5 = 1f / 120;

  /** 1/6!. */
  float C6 = 1f / 720;

  /** 1/7!. */
  float C7 = 1f / 5040;

  /** Arguments below this give 0. */
  float LEAST = -87.33f;

  /** Arguments above this give +Inf. */
  float MOST = 88.72f;
}
