package dev.rowan.core.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** {@link RowDot} for decoded rows, each in an array of its own; see {@link PanelTiles} for why. */
final class PanelDot {
  private static final VectorSpecies<Float> FLOATS = Lanes.FLOATS;
  private static final int LANES = Lanes.COUNT;

  private PanelDot() {}

  private static FloatVector load(float[] values, int at) {
    return FloatVector.fromArray(FLOATS, values, at);
  }

  /**
   * Multiplies one row with one query.
   *
   * @param width d, one vector or more
   * @param query where the query starts in {@code queries}, laid out by {@link RowDot#overlapped}
   */
  static float one(float[] row, int width, float[] queries, int query) {
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
      int at = i;
      int q = query + i;
      s0 = load(row, at).fma(load(queries, q), s0);
      s1 = load(row, at + LANES).fma(load(queries, q + LANES), s1);
      s2 = load(row, at + 2 * LANES).fma(load(queries, q + 2 * LANES), s2);
      s3 = load(row, at + 3 * LANES).fma(load(queries, q + 3 * LANES), s3);
      s4 = load(row, at + 4 * LANES).fma(load(queries, q + 4 * LANES), s4);
      s5 = load(row, at + 5 * LANES).fma(load(queries, q + 5 * LANES), s5);
      s6 = load(row, at + 6 * LANES).fma(load(queries, q + 6 * LANES), s6);
      s7 = load(row, at + 7 * LANES).fma(load(queries, q + 7 * LANES), s7);
    }
    for (; i <= width - LANES; i += LANES) {
      s0 = load(row, i).fma(load(queries, query + i), s0);
    }
    if (i < width) {
      s1 = load(row, width - LANES).fma(load(queries, query + i), s1);
    }
    return s0.add(s1)
        .add(s2.add(s3))
        .add(s4.add(s5).add(s6.add(s7)))
        .reduceLanes(VectorOperators.ADD);
  }

  /**
   * Multiplies four rows with four queries, over whole vectors: sixteen accumulators. For what is
   * left of the width, see {@link #rest}.
   *
   * @param query where the first query starts in {@code queries}, laid out by {@link
   *     RowDot#overlapped}
   * @param laid numbers of a laid-out query
   * @param dots receives the product of row r and query c at 4c + r
   */
  static void fourByFour(
      float[][] rows, int first, int width, float[] queries, int query, int laid, float[] dots) {
    float[] row0 = rows[first];
    float[] row1 = rows[first + 1];
    float[] row2 = rows[first + 2];
    float[] row3 = rows[first + 3];
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
      FloatVector r0 = load(row0, i);
      FloatVector r1 = load(row1, i);
      FloatVector r2 = load(row2, i);
      FloatVector r3 = load(row3, i);
      FloatVector q0 = load(queries, query + i);
      s00 = r0.fma(q0, s00);
      s10 = r1.fma(q0, s10);
      s20 = r2.fma(q0, s20);
      s30 = r3.fma(q0, s30);
      FloatVector q1 = load(queries, query + laid + i);
      s01 = r0.fma(q1, s01);
      s11 = r1.fma(q1, s11);
      s21 = r2.fma(q1, s21);
      s31 = r3.fma(q1, s31);
      FloatVector q2 = load(queries, query + 2 * laid + i);
      s02 = r0.fma(q2, s02);
      s12 = r1.fma(q2, s12);
      s22 = r2.fma(q2, s22);
      s32 = r3.fma(q2, s32);
      FloatVector q3 = load(queries, query + 3 * laid + i);
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
  static float rest(float[] row, int width, float[] queries, int query) {
    return load(row, width - LANES)
        .mul(load(queries, query + width - width % LANES))
        .reduceLanes(VectorOperators.ADD);
  }
}
