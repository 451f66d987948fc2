package dev.rowan.core.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** The register tiles of {@link MultiplyTiles} that are two vectors or one wide. */
final class NarrowTiles {
  private static final VectorSpecies<Float> S = Lanes.FLOATS;

  private static final int LANES = S.length();

  private NarrowTiles() {}

  /** c[4 rows][2 vectors] += A·B over the whole of k; accumulators stay in registers. */
  static void tile4x2(Matrix a, Matrix b, Matrix c, int i, int j) {
    float[] x = a.values();
    float[] y = b.values();
    float[] z = c.values();
    int cRow = c.rowStride();
    int z0 = c.offset() + i * cRow + j;
    FloatVector c00 = FloatVector.fromArray(S, z, z0);
    FloatVector c01 = FloatVector.fromArray(S, z, z0 + LANES);
    FloatVector c10 = FloatVector.fromArray(S, z, z0 + cRow);
    FloatVector c11 = FloatVector.fromArray(S, z, z0 + cRow + LANES);
    FloatVector c20 = FloatVector.fromArray(S, z, z0 + 2 * cRow);
    FloatVector c21 = FloatVector.fromArray(S, z, z0 + 2 * cRow + LANES);
    FloatVector c30 = FloatVector.fromArray(S, z, z0 + 3 * cRow);
    FloatVector c31 = FloatVector.fromArray(S, z, z0 + 3 * cRow + LANES);
    int aRow = a.rowStride();
    int aColumn = a.columnStride();
    int bRow = b.rowStride();
    int p = a.offset() + i * aRow;
    int q = b.offset() + j;
    int depth = a.columns();
    for (int k = 0; k < depth; k++) {
      FloatVector b0 = FloatVector.fromArray(S, y, q);
      FloatVector b1 = FloatVector.fromArray(S, y, q + LANES);
      FloatVector a0 = FloatVector.broadcast(S, x[p]);
      c00 = a0.fma(b0, c00);
      c01 = a0.fma(b1, c01);
      FloatVector a1 = FloatVector.broadcast(S, x[p + aRow]);
      c10 = a1.fma(b0, c10);
      c11 = a1.fma(b1, c11);
      FloatVector a2 = FloatVector.broadcast(S, x[p + 2 * aRow]);
      c20 = a2.fma(b0, c20);
      c21 = a2.fma(b1, c21);
      FloatVector a3 = FloatVector.broadcast(S, x[p + 3 * aRow]);
      c30 = a3.fma(b0, c30);
      c31 = a3.fma(b1, c31);
      p += aColumn;
      q += bRow;
    }
    c00.intoArray(z, z0);
    c01.intoArray(z, z0 + LANES);
    c10.intoArray(z, z0 + cRow);
    c11.intoArray(z, z0 + cRow + LANES);
    c20.intoArray(z, z0 + 2 * cRow);
    c21.intoArray(z, z0 + 2 * cRow + LANES);
    c30.intoArray(z, z0 + 3 * cRow);
    c31.intoArray(z, z0 + 3 * cRow + LANES);
  }

  /** c[1 rows][2 vectors] += A·B over the whole of k; accumulators stay in registers. */
  static void tile1x2(Matrix a, Matrix b, Matrix c, int i, int j) {
    float[] x = a.values();
    float[] y = b.values();
    float[] z = c.values();
    int cRow = c.rowStride();
    int z0 = c.offset() + i * cRow + j;
    FloatVector c00 = FloatVector.fromArray(S, z, z0);
    FloatVector c01 = FloatVector.fromArray(S, z, z0 + LANES);
    int aRow = a.rowStride();
    int aColumn = a.columnStride();
    int bRow = b.rowStride();
    int p = a.offset() + i * aRow;
    int q = b.offset() + j;
    int depth = a.columns();
    for (int k = 0; k < depth; k++) {
      FloatVector b0 = FloatVector.fromArray(S, y, q);
      FloatVector b1 = FloatVector.fromArray(S, y, q + LANES);
      FloatVector a0 = FloatVector.broadcast(S, x[p]);
      c00 = a0.fma(b0, c00);
      c01 = a0.fma(b1, c01);
      p += aColumn;
      q += bRow;
    }
    c00.intoArray(z, z0);
    c01.intoArray(z, z0 + LANES);
  }

  /** c[4 rows][1 vectors] += A·B over the whole of k; accumulators stay in registers. */
  static void tile4x1(Matrix a, Matrix b, Matrix c, int i, int j) {
    float[] x = a.values();
    float[] y = b.values();
    float[] z = c.values();
    int cRow = c.rowStride();
    int z0 = c.offset() + i * cRow + j;
    FloatVector c00 = FloatVector.fromArray(S, z, z0);
    FloatVector c10 = FloatVector.fromArray(S, z, z0 + cRow);
    FloatVector c20 = FloatVector.fromArray(S, z, z0 + 2 * cRow);
    FloatVector c30 = FloatVector.fromArray(S, z, z0 + 3 * cRow);
    int aRow = a.rowStride();
    int aColumn = a.columnStride();
    int bRow = b.rowStride();
    int p = a.offset() + i * aRow;
    int q = b.offset() + j;
    int depth = a.columns();
    for (int k = 0; k < depth; k++) {
      FloatVector b0 = FloatVector.fromArray(S, y, q);
      FloatVector a0 = FloatVector.broadcast(S, x[p]);
      c00 = a0.fma(b0, c00);
      FloatVector a1 = FloatVector.broadcast(S, x[p + aRow]);
      c10 = a1.fma(b0, c10);
      FloatVector a2 = FloatVector.broadcast(S, x[p + 2 * aRow]);
      c20 = a2.fma(b0, c20);
      FloatVector a3 = FloatVector.broadcast(S, x[p + 3 * aRow]);
      c30 = a3.fma(b0, c30);
      p += aColumn;
      q += bRow;
    }
    c00.intoArray(z, z0);
    c10.intoArray(z, z0 + cRow);
    c20.intoArray(z, z0 + 2 * cRow);
    c30.intoArray(z, z0 + 3 * cRow);
  }

  /** c[1 rows][1 vectors] += A·B over the whole of k; accumulators stay in registers. */
  static void tile1x1(Matrix a, Matrix b, Matrix c, int i, int j) {
    float[] x = a.values();
    float[] y = b.values();
    float[] z = c.values();
    int cRow = c.rowStride();
    int z0 = c.offset() + i * cRow + j;
    FloatVector c00 = FloatVector.fromArray(S, z, z0);
    int aRow = a.rowStride();
    int aColumn = a.columnStride();
    int bRow = b.rowStride();
    int p = a.offset() + i * aRow;
    int q = b.offset() + j;
    int depth = a.columns();
    for (int k = 0; k < depth; k++) {
      FloatVector b0 = FloatVector.fromArray(S, y, q);
      FloatVector a0 = FloatVector.broadcast(S, x[p]);
      c00 = a0.fma(b0, c00);
      p += aColumn;
      q += bRow;
    }
    c00.intoArray(z, z0);
  }
}
