package dev.rowan.core.kernel;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Copies eight scattered rows at once: several streams keep more cache lines on their way than one,
 * which is what limits rows picked at random. Four took up to a quarter longer, twelve were slower
 * too.
 *
 * <p>Visiting the places in the order of their rows, so that a row wanted often is read once,
 * gained another eleventh where every row was wanted twenty times: not worth its code.
 */
final class RowCopy {
  /** Rows of one call. */
  static final int ROWS = 8;

  private static final VectorSpecies<Byte> BYTES =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(Lanes.BITS));
  private static final int STEP = BYTES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private RowCopy() {}

  private static ByteVector load(MemorySegment data, long at) {
    return ByteVector.fromMemorySegment(BYTES, data, at, ORDER);
  }

  /**
   * Copies eight rows, which start at a … h, to consecutive places from {@code to} on.
   *
   * @param rowBytes bytes of a row, one vector or more
   */
  static void eight(
      MemorySegment data,
      long a,
      long b,
      long c,
      long d,
      long e,
      long f,
      long g,
      long h,
      long rowBytes,
      MemorySegment target,
      long to) {
    for (long next = 0; next < rowBytes; next += STEP) {
      long i = Math.min(next, rowBytes - STEP); // the last vector may overlap the one before
      ByteVector x0 = load(data, a + i);
      ByteVector x1 = load(data, b + i);
      ByteVector x2 = load(data, c + i);
      ByteVector x3 = load(data, d + i);
      ByteVector x4 = load(data, e + i);
      ByteVector x5 = load(data, f + i);
      ByteVector x6 = load(data, g + i);
      ByteVector x7 = load(data, h + i);
      x0.intoMemorySegment(target, to + i, ORDER);
      x1.intoMemorySegment(target, to + rowBytes + i, ORDER);
      x2.intoMemorySegment(target, to + 2 * rowBytes + i, ORDER);
      x3.intoMemorySegment(target, to + 3 * rowBytes + i, ORDER);
      x4.intoMemorySegment(target, to + 4 * rowBytes + i, ORDER);
      x5.intoMemorySegment(target, to + 5 * rowBytes + i, ORDER);
      x6.intoMemorySegment(target, to + 6 * rowBytes + i, ORDER);
      x7.intoMemorySegment(target, to + 7 * rowBytes + i, ORDER);
    }
  }
}
