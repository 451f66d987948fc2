package dev.rowan.core.kernel;

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
      WideTiles.by6(a, b, c, i, j);
    }
    for (; i + 4 <= m; i += 4) {
      WideTiles.by4(a, b, c, i, j);
    }
    for (; i < m; i++) {
      WideTiles.by1(a, b, c, i, j);
    }
  }

  private static void narrowStrip(Matrix a, Matrix b, Matrix c, int j) {
    int m = c.rows();
    int i = 0;
    for (; i + 4 <= m; i += 4) {
      NarrowTiles.tile4x2(a, b, c, i, j);
    }
    for (; i < m; i++) {
      NarrowTiles.tile1x2(a, b, c, i, j);
    }
  }

  private static void thinStrip(Matrix a, Matrix b, Matrix c, int j) {
    int m = c.rows();
    int i = 0;
    for (; i + 4 <= m; i += 4) {
      NarrowTiles.tile4x1(a, b, c, i, j);
    }
    for (; i < m; i++) {
      NarrowTiles.tile1x1(a, b, c, i, j);
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
}
