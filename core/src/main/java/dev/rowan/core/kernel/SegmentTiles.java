package dev.rowan.core.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Register tiles of {@link PackedQueries} for rows that are read where they lie; {@link PanelTiles}
 * are those for decoded rows.
 */
final class SegmentTiles {
  private static final VectorSpecies<Float> FLOATS = Lanes.FLOATS;

  private static final int LANES = Lanes.COUNT;

  private static final ValueLayout.OfFloat LITTLE_ENDIAN_FLOAT =
      JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private SegmentTiles() {}

  private static FloatVector queries(float[] packed, int at) {
    return FloatVector.fromArray(FLOATS, packed, at);
  }

  private static FloatVector number(MemorySegment data, long at) {
    return FloatVector.broadcast(FLOATS, data.get(LITTLE_ENDIAN_FLOAT, at));
  }

  /**
   * Six rows, four vectors of queries: 24 accumulators. Touches a byte at {@code ahead} and every
   * {@code stride} bytes behind it, one for each number of a row.
   */
  static void sixByFour(
      MemorySegment data,
      long offset,
      long rowBytes,
      int width,
      float[] packed,
      int block,
      float[] dots,
      long ahead,
      int stride) {
    FloatVector s00 = FloatVector.zero(FLOATS);
    FloatVector s01 = s00;
    FloatVector s02 = s00;
    FloatVector s03 = s00;
    FloatVector s10 = s00;
    FloatVector s11 = s00;
    FloatVector s12 = s00;
    FloatVector s13 = s00;
    FloatVector s20 = s00;
    FloatVector s21 = s00;
    FloatVector s22 = s00;
    FloatVector s23 = s00;
    FloatVector s30 = s00;
    FloatVector s31 = s00;
    FloatVector s32 = s00;
    FloatVector s33 = s00;
    FloatVector s40 = s00;
    FloatVector s41 = s00;
    FloatVector s42 = s00;
    FloatVector s43 = s00;
    FloatVector s50 = s00;
    FloatVector s51 = s00;
    FloatVector s52 = s00;
    FloatVector s53 = s00;
    int touched = 0;
    long row1 = offset + rowBytes;
    long row2 = offset + 2 * rowBytes;
    long row3 = offset + 3 * rowBytes;
    long row4 = offset + 4 * rowBytes;
    long row5 = offset + 5 * rowBytes;
    for (int i = 0; i < width; i++) {
      int at = block + i * 4 * LANES;
      FloatVector q0 = queries(packed, at);
      FloatVector q1 = queries(packed, at + LANES);
      FloatVector q2 = queries(packed, at + 2 * LANES);
      FloatVector q3 = queries(packed, at + 3 * LANES);
      FloatVector x0 = number(data, offset + 4L * i);
      s00 = x0.fma(q0, s00);
      s01 = x0.fma(q1, s01);
      s02 = x0.fma(q2, s02);
      s03 = x0.fma(q3, s03);
      FloatVector x1 = number(data, row1 + 4L * i);
      s10 = x1.fma(q0, s10);
      s11 = x1.fma(q1, s11);
      s12 = x1.fma(q2, s12);
      s13 = x1.fma(q3, s13);
      FloatVector x2 = number(data, row2 + 4L * i);
      s20 = x2.fma(q0, s20);
      s21 = x2.fma(q1, s21);
      s22 = x2.fma(q2, s22);
      s23 = x2.fma(q3, s23);
      FloatVector x3 = number(data, row3 + 4L * i);
      s30 = x3.fma(q0, s30);
      s31 = x3.fma(q1, s31);
      s32 = x3.fma(q2, s32);
      s33 = x3.fma(q3, s33);
      FloatVector x4 = number(data, row4 + 4L * i);
      s40 = x4.fma(q0, s40);
      s41 = x4.fma(q1, s41);
      s42 = x4.fma(q2, s42);
      s43 = x4.fma(q3, s43);
      FloatVector x5 = number(data, row5 + 4L * i);
      s50 = x5.fma(q0, s50);
      s51 = x5.fma(q1, s51);
      s52 = x5.fma(q2, s52);
      s53 = x5.fma(q3, s53);
      touched ^= data.get(JAVA_BYTE, ahead + (long) i * stride);
    }
    dots[24 * LANES] = touched; // or the compiler would drop the loads
    s00.intoArray(dots, 0);
    s01.intoArray(dots, LANES);
    s02.intoArray(dots, 2 * LANES);
    s03.intoArray(dots, 3 * LANES);
    s10.intoArray(dots, 4 * LANES);
    s11.intoArray(dots, 5 * LANES);
    s12.intoArray(dots, 6 * LANES);
    s13.intoArray(dots, 7 * LANES);
    s20.intoArray(dots, 8 * LANES);
    s21.intoArray(dots, 9 * LANES);
    s22.intoArray(dots, 10 * LANES);
    s23.intoArray(dots, 11 * LANES);
    s30.intoArray(dots, 12 * LANES);
    s31.intoArray(dots, 13 * LANES);
    s32.intoArray(dots, 14 * LANES);
    s33.intoArray(dots, 15 * LANES);
    s40.intoArray(dots, 16 * LANES);
    s41.intoArray(dots, 17 * LANES);
    s42.intoArray(dots, 18 * LANES);
    s43.intoArray(dots, 19 * LANES);
    s50.intoArray(dots, 20 * LANES);
    s51.intoArray(dots, 21 * LANES);
    s52.intoArray(dots, 22 * LANES);
    s53.intoArray(dots, 23 * LANES);
  }

  /** Six rows, two vectors of queries: 12 accumulators. */
  static void sixByTwo(
      MemorySegment data,
      long offset,
      long rowBytes,
      int width,
      float[] packed,
      int block,
      float[] dots) {
    FloatVector s00 = FloatVector.zero(FLOATS);
    FloatVector s01 = s00;
    FloatVector s10 = s00;
    FloatVector s11 = s00;
    FloatVector s20 = s00;
    FloatVector s21 = s00;
    FloatVector s30 = s00;
    FloatVector s31 = s00;
    FloatVector s40 = s00;
    FloatVector s41 = s00;
    FloatVector s50 = s00;
    FloatVector s51 = s00;
    long row1 = offset + rowBytes;
    long row2 = offset + 2 * rowBytes;
    long row3 = offset + 3 * rowBytes;
    long row4 = offset + 4 * rowBytes;
    long row5 = offset + 5 * rowBytes;
    for (int i = 0; i < width; i++) {
      int at = block + i * 2 * LANES;
      FloatVector q0 = queries(packed, at);
      FloatVector q1 = queries(packed, at + LANES);
      FloatVector x0 = number(data, offset + 4L * i);
      s00 = x0.fma(q0, s00);
      s01 = x0.fma(q1, s01);
      FloatVector x1 = number(data, row1 + 4L * i);
      s10 = x1.fma(q0, s10);
      s11 = x1.fma(q1, s11);
      FloatVector x2 = number(data, row2 + 4L * i);
      s20 = x2.fma(q0, s20);
      s21 = x2.fma(q1, s21);
      FloatVector x3 = number(data, row3 + 4L * i);
      s30 = x3.fma(q0, s30);
      s31 = x3.fma(q1, s31);
      FloatVector x4 = number(data, row4 + 4L * i);
      s40 = x4.fma(q0, s40);
      s41 = x4.fma(q1, s41);
      FloatVector x5 = number(data, row5 + 4L * i);
      s50 = x5.fma(q0, s50);
      s51 = x5.fma(q1, s51);
    }
    s00.intoArray(dots, 0);
    s01.intoArray(dots, LANES);
    s10.intoArray(dots, 2 * LANES);
    s11.intoArray(dots, 3 * LANES);
    s20.intoArray(dots, 4 * LANES);
    s21.intoArray(dots, 5 * LANES);
    s30.intoArray(dots, 6 * LANES);
    s31.intoArray(dots, 7 * LANES);
    s40.intoArray(dots, 8 * LANES);
    s41.intoArray(dots, 9 * LANES);
    s50.intoArray(dots, 10 * LANES);
    s51.intoArray(dots, 11 * LANES);
  }

  /** Six rows, one vector of queries: 6 accumulators. */
  static void sixByOne(
      MemorySegment data,
      long offset,
      long rowBytes,
      int width,
      float[] packed,
      int block,
      float[] dots) {
    FloatVector s00 = FloatVector.zero(FLOATS);
    FloatVector s10 = s00;
    FloatVector s20 = s00;
    FloatVector s30 = s00;
    FloatVector s40 = s00;
    FloatVector s50 = s00;
    long row1 = offset + rowBytes;
    long row2 = offset + 2 * rowBytes;
    long row3 = offset + 3 * rowBytes;
    long row4 = offset + 4 * rowBytes;
    long row5 = offset + 5 * rowBytes;
    for (int i = 0; i < width; i++) {
      int at = block + i * LANES;
      FloatVector q0 = queries(packed, at);
      FloatVector x0 = number(data, offset + 4L * i);
      s00 = x0.fma(q0, s00);
      FloatVector x1 = number(data, row1 + 4L * i);
      s10 = x1.fma(q0, s10);
      FloatVector x2 = number(data, row2 + 4L * i);
      s20 = x2.fma(q0, s20);
      FloatVector x3 = number(data, row3 + 4L * i);
      s30 = x3.fma(q0, s30);
      FloatVector x4 = number(data, row4 + 4L * i);
      s40 = x4.fma(q0, s40);
      FloatVector x5 = number(data, row5 + 4L * i);
      s50 = x5.fma(q0, s50);
    }
    s00.intoArray(dots, 0);
    s10.intoArray(dots, LANES);
    s20.intoArray(dots, 2 * LANES);
    s30.intoArray(dots, 3 * LANES);
    s40.intoArray(dots, 4 * LANES);
    s50.intoArray(dots, 5 * LANES);
  }
}
