package dev.rowan.core.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The tiles of {@link PackedQueries} for decoded rows, which lie in an array {@link #STRIDE}
 * numbers apart.
 *
 * <p>A method of their own, and an array: a tile that met mapped segments as well as ones of its
 * own making would outgrow the compiler's inlining budget, and take seven times as long for both.
 *
 * <p>While it multiplies, a tile touches a byte at {@code ahead} and every {@link #TOUCH} bytes
 * behind it, one for each column, so that the next rows come from memory meanwhile: decoding stops
 * at each line that is not in cache yet, a tile does not. Both distances are constants, for else
 * they take registers that the loop needs: 15 to 35 % of its time. The touch stands first, where
 * the compiler keeps every accumulator in a register; at the end, one of 24 goes to memory.
 */
final class PanelTiles {
  /**
   * Numbers from a row to the next. 73 lines of cache: the six rows start 9 sets apart, so that
   * those of up to this many numbers spread over the first cache.
   */
  static final int STRIDE = 1168;

  /** Bytes between two touches: six rows of Q8_0 take 6.4 bytes a column. */
  static final int TOUCH = 8;

  private static final VectorSpecies<Float> FLOATS = Lanes.FLOATS;
  private static final int LANES = Lanes.COUNT;

  private PanelTiles() {}

  /**
   * Six rows, four vectors of queries: 24 accumulators. Adds to {@code dots}, whose last number is
   * scratch.
   */
  static void sixByFour(
      float[] rows,
      int columns,
      float[] packed,
      int block,
      float[] before,
      float[] dots,
      MemorySegment data,
      long ahead) {
    FloatVector s00 = FloatVector.fromArray(FLOATS, before, 0);
    FloatVector s01 = FloatVector.fromArray(FLOATS, before, LANES);
    FloatVector s02 = FloatVector.fromArray(FLOATS, before, 2 * LANES);
    FloatVector s03 = FloatVector.fromArray(FLOATS, before, 3 * LANES);
    FloatVector s10 = FloatVector.fromArray(FLOATS, before, 4 * LANES);
    FloatVector s11 = FloatVector.fromArray(FLOATS, before, 5 * LANES);
    FloatVector s12 = FloatVector.fromArray(FLOATS, before, 6 * LANES);
    FloatVector s13 = FloatVector.fromArray(FLOATS, before, 7 * LANES);
    FloatVector s20 = FloatVector.fromArray(FLOATS, before, 8 * LANES);
    FloatVector s21 = FloatVector.fromArray(FLOATS, before, 9 * LANES);
    FloatVector s22 = FloatVector.fromArray(FLOATS, before, 10 * LANES);
    FloatVector s23 = FloatVector.fromArray(FLOATS, before, 11 * LANES);
    FloatVector s30 = FloatVector.fromArray(FLOATS, before, 12 * LANES);
    FloatVector s31 = FloatVector.fromArray(FLOATS, before, 13 * LANES);
    FloatVector s32 = FloatVector.fromArray(FLOATS, before, 14 * LANES);
    FloatVector s33 = FloatVector.fromArray(FLOATS, before, 15 * LANES);
    FloatVector s40 = FloatVector.fromArray(FLOATS, before, 16 * LANES);
    FloatVector s41 = FloatVector.fromArray(FLOATS, before, 17 * LANES);
    FloatVector s42 = FloatVector.fromArray(FLOATS, before, 18 * LANES);
    FloatVector s43 = FloatVector.fromArray(FLOATS, before, 19 * LANES);
    FloatVector s50 = FloatVector.fromArray(FLOATS, before, 20 * LANES);
    FloatVector s51 = FloatVector.fromArray(FLOATS, before, 21 * LANES);
    FloatVector s52 = FloatVector.fromArray(FLOATS, before, 22 * LANES);
    FloatVector s53 = FloatVector.fromArray(FLOATS, before, 23 * LANES);
    int touched = 0;
    for (int i = 0; i < columns; i++) {
      touched ^= data.get(JAVA_BYTE, ahead + (long) TOUCH * i);
      int at = block + i * 4 * LANES;
      FloatVector q0 = FloatVector.fromArray(FLOATS, packed, at);
      FloatVector q1 = FloatVector.fromArray(FLOATS, packed, at + LANES);
      FloatVector q2 = FloatVector.fromArray(FLOATS, packed, at + 2 * LANES);
      FloatVector q3 = FloatVector.fromArray(FLOATS, packed, at + 3 * LANES);
      FloatVector x0 = FloatVector.broadcast(FLOATS, rows[i]);
      s00 = x0.fma(q0, s00);
      s01 = x0.fma(q1, s01);
      s02 = x0.fma(q2, s02);
      s03 = x0.fma(q3, s03);
      FloatVector x1 = FloatVector.broadcast(FLOATS, rows[i + STRIDE]);
      s10 = x1.fma(q0, s10);
      s11 = x1.fma(q1, s11);
      s12 = x1.fma(q2, s12);
      s13 = x1.fma(q3, s13);
      FloatVector x2 = FloatVector.broadcast(FLOATS, rows[i + 2 * STRIDE]);
      s20 = x2.fma(q0, s20);
      s21 = x2.fma(q1, s21);
      s22 = x2.fma(q2, s22);
      s23 = x2.fma(q3, s23);
      FloatVector x3 = FloatVector.broadcast(FLOATS, rows[i + 3 * STRIDE]);
      s30 = x3.fma(q0, s30);
      s31 = x3.fma(q1, s31);
      s32 = x3.fma(q2, s32);
      s33 = x3.fma(q3, s33);
      FloatVector x4 = FloatVector.broadcast(FLOATS, rows[i + 4 * STRIDE]);
      s40 = x4.fma(q0, s40);
      s41 = x4.fma(q1, s41);
      s42 = x4.fma(q2, s42);
      s43 = x4.fma(q3, s43);
      FloatVector x5 = FloatVector.broadcast(FLOATS, rows[i + 5 * STRIDE]);
      s50 = x5.fma(q0, s50);
      s51 = x5.fma(q1, s51);
      s52 = x5.fma(q2, s52);
      s53 = x5.fma(q3, s53);
    }
    dots[dots.length - 1] = touched; // or the compiler would drop the loads
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
      float[] rows,
      int columns,
      float[] packed,
      int block,
      float[] before,
      float[] dots,
      MemorySegment data,
      long ahead) {
    FloatVector s00 = FloatVector.fromArray(FLOATS, before, 0);
    FloatVector s01 = FloatVector.fromArray(FLOATS, before, LANES);
    FloatVector s10 = FloatVector.fromArray(FLOATS, before, 2 * LANES);
    FloatVector s11 = FloatVector.fromArray(FLOATS, before, 3 * LANES);
    FloatVector s20 = FloatVector.fromArray(FLOATS, before, 4 * LANES);
    FloatVector s21 = FloatVector.fromArray(FLOATS, before, 5 * LANES);
    FloatVector s30 = FloatVector.fromArray(FLOATS, before, 6 * LANES);
    FloatVector s31 = FloatVector.fromArray(FLOATS, before, 7 * LANES);
    FloatVector s40 = FloatVector.fromArray(FLOATS, before, 8 * LANES);
    FloatVector s41 = FloatVector.fromArray(FLOATS, before, 9 * LANES);
    FloatVector s50 = FloatVector.fromArray(FLOATS, before, 10 * LANES);
    FloatVector s51 = FloatVector.fromArray(FLOATS, before, 11 * LANES);
    int touched = 0;
    for (int i = 0; i < columns; i++) {
      touched ^= data.get(JAVA_BYTE, ahead + (long) TOUCH * i);
      int at = block + i * 2 * LANES;
      FloatVector q0 = FloatVector.fromArray(FLOATS, packed, at);
      FloatVector q1 = FloatVector.fromArray(FLOATS, packed, at + LANES);
      FloatVector x0 = FloatVector.broadcast(FLOATS, rows[i]);
      s00 = x0.fma(q0, s00);
      s01 = x0.fma(q1, s01);
      FloatVector x1 = FloatVector.broadcast(FLOATS, rows[i + STRIDE]);
      s10 = x1.fma(q0, s10);
      s11 = x1.fma(q1, s11);
      FloatVector x2 = FloatVector.broadcast(FLOATS, rows[i + 2 * STRIDE]);
      s20 = x2.fma(q0, s20);
      s21 = x2.fma(q1, s21);
      FloatVector x3 = FloatVector.broadcast(FLOATS, rows[i + 3 * STRIDE]);
      s30 = x3.fma(q0, s30);
      s31 = x3.fma(q1, s31);
      FloatVector x4 = FloatVector.broadcast(FLOATS, rows[i + 4 * STRIDE]);
      s40 = x4.fma(q0, s40);
      s41 = x4.fma(q1, s41);
      FloatVector x5 = FloatVector.broadcast(FLOATS, rows[i + 5 * STRIDE]);
      s50 = x5.fma(q0, s50);
      s51 = x5.fma(q1, s51);
    }
    dots[dots.length - 1] = touched; // or the compiler would drop the loads
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
      float[] rows,
      int columns,
      float[] packed,
      int block,
      float[] before,
      float[] dots,
      MemorySegment data,
      long ahead) {
    FloatVector s00 = FloatVector.fromArray(FLOATS, before, 0);
    FloatVector s10 = FloatVector.fromArray(FLOATS, before, LANES);
    FloatVector s20 = FloatVector.fromArray(FLOATS, before, 2 * LANES);
    FloatVector s30 = FloatVector.fromArray(FLOATS, before, 3 * LANES);
    FloatVector s40 = FloatVector.fromArray(FLOATS, before, 4 * LANES);
    FloatVector s50 = FloatVector.fromArray(FLOATS, before, 5 * LANES);
    int touched = 0;
    for (int i = 0; i < columns; i++) {
      touched ^= data.get(JAVA_BYTE, ahead + (long) TOUCH * i);
      int at = block + i * LANES;
      FloatVector q0 = FloatVector.fromArray(FLOATS, packed, at);
      FloatVector x0 = FloatVector.broadcast(FLOATS, rows[i]);
      s00 = x0.fma(q0, s00);
      FloatVector x1 = FloatVector.broadcast(FLOATS, rows[i + STRIDE]);
      s10 = x1.fma(q0, s10);
      FloatVector x2 = FloatVector.broadcast(FLOATS, rows[i + 2 * STRIDE]);
      s20 = x2.fma(q0, s20);
      FloatVector x3 = FloatVector.broadcast(FLOATS, rows[i + 3 * STRIDE]);
      s30 = x3.fma(q0, s30);
      FloatVector x4 = FloatVector.broadcast(FLOATS, rows[i + 4 * STRIDE]);
      s40 = x4.fma(q0, s40);
      FloatVector x5 = FloatVector.broadcast(FLOATS, rows[i + 5 * STRIDE]);
      s50 = x5.fma(q0, s50);
    }
    dots[dots.length - 1] = touched; // or the compiler would drop the loads
    s00.intoArray(dots, 0);
    s10.intoArray(dots, LANES);
    s20.intoArray(dots, 2 * LANES);
    s30.intoArray(dots, 3 * LANES);
    s40.intoArray(dots, 4 * LANES);
    s50.intoArray(dots, 5 * LANES);
  }
}
