package dev.rowan.core.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** The register tiles of {@link MultiplyTiles} that are four vectors wide. */
final class WideTiles {
  private static final VectorSpecies<Float> S = Lanes.FLOATS;

  private static final int LANES = S.length();

  private WideTiles() {}

  /** c[6 rows][4 vectors] += A·B over the whole of k; accumulators stay in registers. */
  static void by6(Matrix a, Matrix b, Matrix c, int i, int j) {
    float[] x = a.values();
    float[] y = b.values();
    float[] z = c.values();
    int cRow = c.rowStride();
    int z0 = c.offset() + i * cRow + j;
    FloatVector c00 = FloatVector.fromArray(S, z, z0);
    FloatVector c01 = FloatVector.fromArray(S, z, z0 + LANES);
    FloatVector c02 = FloatVector.fromArray(S, z, z0 + 2 * LANES);
    FloatVector c03 = FloatVector.fromArray(S, z, z0 + 3 * LANES);
    FloatVector c10 = FloatVector.fromArray(S, z, z0 + cRow);
    FloatVector c11 = FloatVector.fromArray(S, z, z0 + cRow + LANES);
    FloatVector c12 = FloatVector.fromArray(S, z, z0 + cRow + 2 * LANES);
    FloatVector c13 = FloatVector.fromArray(S, z, z0 + cRow + 3 * LANES);
    FloatVector c20 = FloatVector.fromArray(S, z, z0 + 2 * cRow);
    FloatVector c21 = FloatVector.fromArray(S, z, z0 + 2 * cRow + LANES);
    FloatVector c22 = FloatVector.fromArray(S, z, z0 + 2 * cRow + 2 * LANES);
    FloatVector c23 = FloatVector.fromArray(S, z, z0 + 2 * cRow + 3 * LANES);
    FloatVector c30 = FloatVector.fromArray(S, z, z0 + 3 * cRow);
    FloatVector c31 = FloatVector.fromArray(S, z, z0 + 3 * cRow + LANES);
    FloatVector c32 = FloatVector.fromArray(S, z, z0 + 3 * cRow + 2 * LANES);
    FloatVector c33 = FloatVector.fromArray(S, z, z0 + 3 * cRow + 3 * LANES);
    FloatVector c40 = FloatVector.fromArray(S, z, z0 + 4 * cRow);
    FloatVector c41 = FloatVector.fromArray(S, z, z0 + 4 * cRow + LANES);
    FloatVector c42 = FloatVector.fromArray(S, z, z0 + 4 * cRow + 2 * LANES);
    FloatVector c43 = FloatVector.fromArray(S, z, z0 + 4 * cRow + 3 * LANES);
    FloatVector c50 = FloatVector.fromArray(S, z, z0 + 5 * cRow);
    FloatVector c51 = FloatVector.fromArray(S, z, z0 + 5 * cRow + LANES);
    FloatVector c52 = FloatVector.fromArray(S, z, z0 + 5 * cRow + 2 * LANES);
    FloatVector c53 = FloatVector.fromArray(S, z, z0 + 5 * cRow + 3 * LANES);
    int aRow = a.rowStride();
    int aColumn = a.columnStride();
    int bRow = b.rowStride();
    int p = a.offset() + i * aRow;
    int q = b.offset() + j;
    int depth = a.columns();
    for (int k = 0; k < depth; k++) {
      FloatVector b0 = FloatVector.fromArray(S, y, q);
      FloatVector b1 = FloatVector.fromArray(S, y, q + LANES);
      FloatVector b2 = FloatVector.fromArray(S, y, q + 2 * LANES);
      FloatVector b3 = FloatVector.fromArray(S, y, q + 3 * LANES);
      FloatVector a0 = FloatVector.broadcast(S, x[p]);
      c00 = a0.fma(b0, c00);
      c01 = a0.fma(b1, c01);
      c02 = a0.fma(b2, c02);
      c03 = a0.fma(b3, c03);
      FloatVector a1 = FloatVector.broadcast(S, x[p + aRow]);
      c10 = a1.fma(b0, c10);
      c11 = a1.fma(b1, c11);
      c12 = a1.fma(b2, c12);
      c13 = a1.fma(b3, c13);
      FloatVector a2 = FloatVector.broadcast(S, x[p + 2 * aRow]);
      c20 = a2.fma(b0, c20);
      c21 = a2.fma(b1, c21);
      c22 = a2.fma(b2, c22);
      c23 = a2.fma(b3, c23);
      FloatVector a3 = FloatVector.broadcast(S, x[p + 3 * aRow]);
      c30 = a3.fma(b0, c30);
      c31 = a3.fma(b1, c31);
      c32 = a3.fma(b2, c32);
      c33 = a3.fma(b3, c33);
      FloatVector a4 = FloatVector.broadcast(S, x[p + 4 * aRow]);
      c40 = a4.fma(b0, c40);
      c41 = a4.fma(b1, c41);
      c42 = a4.fma(b2, c42);
      c43 = a4.fma(b3, c43);
      FloatVector a5 = FloatVector.broadcast(S, x[p + 5 * aRow]);
      c50 = a5.fma(b0, c50);
      c51 = a5.fma(b1, c51);
      c52 = a5.fma(b2, c52);
      c53 = a5.fma(b3, c53);
      p += aColumn;
      q += bRow;
    }
    c00.intoArray(z, z0);
    c01.intoArray(z, z0 + LANES);
    c02.intoArray(z, z0 + 2 * LANES);
    c03.intoArray(z, z0 + 3 * LANES);
    c10.intoArray(z, z0 + cRow);
    c11.intoArray(z, z0 + cRow + LANES);
    c12.intoArray(z, z0 + cRow + 2 * LANES);
    c13.intoArray(z, z0 + cRow + 3 * LANES);
    c20.intoArray(z, z0 + 2 * cRow);
    c21.intoArray(z, z0 + 2 * cRow + LANES);
    c22.intoArray(z, z0 + 2 * cRow + 2 * LANES);
    c23.intoArray(z, z0 + 2 * cRow + 3 * LANES);
    c30.intoArray(z, z0 + 3 * cRow);
    c31.intoArray(z, z0 + 3 * cRow + LANES);
    c32.intoArray(z, z0 + 3 * cRow + 2 * LANES);
    c33.intoArray(z, z0 + 3 * cRow + 3 * LANES);
    c40.intoArray(z, z0 + 4 * cRow);
    c41.intoArray(z, z0 + 4 * cRow + LANES);
    c42.intoArray(z, z0 + 4 * cRow + 2 * LANES);
    c43.intoArray(z, z0 + 4 * cRow + 3 * LANES);
    c50.intoArray(z, z0 + 5 * cRow);
    c51.intoArray(z, z0 + 5 * cRow + LANES);
    c52.intoArray(z, z0 + 5 * cRow + 2 * LANES);
    c53.intoArray(z, z0 + 5 * cRow + 3 * LANES);
  }

  /** c[4 rows][4 vectors] += A·B over the whole of k; accumulators stay in registers. */
  static void by4(Matrix a, Matrix b, Matrix c, int i, int j) {
    float[] x = a.values();
    float[] y = b.values();
    float[] z = c.values();
    int cRow = c.rowStride();
    int z0 = c.offset() + i * cRow + j;
    FloatVector c00 = FloatVector.fromArray(S, z, z0);
    FloatVector c01 = FloatVector.fromArray(S, z, z0 + LANES);
    FloatVector c02 = FloatVector.fromArray(S, z, z0 + 2 * LANES);
    FloatVector c03 = FloatVector.fromArray(S, z, z0 + 3 * LANES);
    FloatVector c10 = FloatVector.fromArray(S, z, z0 + cRow);
    FloatVector c11 = FloatVector.fromArray(S, z, z0 + cRow + LANES);
    FloatVector c12 = FloatVector.fromArray(S, z, z0 + cRow + 2 * LANES);
    FloatVector c13 = FloatVector.fromArray(S, z, z0 + cRow + 3 * LANES);
    FloatVector c20 = FloatVector.fromArray(S, z, z0 + 2 * cRow);
    FloatVector c21 = FloatVector.fromArray(S, z, z0 + 2 * cRow + LANES);
    FloatVector c22 = FloatVector.fromArray(S, z, z0 + 2 * cRow + 2 * LANES);
    FloatVector c23 = FloatVector.fromArray(S, z, z0 + 2 * cRow + 3 * LANES);
    FloatVector c30 = FloatVector.fromArray(S, z, z0 + 3 * cRow);
    FloatVector c31 = FloatVector.fromArray(S, z, z0 + 3 * cRow + LANES);
    FloatVector c32 = FloatVector.fromArray(S, z, z0 + 3 * cRow + 2 * LANES);
    FloatVector c33 = FloatVector.fromArray(S, z, z0 + 3 * cRow + 3 * LANES);
    int aRow = a.rowStride();
    int aColumn = a.columnStride();
    int bRow = b.rowStride();
    int p = a.offset() + i * aRow;
    int q = b.offset() + j;
    int depth = a.columns();
    for (int k = 0; k < depth; k++) {
      FloatVector b0 = FloatVector.fromArray(S, y, q);
      FloatVector b1 = FloatVector.fromArray(S, y, q + LANES);
      FloatVector b2 = FloatVector.fromArray(S, y, q + 2 * LANES);
      FloatVector b3 = FloatVector.fromArray(S, y, q + 3 * LANES);
      FloatVector a0 = FloatVector.broadcast(S, x[p]);
      c00 = a0.fma(b0, c00);
      c01 = a0.fma(b1, c01);
      c02 = a0.fma(b2, c02);
      c03 = a0.fma(b3, c03);
      FloatVector a1 = FloatVector.broadcast(S, x[p + aRow]);
      c10 = a1.fma(b0, c10);
      c11 = a1.fma(b1, c11);
      c12 = a1.fma(b2, c12);
      c13 = a1.fma(b3, c13);
      FloatVector a2 = FloatVector.broadcast(S, x[p + 2 * aRow]);
      c20 = a2.fma(b0, c20);
      c21 = a2.fma(b1, c21);
      c22 = a2.fma(b2, c22);
      c23 = a2.fma(b3, c23);
      FloatVector a3 = FloatVector.broadcast(S, x[p + 3 * aRow]);
      c30 = a3.fma(b0, c30);
      c31 = a3.fma(b1, c31);
      c32 = a3.fma(b2, c32);
      c33 = a3.fma(b3, c33);
      p += aColumn;
      q += bRow;
    }
    c00.intoArray(z, z0);
    c01.intoArray(z, z0 + LANES);
    c02.intoArray(z, z0 + 2 * LANES);
    c03.intoArray(z, z0 + 3 * LANES);
    c10.intoArray(z, z0 + cRow);
    c11.intoArray(z, z0 + cRow + LANES);
    c12.intoArray(z, z0 + cRow + 2 * LANES);
    c13.intoArray(z, z0 + cRow + 3 * LANES);
    c20.intoArray(z, z0 + 2 * cRow);
    c21.intoArray(z, z0 + 2 * cRow + LANES);
    c22.intoArray(z, z0 + 2 * cRow + 2 * LANES);
    c23.intoArray(z, z0 + 2 * cRow + 3 * LANES);
    c30.intoArray(z, z0 + 3 * cRow);
    c31.intoArray(z, z0 + 3 * cRow + LANES);
    c32.intoArray(z, z0 + 3 * cRow + 2 * LANES);
    c33.intoArray(z, z0 + 3 * cRow + 3 * LANES);
  }

  /** c[1 rows][4 vectors] += A·B over the whole of k; accumulators stay in registers. */
  static void by1(Matrix a, Matrix b, Matrix c, int i, int j) {
    float[] x = a.values();
    float[] y = b.values();
    float[] z = c.values();
    int cRow = c.rowStride();
    int z0 = c.offset() + i * cRow + j;
    FloatVector c00 = FloatVector.fromArray(S, z, z0);
    FloatVector c01 = FloatVector.fromArray(S, z, z0 + LANES);
    FloatVector c02 = FloatVector.fromArray(S, z, z0 + 2 * LANES);
    FloatVector c03 = FloatVector.fromArray(S, z, z0 + 3 * LANES);
    int aRow = a.rowStride();
    int aColumn = a.columnStride();
    int bRow = b.rowStride();
    int p = a.offset() + i * aRow;
    int q = b.offset() + j;
    int depth = a.columns();
    for (int k = 0; k < depth; k++) {
      FloatVector b0 = FloatVector.fromArray(S, y, q);
      FloatVector b1 = FloatVector.fromArray(S, y, q + LANES);
      FloatVector b2 = FloatVector.fromArray(S, y, q + 2 * LANES);
      FloatVector b3 = FloatVector.fromArray(S, y, q + 3 * LANES);
      FloatVector a0 = FloatVector.broadcast(S, x[p]);
      c00 = a0.fma(b0, c00);
      c01 = a0.fma(b1, c01);
      c02 = a0.fma(b2, c02);
      c03 = a0.fma(b3, c03);
      p += aColumn;
      q += bRow;
    }
    c00.intoArray(z, z0);
    c01.intoArray(z, z0 + LANES);
    c02.intoArray(z, z0 + 2 * LANES);
    c03.intoArray(z, z0 + 3 * LANES);
  }
}
