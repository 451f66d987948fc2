package dev.rowan.core.kernel;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Squared norms and products in double, in the order of {@link Exact}: eight sums, sum j over the
 * positions i ≡ j (mod 8). They are the eight lanes of one vector of 512 bits or of two of 256.
 *
 * <p>The square of a float is exact in double, so the fused multiply-add rounds where the scalar
 * code does. The order allows only one chain of additions for each sum, but four cycles for eight
 * numbers still keep ahead of memory.
 */
final class RowSums {
  private static final VectorSpecies<Double> DOUBLES = Lanes.DOUBLES;
  private static final int LANES = DOUBLES.length();
  private static final VectorSpecies<Float> FLOATS =
      VectorSpecies.of(float.class, VectorShape.forBitSize(Lanes.BITS / 2));

  private RowSums() {}

  /** Returns whether the eight sums fit one or two vectors; in four they gain nothing. */
  static boolean isSupported() {
    return LANES >= 4;
  }

  /**
   * Sums the squares of an f32 row over whole groups of eight numbers.
   *
   * @param sums receives the eight sums
   */
  static void squares(MemorySegment data, long offset, int width, double[] sums) {
    if (LANES == 8) {
      squaresInOne(data, offset, width, sums);
    } else {
      squaresInTwo(data, offset, width, sums);
    }
  }

  /** As {@link #squares(MemorySegment, long, int, double[])}, of a row that is an array. */
  static void squares(float[] row, double[] sums) {
    int width = row.length;
    if (LANES == 8) {
      DoubleVector s = DoubleVector.zero(DOUBLES);
      for (int i = 0; i <= width - 8; i += 8) {
        DoubleVector x = doubles(row, i);
        s = x.fma(x, s);
      }
      s.intoArray(sums, 0);
    } else {
      DoubleVector low = DoubleVector.zero(DOUBLES);
      DoubleVector high = low;
      for (int i = 0; i <= width - 8; i += 8) {
        DoubleVector x = doubles(row, i);
        DoubleVector y = doubles(row, i + 4);
        low = x.fma(x, low);
        high = y.fma(y, high);
      }
      low.intoArray(sums, 0);
      high.intoArray(sums, 4);
    }
  }

  private static DoubleVector doubles(float[] row, int at) {
    return (DoubleVector)
        FloatVector.fromArray(FLOATS, row, at).convertShape(VectorOperators.F2D, DOUBLES, 0);
  }

  private static void squaresInOne(MemorySegment data, long offset, int width, double[] sums) {
    DoubleVector s = DoubleVector.zero(DOUBLES);
    for (int i = 0; i <= width - 8; i += 8) {
      DoubleVector x = doubles(data, offset + 4L * i);
      s = x.fma(x, s);
    }
    s.intoArray(sums, 0);
  }

  private static void squaresInTwo(MemorySegment data, long offset, int width, double[] sums) {
    DoubleVector low = DoubleVector.zero(DOUBLES);
    DoubleVector high = low;
    for (int i = 0; i <= width - 8; i += 8) {
      DoubleVector x = doubles(data, offset + 4L * i);
      DoubleVector y = doubles(data, offset + 4L * i + 16);
      low = x.fma(x, low);
      high = y.fma(y, high);
    }
    low.intoArray(sums, 0);
    high.intoArray(sums, 4);
  }

  /**
   * Sums the products of an f32 row and a vector over whole groups of eight numbers. Multiplies and
   * adds apart, since the scalar code rounds twice too.
   *
   * @param sums receives the eight sums
   */
  static void products(
      MemorySegment data, long offset, int width, double[] vector, int from, double[] sums) {
    if (LANES == 8) {
      productsInOne(data, offset, width, vector, from, sums);
    } else {
      productsInTwo(data, offset, width, vector, from, sums, 0);
    }
  }

  /** As {@link #products} for two vectors, one behind the other; two chains hide more latency. */
  static void twoProducts(
      MemorySegment data, long offset, int width, double[] vectors, int from, double[] sums) {
    if (LANES == 8) {
      twoProductsInOne(data, offset, width, vectors, from, sums);
    } else {
      productsInTwo(data, offset, width, vectors, from, sums, 0);
      productsInTwo(data, offset, width, vectors, from + width, sums, 8);
    }
  }

  private static void productsInOne(
      MemorySegment data, long offset, int width, double[] vector, int from, double[] sums) {
    DoubleVector s = DoubleVector.zero(DOUBLES);
    for (int i = 0; i <= width - 8; i += 8) {
      DoubleVector x = doubles(data, offset + 4L * i);
      s = s.add(x.mul(DoubleVector.fromArray(DOUBLES, vector, from + i)));
    }
    s.intoArray(sums, 0);
  }

  private static void twoProductsInOne(
      MemorySegment data, long offset, int width, double[] vectors, int from, double[] sums) {
    DoubleVector s = DoubleVector.zero(DOUBLES);
    DoubleVector t = s;
    for (int i = 0; i <= width - 8; i += 8) {
      DoubleVector x = doubles(data, offset + 4L * i);
      s = s.add(x.mul(DoubleVector.fromArray(DOUBLES, vectors, from + i)));
      t = t.add(x.mul(DoubleVector.fromArray(DOUBLES, vectors, from + width + i)));
    }
    s.intoArray(sums, 0);
    t.intoArray(sums, 8);
  }

  private static void productsInTwo(
      MemorySegment data,
      long offset,
      int width,
      double[] vector,
      int from,
      double[] sums,
      int to) {
    DoubleVector low = DoubleVector.zero(DOUBLES);
    DoubleVector high = low;
    for (int i = 0; i <= width - 8; i += 8) {
      DoubleVector x = doubles(data, offset + 4L * i);
      DoubleVector y = doubles(data, offset + 4L * i + 16);
      low = low.add(x.mul(DoubleVector.fromArray(DOUBLES, vector, from + i)));
      high = high.add(y.mul(DoubleVector.fromArray(DOUBLES, vector, from + i + 4)));
    }
    low.intoArray(sums, to);
    high.intoArray(sums, to + 4);
  }

  private static DoubleVector doubles(MemorySegment data, long at) {
    return (DoubleVector)
        FloatVector.fromMemorySegment(FLOATS, data, at, ByteOrder.LITTLE_ENDIAN)
            .convertShape(VectorOperators.F2D, DOUBLES, 0);
  }
}
