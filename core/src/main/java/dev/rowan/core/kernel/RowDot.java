package dev.rowan.core.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * Dot products of rows with one to a few queries, the rows read in place, lanes along the row.
 *
 * <p>A single query is bound by memory. One row after the other is then the fastest order: the CPU
 * sees one stream and reads ahead; eight rows side by side reached three quarters of that. Eight
 * accumulators hide the latency of the fused multiply-add.
 *
 * <p>A width that is not a whole number of vectors ends with one more vector that overlaps the one
 * before; the query holds zeros where it does. So a row is read to its last byte and never beyond.
 */
final class RowDot {
  private static final VectorSpecies<Float> FLOATS = Lanes.FLOATS;
  private static final VectorSpecies<Integer> INTS = Lanes.INTS;
  private static final VectorSpecies<Short> SHORTS = Lanes.SHORTS;
  private static final int LANES = Lanes.COUNT;
  private static final long BYTES = 4L * LANES;

  private RowDot() {}

  /** Returns the numbers of a query after {@link #overlapped}. */
  static int laidLength(int width, int step) {
    return Math.ceilDiv(width, step) * step;
  }

  /**
   * Lays a query out for rows that are read {@code step} numbers at a time: whole steps, then the
   * last {@code step} numbers with those that were already covered set to zero.
   *
   * @param width {@code step} or more
   * @param target receives {@link #laidLength} numbers, all zero before
   */
  static void overlapped(
      float[] values, int from, int width, int step, float[] target, int targetFrom) {
    int rest = width % step;
    int whole = width - rest;
    int end = targetFrom + laidLength(width, step);
    System.arraycopy(values, from, target, targetFrom, whole);
    System.arraycopy(values, from + whole, target, end - rest, rest);
  }

  /**
   * Lays a query out for {@link #bf16} and {@link #f16}: as {@link #overlapped} for steps of two
   * vectors, each step with its even positions first and its odd ones after.
   */
  static float[] evenOdd(float[] values, int width) {
    int step = 2 * LANES;
    float[] laid = new float[laidLength(width, step)];
    overlapped(values, 0, width, step, laid, 0);
    float[] split = new float[laid.length];
    for (int i = 0; i < laid.length; i += step) {
      for (int lane = 0; lane < LANES; lane++) {
        split[i + lane] = laid[i + 2 * lane];
        split[i + LANES + lane] = laid[i + 2 * lane + 1];
      }
    }
    return split;
  }

  /**
   * Divides a query by {@link #F16_SCALE}.
   *
   * @return null where a number is 2¹⁶ or more, which would overflow
   */
  static float @Nullable [] scaledForF16(float[] laid) {
    float[] scaled = new float[laid.length];
    for (int i = 0; i < laid.length; i++) {
      scaled[i] = laid[i] / F16_SCALE;
      if (!Float.isFinite(scaled[i])) {
        return null;
      }
    }
    return scaled;
  }

  private static FloatVector f32(MemorySegment data, long at) {
    return FloatVector.fromMemorySegment(FLOATS, data, at, LITTLE_ENDIAN);
  }

  private static FloatVector query(float[] queries, int at) {
    return FloatVector.fromArray(FLOATS, queries, at);
  }

  /**
   * Multiplies one f32 row with one query.
   *
   * @param offset the byte at which the row starts
   * @param width d, one vector or more
   * @param query where the query starts in {@code queries}, laid out by {@link #overlapped}
   */
  static float f32(MemorySegment data, long offset, int width, float[] queries, int query) {
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    FloatVector s4 = s0;
    FloatVector s5 = s0;
    FloatVector s6 = s0;
    FloatVector s7 = s0;
    int i = 0;
    for (; i <= width - 8 * LANES; i += 8 * LANES) {
      long at = offset + 4L * i;
      int q = query + i;
      s0 = f32(data, at).fma(query(queries, q), s0);
      s1 = f32(data, at + BYTES).fma(query(queries, q + LANES), s1);
      s2 = f32(data, at + 2 * BYTES).fma(query(queries, q + 2 * LANES), s2);
      s3 = f32(data, at + 3 * BYTES).fma(query(queries, q + 3 * LANES), s3);
      s4 = f32(data, at + 4 * BYTES).fma(query(queries, q + 4 * LANES), s4);
      s5 = f32(data, at + 5 * BYTES).fma(query(queries, q + 5 * LANES), s5);
      s6 = f32(data, at + 6 * BYTES).fma(query(queries, q + 6 * LANES), s6);
      s7 = f32(data, at + 7 * BYTES).fma(query(queries, q + 7 * LANES), s7);
    }
    for (; i <= width - LANES; i += LANES) {
      s0 = f32(data, offset + 4L * i).fma(query(queries, query + i), s0);
    }
    if (i < width) {
      s1 = f32(data, offset + 4L * (width - LANES)).fma(query(queries, query + i), s1);
    }
    return s0.add(s1)
        .add(s2.add(s3))
        .add(s4.add(s5).add(s6.add(s7)))
        .reduceLanes(VectorOperators.ADD);
  }

  /**
   * Multiplies four f32 rows with four queries, over whole vectors: sixteen accumulators. For what
   * is left of the width, see {@link #rest}.
   *
   * @param query where the first query starts in {@code queries}, laid out by {@link #overlapped}
   * @param laid numbers of a laid-out query
   * @param dots receives the product of row r and query c at 4c + r
   */
  static void fourByFour(
      MemorySegment data,
      long offset,
      long rowBytes,
      int width,
      float[] queries,
      int query,
      int laid,
      float[] dots) {
    FloatVector s00 = FloatVector.zero(FLOATS);
    FloatVector s10 = s00;
    FloatVector s20 = s00;
    FloatVector s30 = s00;
    FloatVector s01 = s00;
    FloatVector s11 = s00;
    FloatVector s21 = s00;
    FloatVector s31 = s00;
    FloatVector s02 = s00;
    FloatVector s12 = s00;
    FloatVector s22 = s00;
    FloatVector s32 = s00;
    FloatVector s03 = s00;
    FloatVector s13 = s00;
    FloatVector s23 = s00;
    FloatVector s33 = s00;
    for (int i = 0; i <= width - LANES; i += LANES) {
      long at = offset + 4L * i;
      FloatVector r0 = f32(data, at);
      FloatVector r1 = f32(data, at + rowBytes);
      FloatVector r2 = f32(data, at + 2 * rowBytes);
      FloatVector r3 = f32(data, at + 3 * rowBytes);
      FloatVector q0 = query(queries, query + i);
      s00 = r0.fma(q0, s00);
      s10 = r1.fma(q0, s10);
      s20 = r2.fma(q0, s20);
      s30 = r3.fma(q0, s30);
      FloatVector q1 = query(queries, query + laid + i);
      s01 = r0.fma(q1, s01);
      s11 = r1.fma(q1, s11);
      s21 = r2.fma(q1, s21);
      s31 = r3.fma(q1, s31);
      FloatVector q2 = query(queries, query + 2 * laid + i);
      s02 = r0.fma(q2, s02);
      s12 = r1.fma(q2, s12);
      s22 = r2.fma(q2, s22);
      s32 = r3.fma(q2, s32);
      FloatVector q3 = query(queries, query + 3 * laid + i);
      s03 = r0.fma(q3, s03);
      s13 = r1.fma(q3, s13);
      s23 = r2.fma(q3, s23);
      s33 = r3.fma(q3, s33);
    }
    dots[0] = s00.reduceLanes(VectorOperators.ADD);
    dots[1] = s10.reduceLanes(VectorOperators.ADD);
    dots[2] = s20.reduceLanes(VectorOperators.ADD);
    dots[3] = s30.reduceLanes(VectorOperators.ADD);
    dots[4] = s01.reduceLanes(VectorOperators.ADD);
    dots[5] = s11.reduceLanes(VectorOperators.ADD);
    dots[6] = s21.reduceLanes(VectorOperators.ADD);
    dots[7] = s31.reduceLanes(VectorOperators.ADD);
    dots[8] = s02.reduceLanes(VectorOperators.ADD);
    dots[9] = s12.reduceLanes(VectorOperators.ADD);
    dots[10] = s22.reduceLanes(VectorOperators.ADD);
    dots[11] = s32.reduceLanes(VectorOperators.ADD);
    dots[12] = s03.reduceLanes(VectorOperators.ADD);
    dots[13] = s13.reduceLanes(VectorOperators.ADD);
    dots[14] = s23.reduceLanes(VectorOperators.ADD);
    dots[15] = s33.reduceLanes(VectorOperators.ADD);
  }

  /** Returns what {@link #fourByFour} leaves out, for one row and one query. */
  static float rest(MemorySegment data, long offset, int width, float[] queries, int query) {
    return f32(data, offset + 4L * (width - LANES))
        .mul(query(queries, query + width - width % LANES))
        .reduceLanes(VectorOperators.ADD);
  }

  /**
   * Multiplies one bf16 row with one query. An int lane holds two numbers,
   *
   * <pre>
   *   31        16 15         0
   *   [   odd     ][   even    ]     odd  as float: lane & 0xffff0000
   *                                  even as float: lane << 16
   * </pre>
   *
   * <p>which is exact for every pattern, since bf16 is the upper half of a float.
   *
   * @param width d, two vectors of floats or more
   * @param query laid out by {@link #evenOdd}
   */
  static float bf16(MemorySegment data, long offset, int width, float[] query) {
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    FloatVector s4 = s0;
    FloatVector s5 = s0;
    FloatVector s6 = s0;
    FloatVector s7 = s0;
    int i = 0;
    for (; i <= width - 8 * LANES; i += 8 * LANES) {
      long at = offset + 2L * i;
      IntVector p0 = pairs(data, at);
      IntVector p1 = pairs(data, at + BYTES);
      IntVector p2 = pairs(data, at + 2 * BYTES);
      IntVector p3 = pairs(data, at + 3 * BYTES);
      s0 = evenBf16(p0).fma(query(query, i), s0);
      s1 = oddBf16(p0).fma(query(query, i + LANES), s1);
      s2 = evenBf16(p1).fma(query(query, i + 2 * LANES), s2);
      s3 = oddBf16(p1).fma(query(query, i + 3 * LANES), s3);
      s4 = evenBf16(p2).fma(query(query, i + 4 * LANES), s4);
      s5 = oddBf16(p2).fma(query(query, i + 5 * LANES), s5);
      s6 = evenBf16(p3).fma(query(query, i + 6 * LANES), s6);
      s7 = oddBf16(p3).fma(query(query, i + 7 * LANES), s7);
    }
    for (; i < query.length; i += 2 * LANES) {
      IntVector p = pairs(data, offset + 2L * Math.min(i, width - 2 * LANES));
      s0 = evenBf16(p).fma(query(query, i), s0);
      s1 = oddBf16(p).fma(query(query, i + LANES), s1);
    }
    return s0.add(s1)
        .add(s2.add(s3))
        .add(s4.add(s5).add(s6.add(s7)))
        .reduceLanes(VectorOperators.ADD);
  }

  private static IntVector pairs(MemorySegment data, long at) {
    return IntVector.fromMemorySegment(INTS, data, at, LITTLE_ENDIAN);
  }

  private static FloatVector evenBf16(IntVector pairs) {
    return pairs.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
  }

  private static FloatVector oddBf16(IntVector pairs) {
    return pairs.and(0xffff0000).reinterpretAsFloats();
  }

  /** What {@link #f16} makes of a number: its value times this. A query is divided by it. */
  static final float F16_SCALE = 0x1p-112f;

  /**
   * Multiplies one f16 row with one query. The fields of an f16 are moved into those of an f32:
   *
   * <pre>
   *   f16         s eeeee ffffffffff
   *   f32   s 000 eeeee ffffffffff 0000000000000
   * </pre>
   *
   * <p>The exponent biases are 15 and 127, so the f32 is the f16 times 2^(15−127) = 2⁻¹¹², exactly,
   * for normal and subnormal numbers and zeros; the query makes up for it. Infinities and NaN
   * (eeeee = 11111) come out finite and wrong, so the largest eeeee is kept, and such a row has the
   * product NaN.
   *
   * @param width d, two vectors of floats or more
   * @param query divided by {@link #F16_SCALE}, then laid out by {@link #evenOdd}
   */
  static float f16(MemorySegment data, long offset, int width, float[] query) {
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    ShortVector top = ShortVector.zero(SHORTS);
    int i = 0;
    for (; i <= width - 4 * LANES; i += 4 * LANES) {
      long at = offset + 2L * i;
      IntVector p0 = pairs(data, at);
      IntVector p1 = pairs(data, at + BYTES);
      s0 = evenF16(p0).fma(query(query, i), s0);
      s1 = oddF16(p0).fma(query(query, i + LANES), s1);
      s2 = evenF16(p1).fma(query(query, i + 2 * LANES), s2);
      s3 = oddF16(p1).fma(query(query, i + 3 * LANES), s3);
      top = top.max(exponents(p0)).max(exponents(p1));
    }
    for (; i < query.length; i += 2 * LANES) {
      IntVector p = pairs(data, offset + 2L * Math.min(i, width - 2 * LANES));
      s0 = evenF16(p).fma(query(query, i), s0);
      s1 = oddF16(p).fma(query(query, i + LANES), s1);
      top = top.max(exponents(p));
    }
    if (top.reduceLanes(VectorOperators.MAX) == F16_EXPONENT) {
      return Float.NaN;
    }
    return s0.add(s1).add(s2.add(s3)).reduceLanes(VectorOperators.ADD);
  }

  private static final short F16_EXPONENT = 0x7c00;
  private static final int F16_IN_F32 = 0x8fffe000; // the sign, and 15 bits that moved by 13

  private static FloatVector evenF16(IntVector pairs) {
    return oddF16(pairs.lanewise(VectorOperators.LSHL, 16));
  }

  private static FloatVector oddF16(IntVector pairs) {
    return pairs.lanewise(VectorOperators.ASHR, 3).and(F16_IN_F32).reinterpretAsFloats();
  }

  private static ShortVector exponents(IntVector pairs) {
    return pairs.reinterpretAsShorts().and(F16_EXPONENT);
  }
}
