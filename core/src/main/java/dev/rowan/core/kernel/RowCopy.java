package dev.rowan.core.kernel;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Copies four scattered rows at once: four streams keep more cache lines on their way than one,
 * which is what limits rows picked at random. Eight were no faster.
 */
final class RowCopy {
  /** Rows of one call. */
  static final int ROWS = 4;

  private static final VectorSpecies<Byte> BYTES =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(Lanes.BITS));
  private static final int STEP = BYTES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private RowCopy() {}

  /**
   * Copies four rows from their places to four consecutive ones.
   *
   * @param rowBytes bytes of a row, one vector or more
   */
  static void four(
      MemorySegment data,
      long row0,
      long row1,
      long row2,
      long row3,
      long rowBytes,
      MemorySegment target,
      long to) {
    long i = 0;
    for (; i <= rowBytes - STEP; i += STEP) {
      copy(data, row0 + i, row1 + i, row2 + i, row3 + i, rowBytes, target, to + i);
    }
    if (i < rowBytes) {
      i = rowBytes - STEP; // the last vector overlaps the one before
      copy(data, row0 + i, row1 + i, row2 + i, row3 + i, rowBytes, target, to + i);
    }
  }

  private static void copy(
      MemorySegment data,
      long from0,
      long from1,
      long from2,
      long from3,
      long rowBytes,
      MemorySegment target,
      long to) {
    ByteVector x0 = ByteVector.fromMemorySegment(BYTES, data, from0, ORDER);
    ByteVector x1 = ByteVector.fromMemorySegment(BYTES, data, from1, ORDER);
    ByteVector x2 = ByteVector.fromMemorySegment(BYTES, data, from2, ORDER);
    ByteVector x3 = ByteVector.fromMemorySegment(BYTES, data, from3, ORDER);
    x0.intoMemorySegment(target, to, ORDER);
    x1.intoMemorySegment(target, to + rowBytes, ORDER);
    x2.intoMemorySegment(target, to + 2 * rowBytes, ORDER);
    x3.intoMemorySegment(target, to + 3 * rowBytes, ORDER);
  }
}
