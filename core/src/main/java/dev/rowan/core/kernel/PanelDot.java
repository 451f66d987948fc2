package dev.rowan.core.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Dot products of rows that were decoded to an array, for a few queries or for a format that is not
 * read in place.
 *
 * <p>Lanes run along the row, as in {@link SegmentDot}; queries are laid out by {@link
 * SegmentDot#overlapped}, one after the other.
 */
final class PanelDot {
  private static final VectorSpecies<Float> FLOATS = Lanes.FLOATS;
  private static final int LANES = Lanes.COUNT;

  private PanelDot() {}

  /**
   * Multiplies eight rows with one query.
   *
   * @param panel eight rows of {@code width} numbers
   * @param query where the query starts in {@code queries}
   * @param laid numbers of a laid-out query
   * @param dots receives eight numbers
   */
  static void eightByOne(
      float[] panel, int width, float[] queries, int query, int laid, float[] dots) {
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    FloatVector s4 = s0;
    FloatVector s5 = s0;
    FloatVector s6 = s0;
    FloatVector s7 = s0;
    int whole = width - LANES;
    for (int i = 0; i < laid; i += LANES) {
      int at = Math.min(i, whole);
      FloatVector q = FloatVector.fromArray(FLOATS, queries, query + i);
      s0 = row(panel, at).fma(q, s0);
      s1 = row(panel, at + width).fma(q, s1);
      s2 = row(panel, at + 2 * width).fma(q, s2);
      s3 = row(panel, at + 3 * width).fma(q, s3);
      s4 = row(panel, at + 4 * width).fma(q, s4);
      s5 = row(panel, at + 5 * width).fma(q, s5);
      s6 = row(panel, at + 6 * width).fma(q, s6);
      s7 = row(panel, at + 7 * width).fma(q, s7);
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

  private static FloatVector row(float[] panel, int at) {
    return FloatVector.fromArray(FLOATS, panel, at);
  }

  /**
   * Multiplies four rows with four queries: sixteen accumulators.
   *
   * @param first where the first row starts in {@code panel}
   * @param query where the first query starts in {@code queries}
   * @param laid numbers of a laid-out query
   * @param dots receives the product of row r and query c at 4c + r
   */
  static void fourByFour(
      float[] panel, int first, int width, float[] queries, int query, int laid, float[] dots) {
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
    int whole = width - LANES;
    for (int i = 0; i < laid; i += LANES) {
      int at = first + Math.min(i, whole);
      FloatVector r0 = row(panel, at);
      FloatVector r1 = row(panel, at + width);
      FloatVector r2 = row(panel, at + 2 * width);
      FloatVector r3 = row(panel, at + 3 * width);
      FloatVector q0 = FloatVector.fromArray(FLOATS, queries, query + i);
      s00 = r0.fma(q0, s00);
      s10 = r1.fma(q0, s10);
      s20 = r2.fma(q0, s20);
      s30 = r3.fma(q0, s30);
      FloatVector q1 = FloatVector.fromArray(FLOATS, queries, query + laid + i);
      s01 = r0.fma(q1, s01);
      s11 = r1.fma(q1, s11);
      s21 = r2.fma(q1, s21);
      s31 = r3.fma(q1, s31);
      FloatVector q2 = FloatVector.fromArray(FLOATS, queries, query + 2 * laid + i);
      s02 = r0.fma(q2, s02);
      s12 = r1.fma(q2, s12);
      s22 = r2.fma(q2, s22);
      s32 = r3.fma(q2, s32);
      FloatVector q3 = FloatVector.fromArray(FLOATS, queries, query + 3 * laid + i);
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
}
