package dev.rowan.core.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The tiles of {@link PackedQueries} for decoded rows, which lie in an array one behind the other.
 *
 * <p>A method of their own, and an array: a tile that met mapped segments as well as ones of its
 * own making would outgrow the compiler's inlining budget, and take seven times as long for both.
 */
final class PanelTiles {
  private static final VectorSpecies<Float> FLOATS = Lanes.FLOATS;
  private static final int LANES = Lanes.COUNT;

  private PanelTiles() {}

  private static FloatVector queries(float[] packed, int at) {
    return FloatVector.fromArray(FLOATS, packed, at);
  }

  private static FloatVector number(float[] row, int i) {
    return FloatVector.broadcast(FLOATS, row[i]);
  }

  /** Six rows, four vectors of queries: 24 accumulators. */
  static void sixByFour(
      float[][] rows, int first, int width, float[] packed, int block, float[] dots) {
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
    float[] row0 = rows[first];
    float[] row1 = rows[first + 1];
    float[] row2 = rows[first + 2];
    float[] row3 = rows[first + 3];
    float[] row4 = rows[first + 4];
    float[] row5 = rows[first + 5];
    for (int i = 0; i < width; i++) {
      int at = block + i * 4 * LANES;
      FloatVector q0 = queries(packed, at);
      FloatVector q1 = queries(packed, at + LANES);
      FloatVector q2 = queries(packed, at + 2 * LANES);
      FloatVector q3 = queries(packed, at + 3 * LANES);
      FloatVector x0 = number(row0, i);
      s00 = x0.fma(q0, s00);
      s01 = x0.fma(q1, s01);
      s02 = x0.fma(q2, s02);
      s03 = x0.fma(q3, s03);
      FloatVector x1 = number(row1, i);
      s10 = x1.fma(q0, s10);
      s11 = x1.fma(q1, s11);
      s12 = x1.fma(q2, s12);
      s13 = x1.fma(q3, s13);
      FloatVector x2 = number(row2, i);
      s20 = x2.fma(q0, s20);
      s21 = x2.fma(q1, s21);
      s22 = x2.fma(q2, s22);
      s23 = x2.fma(q3, s23);
      FloatVector x3 = number(row3, i);
      s30 = x3.fma(q0, s30);
      s31 = x3.fma(q1, s31);
      s32 = x3.fma(q2, s32);
      s33 = x3.fma(q3, s33);
      FloatVector x4 = number(row4, i);
      s40 = x4.fma(q0, s40);
      s41 = x4.fma(q1, s41);
      s42 = x4.fma(q2, s42);
      s43 = x4.fma(q3, s43);
      FloatVector x5 = number(row5, i);
      s50 = x5.fma(q0, s50);
      s51 = x5.fma(q1, s51);
      s52 = x5.fma(q2, s52);
      s53 = x5.fma(q3, s53);
    }
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
      float[][] rows, int first, int width, float[] packed, int block, float[] dots) {
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
    float[] row0 = rows[first];
    float[] row1 = rows[first + 1];
    float[] row2 = rows[first + 2];
    float[] row3 = rows[first + 3];
    float[] row4 = rows[first + 4];
    float[] row5 = rows[first + 5];
    for (int i = 0; i < width; i++) {
      int at = block + i * 2 * LANES;
      FloatVector q0 = queries(packed, at);
      FloatVector q1 = queries(packed, at + LANES);
      FloatVector x0 = number(row0, i);
      s00 = x0.fma(q0, s00);
      s01 = x0.fma(q1, s01);
      FloatVector x1 = number(row1, i);
      s10 = x1.fma(q0, s10);
      s11 = x1.fma(q1, s11);
      FloatVector x2 = number(row2, i);
      s20 = x2.fma(q0, s20);
      s21 = x2.fma(q1, s21);
      FloatVector x3 = number(row3, i);
      s30 = x3.fma(q0, s30);
      s31 = x3.fma(q1, s31);
      FloatVector x4 = number(row4, i);
      s40 = x4.fma(q0, s40);
      s41 = x4.fma(q1, s41);
      FloatVector x5 = number(row5, i);
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
      float[][] rows, int first, int width, float[] packed, int block, float[] dots) {
    FloatVector s00 = FloatVector.zero(FLOATS);
    FloatVector s10 = s00;
    FloatVector s20 = s00;
    FloatVector s30 = s00;
    FloatVector s40 = s00;
    FloatVector s50 = s00;
    float[] row0 = rows[first];
    float[] row1 = rows[first + 1];
    float[] row2 = rows[first + 2];
    float[] row3 = rows[first + 3];
    float[] row4 = rows[first + 4];
    float[] row5 = rows[first + 5];
    for (int i = 0; i < width; i++) {
      int at = block + i * LANES;
      FloatVector q0 = queries(packed, at);
      FloatVector x0 = number(row0, i);
      s00 = x0.fma(q0, s00);
      FloatVector x1 = number(row1, i);
      s10 = x1.fma(q0, s10);
      FloatVector x2 = number(row2, i);
      s20 = x2.fma(q0, s20);
      FloatVector x3 = number(row3, i);
      s30 = x3.fma(q0, s30);
      FloatVector x4 = number(row4, i);
      s40 = x4.fma(q0, s40);
      FloatVector x5 = number(row5, i);
      s50 = x5.fma(q0, s50);
    }
    s00.intoArray(dots, 0);
    s10.intoArray(dots, LANES);
    s20.intoArray(dots, 2 * LANES);
    s30.intoArray(dots, 3 * LANES);
    s40.intoArray(dots, 4 * LANES);
    s50.intoArray(dots, 5 * LANES);
  }

  /** Twelve rows, one vector of queries: 12 accumulators. */
  static void twelveByOne(
      float[][] rows, int first, int width, float[] packed, int block, float[] dots) {
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    FloatVector s4 = s0;
    FloatVector s5 = s0;
    FloatVector s6 = s0;
    FloatVector s7 = s0;
    FloatVector s8 = s0;
    FloatVector s9 = s0;
    FloatVector s10 = s0;
    FloatVector s11 = s0;
    float[] row0 = rows[first];
    float[] row1 = rows[first + 1];
    float[] row2 = rows[first + 2];
    float[] row3 = rows[first + 3];
    float[] row4 = rows[first + 4];
    float[] row5 = rows[first + 5];
    float[] row6 = rows[first + 6];
    float[] row7 = rows[first + 7];
    float[] row8 = rows[first + 8];
    float[] row9 = rows[first + 9];
    float[] row10 = rows[first + 10];
    float[] row11 = rows[first + 11];
    for (int i = 0; i < width; i++) {
      FloatVector q = queries(packed, block + i * LANES);
      s0 = number(row0, i).fma(q, s0);
      s1 = number(row1, i).fma(q, s1);
      s2 = number(row2, i).fma(q, s2);
      s3 = number(row3, i).fma(q, s3);
      s4 = number(row4, i).fma(q, s4);
      s5 = number(row5, i).fma(q, s5);
      s6 = number(row6, i).fma(q, s6);
      s7 = number(row7, i).fma(q, s7);
      s8 = number(row8, i).fma(q, s8);
      s9 = number(row9, i).fma(q, s9);
      s10 = number(row10, i).fma(q, s10);
      s11 = number(row11, i).fma(q, s11);
    }
    s0.intoArray(dots, 0);
    s1.intoArray(dots, LANES);
    s2.intoArray(dots, 2 * LANES);
    s3.intoArray(dots, 3 * LANES);
    s4.intoArray(dots, 4 * LANES);
    s5.intoArray(dots, 5 * LANES);
    s6.intoArray(dots, 6 * LANES);
    s7.intoArray(dots, 7 * LANES);
    s8.intoArray(dots, 8 * LANES);
    s9.intoArray(dots, 9 * LANES);
    s10.intoArray(dots, 10 * LANES);
    s11.intoArray(dots, 11 * LANES);
  }
}
