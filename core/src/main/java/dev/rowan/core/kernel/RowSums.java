package dev.rowan.core.kernel;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Squared norms, products and sums of decoded rows in double, in the order of {@link Exact}: eight
 * sums, sum j over the positions i ≡ j (mod 8). They are the eight lanes of one vector of 512 bits;
 * with vectors of 256 the first four are summed before the last four.
 *
 * <p>The square of a float is exact in double, so the fused multiply-add rounds where the scalar
 * code does. The order allows only one chain of additions for each sum; four rows at a time hide
 * its latency, and each number of a vector or a sum is loaded once for four.
 */
final class RowSums {
  /** Rows at a time. */
  static final int ROWS = 4;

  private static final VectorSpecies<Double> DOUBLES = Lanes.DOUBLES;
  private static final int LANES = DOUBLES.length();
  private static final VectorSpecies<Float> FLOATS =
      VectorSpecies.of(float.class, VectorShape.forBitSize(Math.max(64, Lanes.BITS / 2)));

  private RowSums() {}

  /** Returns whether the eight sums fit one or two vectors; in four they gain nothing. */
  static boolean isSupported() {
    return LANES >= 4;
  }

  private static DoubleVector doubles(float[] row, int at) {
    return (DoubleVector)
        FloatVector.fromArray(FLOATS, row, at).convertShape(VectorOperators.F2D, DOUBLES, 0);
  }

  /**
   * Sums the squares of four rows.
   *
   * @param rows the arrays
   * @param first the first of the four
   * @param sums 32 numbers of scratch space
   * @param target receives four sums
   */
  static void squares(float[][] rows, int first, double[] sums, double[] target, int to) {
    squares(rows, first, 8, sums);
    for (int r = 0; r < ROWS; r++) {
      target[to + r] = Exact.sum(sums, 8 * r);
    }
  }

  /** As {@link #squares}, in the order of {@link Exact#squares}; takes 64 numbers of scratch. */
  static void evenOddSquares(float[][] rows, int first, double[] sums, double[] target, int to) {
    squares(rows, first, 16, sums);
    double[] sorted = new double[16];
    for (int r = 0; r < ROWS; r++) {
      for (int i = 0; i < 16; i++) {
        sorted[8 * (i & 1) + i / 2] = sums[16 * r + i];
      }
      target[to + r] = Exact.evenOddSum(sorted, 0);
    }
  }

  private static void squares(float[][] rows, int first, int count, double[] sums) {
    for (int part = 0; part < count; part += LANES) {
      squares(rows[first], rows[first + 1], rows[first + 2], rows[first + 3], part, count, sums);
    }
    for (int r = 0; r < ROWS; r++) {
      float[] row = rows[first + r];
      for (int i = row.length & -count; i < row.length; i++) {
        double x = row[i];
        sums[count * r + (i & count - 1)] += x * x;
      }
    }
  }

  private static void squares(
      float[] a, float[] b, float[] c, float[] d, int part, int count, double[] sums) {
    DoubleVector s = DoubleVector.zero(DOUBLES);
    DoubleVector t = s;
    DoubleVector u = s;
    DoubleVector v = s;
    for (int i = part; i < (a.length & -count); i += count) {
      DoubleVector x = doubles(a, i);
      DoubleVector y = doubles(b, i);
      DoubleVector z = doubles(c, i);
      DoubleVector w = doubles(d, i);
      s = x.fma(x, s);
      t = y.fma(y, t);
      u = z.fma(z, u);
      v = w.fma(w, v);
    }
    s.intoArray(sums, part);
    t.intoArray(sums, count + part);
    u.intoArray(sums, 2 * count + part);
    v.intoArray(sums, 3 * count + part);
  }

  /**
   * Sums the products of four rows and a vector. Multiplies and adds apart, since the scalar code
   * rounds twice too.
   *
   * @param rows the arrays
   * @param first the first of the four
   * @param vectors holds the vector from place {@code from} on
   * @param sums 32 numbers of scratch space
   * @param target receives the sums at places {@code to}, {@code to + step} and so on
   */
  static void products(
      float[][] rows,
      int first,
      double[] vectors,
      int from,
      double[] sums,
      double[] target,
      int to,
      int step) {
    for (int part = 0; part < 8; part += LANES) {
      products(
          rows[first],
          rows[first + 1],
          rows[first + 2],
          rows[first + 3],
          vectors,
          from,
          part,
          sums);
    }
    for (int r = 0; r < ROWS; r++) {
      float[] row = rows[first + r];
      for (int i = row.length & ~7; i < row.length; i++) {
        sums[8 * r + (i & 7)] += row[i] * vectors[from + i];
      }
      target[to + r * step] = Exact.sum(sums, 8 * r);
    }
  }

  private static void products(
      float[] a,
      float[] b,
      float[] c,
      float[] d,
      double[] vectors,
      int from,
      int part,
      double[] sums) {
    DoubleVector s = DoubleVector.zero(DOUBLES);
    DoubleVector t = s;
    DoubleVector u = s;
    DoubleVector v = s;
    for (int i = part; i < (a.length & ~7); i += 8) {
      DoubleVector q = DoubleVector.fromArray(DOUBLES, vectors, from + i);
      s = s.add(doubles(a, i).mul(q));
      t = t.add(doubles(b, i).mul(q));
      u = u.add(doubles(c, i).mul(q));
      v = v.add(doubles(d, i).mul(q));
    }
    s.intoArray(sums, part);
    t.intoArray(sums, 8 + part);
    u.intoArray(sums, 16 + part);
    v.intoArray(sums, 24 + part);
  }

  /** As {@link #products}, with two vectors, one behind the other: rows are converted once. */
  static void twoProducts(
      float[][] rows,
      int first,
      double[] vectors,
      int from,
      double[] sums,
      double[] target,
      int to,
      int step) {
    for (int part = 0; part < 8; part += LANES) {
      twoProducts(
          rows[first],
          rows[first + 1],
          rows[first + 2],
          rows[first + 3],
          vectors,
          from,
          part,
          sums);
    }
    for (int r = 0; r < ROWS; r++) {
      float[] row = rows[first + r];
      for (int i = row.length & ~7; i < row.length; i++) {
        sums[8 * r + (i & 7)] += row[i] * vectors[from + i];
        sums[32 + 8 * r + (i & 7)] += row[i] * vectors[from + row.length + i];
      }
      target[to + r * step] = Exact.sum(sums, 8 * r);
      target[to + r * step + 1] = Exact.sum(sums, 32 + 8 * r);
    }
  }

  private static void twoProducts(
      float[] a,
      float[] b,
      float[] c,
      float[] d,
      double[] vectors,
      int from,
      int part,
      double[] sums) {
    DoubleVector s0 = DoubleVector.zero(DOUBLES);
    DoubleVector t0 = s0;
    DoubleVector u0 = s0;
    DoubleVector v0 = s0;
    DoubleVector s1 = s0;
    DoubleVector t1 = s0;
    DoubleVector u1 = s0;
    DoubleVector v1 = s0;
    for (int i = part; i < (a.length & ~7); i += 8) {
      DoubleVector p = DoubleVector.fromArray(DOUBLES, vectors, from + i);
      DoubleVector q = DoubleVector.fromArray(DOUBLES, vectors, from + a.length + i);
      DoubleVector x = doubles(a, i);
      DoubleVector y = doubles(b, i);
      DoubleVector z = doubles(c, i);
      DoubleVector w = doubles(d, i);
      s0 = s0.add(x.mul(p));
      t0 = t0.add(y.mul(p));
      u0 = u0.add(z.mul(p));
      v0 = v0.add(w.mul(p));
      s1 = s1.add(x.mul(q));
      t1 = t1.add(y.mul(q));
      u1 = u1.add(z.mul(q));
      v1 = v1.add(w.mul(q));
    }
    s0.intoArray(sums, part);
    t0.intoArray(sums, 8 + part);
    u0.intoArray(sums, 16 + part);
    v0.intoArray(sums, 24 + part);
    s1.intoArray(sums, 32 + part);
    t1.intoArray(sums, 40 + part);
    u1.intoArray(sums, 48 + part);
    v1.intoArray(sums, 56 + part);
  }

  /**
   * Adds four rows, each times its factor, one after the other.
   *
   * @param rows the arrays
   * @param first the first of the four
   * @param factors four from place {@code from} on
   */
  static void addScaled(float[][] rows, int first, double[] factors, int from, double[] sum) {
    float[] a = rows[first];
    float[] b = rows[first + 1];
    float[] c = rows[first + 2];
    float[] d = rows[first + 3];
    int whole = addScaled(a, b, c, d, factors, from, sum);
    for (int i = whole; i < sum.length; i++) {
      sum[i] += factors[from] * a[i];
      sum[i] += factors[from + 1] * b[i];
      sum[i] += factors[from + 2] * c[i];
      sum[i] += factors[from + 3] * d[i];
    }
  }

  private static int addScaled(
      float[] a, float[] b, float[] c, float[] d, double[] factors, int from, double[] sum) {
    DoubleVector e = DoubleVector.broadcast(DOUBLES, factors[from]);
    DoubleVector f = DoubleVector.broadcast(DOUBLES, factors[from + 1]);
    DoubleVector g = DoubleVector.broadcast(DOUBLES, factors[from + 2]);
    DoubleVector h = DoubleVector.broadcast(DOUBLES, factors[from + 3]);
    int whole = DOUBLES.loopBound(sum.length);
    for (int i = 0; i < whole; i += LANES) {
      DoubleVector.fromArray(DOUBLES, sum, i)
          .add(doubles(a, i).mul(e))
          .add(doubles(b, i).mul(f))
          .add(doubles(c, i).mul(g))
          .add(doubles(d, i).mul(h))
          .intoArray(sum, i);
    }
    return whole;
  }
}
