package dev.rowan.core.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
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
  private static final VectorSpecies<Integer> HALF_INTS = VectorSpecies.of(int.class, HALF);
  private static final VectorSpecies<Short> QUARTER_SHORTS = VectorSpecies.of(short.class, QUARTER);
  private static final VectorSpecies<Integer> INTS = Lanes.INTS;
  private static final VectorSpecies<Short> SHORTS = Lanes.SHORTS;

  /** {@link RowDigest#SUBNORMALS} of bf16. */
  private static final int SUBNORMALS = RowDigest.SUBNORMALS >>> 16;

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
    return even(
        ShortVector.fromMemorySegment(QUARTER_SHORTS, data, at, ByteOrder.LITTLE_ENDIAN)
            .convertShape(VectorOperators.ZERO_EXTEND_S2I, HALF_INTS, 0)
            .reinterpretAsInts());
  }

  /**
   * Looks at a row as {@link RowDigest#look} does.
   *
   * @param pairs receives the hash's parts in pairs from place {@code from} on
   * @return whether a number is subnormal
   */
  static boolean look(MemorySegment data, long row, int width, int[] pairs, int from) {
    int whole = width & ~(RowDigest.PARTS - 1);
    boolean found = false;
    for (int part = 0; part < RowDigest.PAIRS; part += INTS.length()) {
      found |= look(data, row, part, whole, pairs, from + part);
    }
    for (int i = whole; i < width; i++) {
      int bits = data.get(SHORT, row + 2L * i) & 0xFFFF;
      int pair = from + (i - whole) / 2;
      pairs[pair] =
          i % 2 == 0
              ? Integer.rotateLeft(pairs[pair], RowDigest.TURN) ^ bits
              : pairs[pair] ^ bits << 16;
      found |= (bits - 1 & Short.MAX_VALUE) < SUBNORMALS;
    }
    return found;
  }

  private static boolean look(
      MemorySegment data, long row, int part, int whole, int[] pairs, int to) {
    IntVector hash = IntVector.zero(INTS);
    ShortVector least = ShortVector.broadcast(SHORTS, Short.MAX_VALUE);
    for (int i = 2 * part; i < whole; i += RowDigest.PARTS) {
      ShortVector x =
          ShortVector.fromMemorySegment(SHORTS, data, row + 2L * i, ByteOrder.LITTLE_ENDIAN);
      hash =
          hash.lanewise(VectorOperators.ROL, RowDigest.TURN)
              .lanewise(VectorOperators.XOR, x.reinterpretAsInts());
      // less 1, zeros are the largest number there is
      least = least.min(x.sub((short) 1).and(Short.MAX_VALUE));
    }
    hash.intoArray(pairs, to);
    return least.reduceLanes(VectorOperators.MIN) < SUBNORMALS;
  }

  /**
   * Sums the squares of four rows, and adds the rows to a sum.
   *
   * @param offset where the first starts; the others follow
   * @param sums 64 numbers of scratch space
   * @param target receives four sums of squares, in the order of {@link Exact#squares}
   * @param to where
   * @param columns one number a column: those at even places, then those at odd ones, of sixteen
   */
  static void squares(
      MemorySegment data,
      long offset,
      long rowBytes,
      double[] sums,
      double[] target,
      int to,
      double[] columns) {
    int width = columns.length;
    for (int part = 0; part < 8; part += LANES) {
      squares(data, offset, rowBytes, part, sums, columns);
    }
    for (int r = 0; r < RowSums.ROWS; r++) {
      for (int i = width & ~15; i < width; i++) {
        double x = number(data, offset + r * rowBytes, i);
        sums[16 * r + place(i & 15)] += x * x;
        columns[i] += x;
      }
      target[to + r] = Exact.evenOddSum(sums, 16 * r);
    }
  }

  private static int place(int column) {
    return 8 * (column & 1) + column / 2;
  }

  /** Puts the sums of columns in their order. */
  static void inOrder(double[] columns, double[] target) {
    int whole = columns.length & ~15;
    for (int i = 0; i < columns.length; i++) {
      target[i] = columns[i < whole ? (i & ~15) + place(i & 15) : i];
    }
  }

  /** Numbers at even and odd places are the halves of 32 bits. */
  private static void squares(
      MemorySegment data, long offset, long rowBytes, int part, double[] sums, double[] columns) {
    DoubleVector s0 = DoubleVector.zero(DOUBLES);
    DoubleVector t0 = s0;
    DoubleVector u0 = s0;
    DoubleVector v0 = s0;
    DoubleVector s1 = s0;
    DoubleVector t1 = s0;
    DoubleVector u1 = s0;
    DoubleVector v1 = s0;
    int whole = columns.length & ~15;
    for (int i = 0; i < whole; i += 16) {
      long at = offset + 2L * i + 4L * part;
      IntVector a = pairs(data, at);
      IntVector b = pairs(data, at + rowBytes);
      IntVector c = pairs(data, at + 2 * rowBytes);
      IntVector d = pairs(data, at + 3 * rowBytes);
      DoubleVector x = even(a);
      DoubleVector y = even(b);
      DoubleVector z = even(c);
      DoubleVector w = even(d);
      s0 = x.fma(x, s0);
      t0 = y.fma(y, t0);
      u0 = z.fma(z, u0);
      v0 = w.fma(w, v0);
      int to = i + part;
      DoubleVector.fromArray(DOUBLES, columns, to)
          .add(x)
          .add(y)
          .add(z)
          .add(w)
          .intoArray(columns, to);
      x = odd(a);
      y = odd(b);
      z = odd(c);
      w = odd(d);
      s1 = x.fma(x, s1);
      t1 = y.fma(y, t1);
      u1 = z.fma(z, u1);
      v1 = w.fma(w, v1);
      to += 8;
      DoubleVector.fromArray(DOUBLES, columns, to)
          .add(x)
          .add(y)
          .add(z)
          .add(w)
          .intoArray(columns, to);
    }
    s0.intoArray(sums, part);
    s1.intoArray(sums, 8 + part);
    t0.intoArray(sums, 16 + part);
    t1.intoArray(sums, 24 + part);
    u0.intoArray(sums, 32 + part);
    u1.intoArray(sums, 40 + part);
    v0.intoArray(sums, 48 + part);
    v1.intoArray(sums, 56 + part);
  }

  private static IntVector pairs(MemorySegment data, long at) {
    return IntVector.fromMemorySegment(HALF_INTS, data, at, ByteOrder.LITTLE_ENDIAN);
  }

  private static DoubleVector even(IntVector pairs) {
    return doubles(pairs.lanewise(VectorOperators.LSHL, 16));
  }

  private static DoubleVector odd(IntVector pairs) {
    return doubles(pairs.and(0xFFFF_0000));
  }

  private static DoubleVector doubles(IntVector floats) {
    return (DoubleVector)
        floats.reinterpretAsFloats().convertShape(VectorOperators.F2D, DOUBLES, 0);
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
