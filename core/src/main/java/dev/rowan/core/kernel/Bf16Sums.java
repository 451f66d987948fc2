package dev.rowan.core.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@link RowSums} and {@link RowBits} of bf16 rows where they lie: half the work of decoding them
 * first, and the next bytes come from memory while these are summed.
 */
final class Bf16Sums {
  private static final VectorSpecies<Double> DOUBLES = Lanes.DOUBLES;
  private static final int LANES = DOUBLES.length();
  private static final VectorShape HALF = VectorShape.forBitSize(Math.max(64, Lanes.BITS / 2));
  private static final VectorShape QUARTER = VectorShape.forBitSize(Math.max(64, Lanes.BITS / 4));
  private static final VectorSpecies<Integer> INTS = VectorSpecies.of(int.class, HALF);
  private static final VectorSpecies<Short> SHORTS = VectorSpecies.of(short.class, QUARTER);
  private static final VectorSpecies<Integer> WHOLE_INTS = Lanes.INTS;
  private static final VectorSpecies<Short> WHOLE_SHORTS = VectorSpecies.of(short.class, HALF);
  private static final int INFINITY = 0x7F80_0000;
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Bf16Sums() {}

  private static float number(MemorySegment data, long row, int i) {
    return Float.intBitsToFloat(data.get(SHORT, row + 2L * i) << 16);
  }

  /** As {@link RowDigest#isConstant}. */
  static boolean isConstant(MemorySegment data, long row, int width) {
    float first = number(data, row, 0);
    int same = 1;
    while (same < width && number(data, row, same) == first) {
      same++;
    }
    return width > 1 && same == width;
  }

  private static DoubleVector doubles(MemorySegment data, long at) {
    FloatVector floats =
        ShortVector.fromMemorySegment(SHORTS, data, at, ByteOrder.LITTLE_ENDIAN)
            .convertShape(VectorOperators.ZERO_EXTEND_S2I, INTS, 0)
            .reinterpretAsInts()
            .lanewise(VectorOperators.LSHL, 16)
            .reinterpretAsFloats();
    return (DoubleVector) floats.convertShape(VectorOperators.F2D, DOUBLES, 0);
  }

  /** As {@link RowBits#look}; of a row that is not finite, says so. */
  static Look look(MemorySegment data, long row, int width, int[] state) {
    int whole = width & ~(RowDigest.PARTS - 1);
    int least = -1;
    int most = 0;
    for (int part = 0; part < RowDigest.PARTS; part += WHOLE_INTS.length()) {
      long both = look(data, row, part, whole, state);
      least = Integer.compareUnsigned((int) both, least) < 0 ? (int) both : least;
      most = Math.max(most, (int) (both >>> 32));
    }
    boolean subnormal = Integer.compareUnsigned(least, RowDigest.SUBNORMALS) < 0;
    for (int i = whole; i < width; i++) {
      float x = number(data, row, i);
      subnormal |= RowDigest.add(x, i, state);
      most = Math.max(most, Float.floatToRawIntBits(x) & Integer.MAX_VALUE);
    }
    return most >= INFINITY ? Look.NOT_FINITE : subnormal ? Look.SUBNORMAL : Look.PLAIN;
  }

  /** What a look at a row says. */
  enum Look {
    PLAIN,
    SUBNORMAL,
    NOT_FINITE
  }

  /**
   * Returns the largest magnitude's bits in the upper half, {@link RowBits}'s least in the lower.
   */
  private static long look(MemorySegment data, long row, int part, int whole, int[] state) {
    IntVector hash = IntVector.zero(WHOLE_INTS);
    IntVector least = IntVector.broadcast(WHOLE_INTS, -1);
    IntVector most = hash;
    for (int i = part; i < whole; i += RowDigest.PARTS) {
      IntVector x =
          (IntVector)
              ShortVector.fromMemorySegment(
                      WHOLE_SHORTS, data, row + 2L * i, ByteOrder.LITTLE_ENDIAN)
                  .convertShape(VectorOperators.ZERO_EXTEND_S2I, WHOLE_INTS, 0);
      x = x.lanewise(VectorOperators.LSHL, 16);
      hash = hash.lanewise(VectorOperators.ROL, RowDigest.TURN).lanewise(VectorOperators.XOR, x);
      IntVector magnitude = x.and(Integer.MAX_VALUE);
      least = least.lanewise(VectorOperators.UMIN, magnitude.sub(1));
      most = most.max(magnitude);
    }
    hash.intoArray(state, part);
    return (long) most.reduceLanes(VectorOperators.MAX) << 32
        | (least.reduceLanes(VectorOperators.UMIN) & 0xFFFF_FFFFL);
  }

  /**
   * Sums the squares of four rows, and adds the rows to a sum.
   *
   * @param offset where the first starts; the others follow
   * @param sums 32 numbers of scratch space
   * @param target receives four sums of squares
   * @param sum one number a column
   */
  static void squares(
      MemorySegment data,
      long offset,
      long rowBytes,
      double[] sums,
      double[] target,
      double[] sum) {
    for (int part = 0; part < 8; part += LANES) {
      squares(data, offset, rowBytes, part, sums, sum);
    }
    for (int r = 0; r < RowSums.ROWS; r++) {
      for (int i = sum.length & ~7; i < sum.length; i++) {
        double x = number(data, offset + r * rowBytes, i);
        sums[8 * r + (i & 7)] += x * x;
        sum[i] += x;
      }
      target[r] = Exact.sum(sums, 8 * r);
    }
  }

  private static void squares(
      MemorySegment data, long offset, long rowBytes, int part, double[] sums, double[] sum) {
    DoubleVector s = DoubleVector.zero(DOUBLES);
    DoubleVector t = s;
    DoubleVector u = s;
    DoubleVector v = s;
    for (int i = part; i < (sum.length & ~7); i += 8) {
      long at = offset + 2L * i;
      DoubleVector x = doubles(data, at);
      DoubleVector y = doubles(data, at + rowBytes);
      DoubleVector z = doubles(data, at + 2 * rowBytes);
      DoubleVector w = doubles(data, at + 3 * rowBytes);
      s = x.fma(x, s);
      t = y.fma(y, t);
      u = z.fma(z, u);
      v = w.fma(w, v);
      DoubleVector.fromArray(DOUBLES, sum, i).add(x).add(y).add(z).add(w).intoArray(sum, i);
    }
    s.intoArray(sums, part);
    t.intoArray(sums, 8 + part);
    u.intoArray(sums, 16 + part);
    v.intoArray(sums, 24 + part);
  }

  /**
   * Sums the products of four rows with a vector, as {@link RowSums#products}.
   *
   * @param target receives the sums at places {@code to}, {@code to + step} and so on
   */
  static void products(
      RowBlock rows,
      long offset,
      double[] vectors,
      int from,
      double[] sums,
      double[] target,
      int to,
      int step) {
    MemorySegment data = rows.data();
    long rowBytes = rows.rowBytes();
    int width = rows.width();
    for (int part = 0; part < 8; part += LANES) {
      products(data, offset, rowBytes, width, vectors, from, part, sums);
    }
    for (int r = 0; r < RowSums.ROWS; r++) {
      for (int i = width & ~7; i < width; i++) {
        sums[8 * r + (i & 7)] += number(data, offset + r * rowBytes, i) * vectors[from + i];
      }
      target[to + r * step] = Exact.sum(sums, 8 * r);
    }
  }

  private static void products(
      MemorySegment data,
      long offset,
      long rowBytes,
      int width,
      double[] vectors,
      int from,
      int part,
      double[] sums) {
    DoubleVector s = DoubleVector.zero(DOUBLES);
    DoubleVector t = s;
    DoubleVector u = s;
    DoubleVector v = s;
    for (int i = part; i < (width & ~7); i += 8) {
      long at = offset + 2L * i;
      DoubleVector q = DoubleVector.fromArray(DOUBLES, vectors, from + i);
      s = s.add(doubles(data, at).mul(q));
      t = t.add(doubles(data, at + rowBytes).mul(q));
      u = u.add(doubles(data, at + 2 * rowBytes).mul(q));
      v = v.add(doubles(data, at + 3 * rowBytes).mul(q));
    }
    s.intoArray(sums, part);
    t.intoArray(sums, 8 + part);
    u.intoArray(sums, 16 + part);
    v.intoArray(sums, 24 + part);
  }

  /** As {@link #products}, with two vectors, one behind the other. */
  static void twoProducts(
      RowBlock rows,
      long offset,
      double[] vectors,
      int from,
      double[] sums,
      double[] target,
      int to,
      int step) {
    MemorySegment data = rows.data();
    long rowBytes = rows.rowBytes();
    int width = rows.width();
    for (int part = 0; part < 8; part += LANES) {
      twoProducts(data, offset, rowBytes, width, vectors, from, part, sums);
    }
    for (int r = 0; r < RowSums.ROWS; r++) {
      for (int i = width & ~7; i < width; i++) {
        float x = number(data, offset + r * rowBytes, i);
        sums[8 * r + (i & 7)] += x * vectors[from + i];
        sums[32 + 8 * r + (i & 7)] += x * vectors[from + width + i];
      }
      target[to + r * step] = Exact.sum(sums, 8 * r);
      target[to + r * step + 1] = Exact.sum(sums, 32 + 8 * r);
    }
  }

  private static void twoProducts(
      MemorySegment data,
      long offset,
      long rowBytes,
      int width,
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
    for (int i = part; i < (width & ~7); i += 8) {
      long at = offset + 2L * i;
      DoubleVector p = DoubleVector.fromArray(DOUBLES, vectors, from + i);
      DoubleVector q = DoubleVector.fromArray(DOUBLES, vectors, from + width + i);
      DoubleVector x = doubles(data, at);
      DoubleVector y = doubles(data, at + rowBytes);
      DoubleVector z = doubles(data, at + 2 * rowBytes);
      DoubleVector w = doubles(data, at + 3 * rowBytes);
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

  /** Adds four rows, each times its factor, one after the other. */
  static void addScaled(
      MemorySegment data, long offset, long rowBytes, double[] factors, int from, double[] sum) {
    int whole = addWhole(data, offset, rowBytes, factors, from, sum);
    for (int i = whole; i < sum.length; i++) {
      for (int r = 0; r < RowSums.ROWS; r++) {
        sum[i] += factors[from + r] * number(data, offset + r * rowBytes, i);
      }
    }
  }

  private static int addWhole(
      MemorySegment data, long offset, long rowBytes, double[] factors, int from, double[] sum) {
    DoubleVector e = DoubleVector.broadcast(DOUBLES, factors[from]);
    DoubleVector f = DoubleVector.broadcast(DOUBLES, factors[from + 1]);
    DoubleVector g = DoubleVector.broadcast(DOUBLES, factors[from + 2]);
    DoubleVector h = DoubleVector.broadcast(DOUBLES, factors[from + 3]);
    int whole = DOUBLES.loopBound(sum.length);
    for (int i = 0; i < whole; i += LANES) {
      long at = offset + 2L * i;
      DoubleVector.fromArray(DOUBLES, sum, i)
          .add(doubles(data, at).mul(e))
          .add(doubles(data, at + rowBytes).mul(f))
          .add(doubles(data, at + 2 * rowBytes).mul(g))
          .add(doubles(data, at + 3 * rowBytes).mul(h))
          .intoArray(sum, i);
    }
    return whole;
  }
}
