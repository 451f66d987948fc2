package dev.rowan.core.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Dot products of eight rows with one query, read in place: what a single query needs, where memory
 * is the limit.
 *
 * <p>Lanes run along the row. A width that is not a whole number of vectors ends with one more
 * vector that overlaps the one before; the query holds zeros where it does (see {@link
 * #overlapped}). So a row is read to its last byte and never beyond.
 *
 * <p>Eight rows, because eight streams keep enough cache lines on their way (two reach half the
 * speed) and eight accumulators hide the latency of the fused multiply-add.
 */
final class SegmentDot {
  /** Rows of one call. */
  static final int ROWS = 8;

  private static final VectorSpecies<Float> FLOATS = Lanes.FLOATS;
  private static final VectorSpecies<Integer> INTS = Lanes.INTS;
  private static final int LANES = Lanes.COUNT;

  private SegmentDot() {}

  /**
   * Lays a query out for rows that are read {@code step} numbers at a time: whole steps, then the
   * last {@code step} numbers with those that were already covered set to zero.
   *
   * @param width {@code step} or more
   */
  static float[] overlapped(float[] values, int from, int width, int step) {
    int whole = width - width % step;
    int rest = width - whole;
    float[] laid = new float[rest == 0 ? whole : whole + step];
    System.arraycopy(values, from, laid, 0, whole);
    System.arraycopy(values, from + whole, laid, laid.length - rest, rest);
    return laid;
  }

  /**
   * Lays a query out for {@link #bf16}: as {@link #overlapped} for steps of two vectors, each step
   * with its even positions first and its odd ones after.
   */
  static float[] overlappedEvenOdd(float[] values, int from, int width) {
    float[] laid = overlapped(values, from, width, 2 * LANES);
    float[] split = new float[laid.length];
    for (int step = 0; step < laid.length; step += 2 * LANES) {
      for (int lane = 0; lane < LANES; lane++) {
        split[step + lane] = laid[step + 2 * lane];
        split[step + LANES + lane] = laid[step + 2 * lane + 1];
      }
    }
    return split;
  }

  /**
   * Multiplies eight f32 rows.
   *
   * @param offset the byte at which the first row starts
   * @param rowBytes bytes from one row to the next
   * @param width d, one vector or more
   * @param query laid out by {@link #overlapped} with a step of one vector
   * @param dots receives eight numbers
   */
  static void f32(
      MemorySegment data, long offset, long rowBytes, int width, float[] query, float[] dots) {
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    FloatVector s4 = s0;
    FloatVector s5 = s0;
    FloatVector s6 = s0;
    FloatVector s7 = s0;
    int whole = width - LANES;
    for (int i = 0; i < query.length; i += LANES) {
      long at = offset + 4L * Math.min(i, whole);
      FloatVector q = FloatVector.fromArray(FLOATS, query, i);
      s0 = f32(data, at).fma(q, s0);
      s1 = f32(data, at + rowBytes).fma(q, s1);
      s2 = f32(data, at + 2 * rowBytes).fma(q, s2);
      s3 = f32(data, at + 3 * rowBytes).fma(q, s3);
      s4 = f32(data, at + 4 * rowBytes).fma(q, s4);
      s5 = f32(data, at + 5 * rowBytes).fma(q, s5);
      s6 = f32(data, at + 6 * rowBytes).fma(q, s6);
      s7 = f32(data, at + 7 * rowBytes).fma(q, s7);
    }
    dots[0] = s0.reduceLanes(VectorOperators.ADD);
    dots[1] = s1.reduceLanes(VectorOperators.ADD);
    dots[2] = s2.reduceLanes(VectorOperators.ADD);
    dots[3] = s3.reduceLanes(VectorOperators.ADD);
    dots[4] = s4.reduceLanes(VectorOperators.ADD);
    dots[5] = s5.reduceLanes(VectorOperators.ADD);
    dots[6] = s6.reduceLanes(VectorOperators.ADD);
    dots[7] = s7.reduceLanes(VectorOperators.ADD);
  }

  private static FloatVector f32(MemorySegment data, long at) {
    return FloatVector.fromMemorySegment(FLOATS, data, at, LITTLE_ENDIAN);
  }

  /**
   * Multiplies eight bf16 rows. An int lane holds two numbers,
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
   * @param query laid out by {@link #overlappedEvenOdd}
   * @param dots receives eight numbers
   */
  static void bf16(
      MemorySegment data, long offset, long rowBytes, int width, float[] query, float[] dots) {
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    FloatVector s4 = s0;
    FloatVector s5 = s0;
    FloatVector s6 = s0;
    FloatVector s7 = s0;
    int whole = width - 2 * LANES;
    for (int i = 0; i < query.length; i += 2 * LANES) {
      long at = offset + 2L * Math.min(i, whole);
      FloatVector even = FloatVector.fromArray(FLOATS, query, i);
      FloatVector odd = FloatVector.fromArray(FLOATS, query, i + LANES);
      s0 = bf16(data, at, even, odd, s0);
      s1 = bf16(data, at + rowBytes, even, odd, s1);
      s2 = bf16(data, at + 2 * rowBytes, even, odd, s2);
      s3 = bf16(data, at + 3 * rowBytes, even, odd, s3);
      s4 = bf16(data, at + 4 * rowBytes, even, odd, s4);
      s5 = bf16(data, at + 5 * rowBytes, even, odd, s5);
      s6 = bf16(data, at + 6 * rowBytes, even, odd, s6);
      s7 = bf16(data, at + 7 * rowBytes, even, odd, s7);
    }
    dots[0] = s0.reduceLanes(VectorOperators.ADD);
    dots[1] = s1.reduceLanes(VectorOperators.ADD);
    dots[2] = s2.reduceLanes(VectorOperators.ADD);
    dots[3] = s3.reduceLanes(VectorOperators.ADD);
    dots[4] = s4.reduceLanes(VectorOperators.ADD);
    dots[5] = s5.reduceLanes(VectorOperators.ADD);
    dots[6] = s6.reduceLanes(VectorOperators.ADD);
    dots[7] = s7.reduceLanes(VectorOperators.ADD);
  }

  private static FloatVector bf16(
      MemorySegment data, long at, FloatVector even, FloatVector odd, FloatVector sum) {
    IntVector pairs = IntVector.fromMemorySegment(INTS, data, at, LITTLE_ENDIAN);
    FloatVector first = pairs.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
    FloatVector second = pairs.and(0xffff0000).reinterpretAsFloats();
    return second.fma(odd, first.fma(even, sum));
  }
}
