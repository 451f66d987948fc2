package dev.rowan.core.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * C += A·B in register tiles, in float arrays. Shapes named rows × vectors of columns.
 *
 * <p>6 × 4 keeps 24 accumulators, which fits the 32 registers of a 512-bit machine beside the 4
 * loaded vectors; with 16 registers (256 bits and fewer) 4 × 2 is used instead. One short method a
 * shape, so that the compiler keeps every accumulator in a register.
 */
final class MultiplyTiles {
  private static final VectorSpecies<Float> S = Lanes.FLOATS;
  private static final int LANES = S.length();
  private static final boolean WIDE = S.vectorBitSize() >= 512;

  private MultiplyTiles() {}

  static void multiply(Matrix a, Matrix b, Matrix c) {
    int vectors = WIDE ? 4 : 2;
    int n = c.columns();
    int j = 0;
    for (; j + vectors * LANES <= n; j += vectors * LANES) {
      if (WIDE) {
        wideStrip(a, b, c, j);
      } else {
        narrowStrip(a, b, c, j);
      }
    }
    for (; j + LANES <= n; j += LANES) {
      thinStrip(a, b, c, j);
    }
    if (j < n) {
      tail(a, b, c, j);
    }
  }

  private static void wideStrip(Matrix a, Matrix b, Matrix c, int j) {
    int m = c.rows();
    int i = 0;
    for (; i + 6 <= m; i += 6) {
      tile6x4(a, b, c, i, j);
    }
    for (; i + 4 <= m; i += 4) {
      tile4x4(a, b, c, i, j);
    }
    for (; i < m; i++) {
      tile1x4(a, b, c, i, j);
    }
  }

  private static void narrowStrip(Matrix a, Matrix b, Matrix c, int j) {
    int m = c.rows();
    int i = 0;
    for (; i + 4 <= m; i += 4) {
      tile4x2(a, b, c, i, j);
    }
    for (; i < m; i++) {
      tile1x2(a, b, c, i, j);
    }
  }

  private static void thinStrip(Matrix a, Matrix b, Matrix c, int j) {
    int m = c.rows();
    int i = 0;
    for (; i + 4 <= m; i += 4) {
      tile4x1(a, b, c, i, j);
    }
    for (; i < m; i++) {
      tile1x1(a, b, c, i, j);
    }
  }

  /** The last columns, fewer than a vector. */
  private static void tail(Matrix a, Matrix b, Matrix c, int j) {
    for (int i = 0; i < c.rows(); i++) {
      int target = c.offset() + i * c.rowStride();
      for (int k = 0; k < a.columns(); k++) {
        float factor = a.values()[a.offset() + i * a.rowStride() + k * a.columnStride()];
        int source = b.offset() + k * b.rowStride();
        for (int q = j; q < c.columns(); q++) {
          c.values()[target + q] = Math.fma(factor, b.values()[source + q], c.values()[target + q]);
        }
      }
    }
  }

  /** c[6 rows][4 vectors] += A·B over the whole of k; accumulators stay in registers. */
  private static void tile6x4(Matrix a, Matrix b, Matrix c, int i, int j) {
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
  private static void tile4x4(Matrix a, Matrix b, Matrix c, int i, int j) {
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
  private static void tile1x4(Matrix a, Matrix b, Matrix c, int i, int j) {
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

  /** c[4 rows][2 vectors] += A·B over the whole of k; accumulators stay in registers. */
  private static void tile4x2(Matrix a, Matrix b, Matrix c, int i, int j) {
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
  private static void tile1x2(Matrix a, Matrix b, Matrix c, int i, int j) {
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
  private static void tile4x1(Matrix a, Matrix b, Matrix c, int i, int j) {
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
  private static void tile1x1(Matrix a, Matrix b, Matrix c, int i, int j) {
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
