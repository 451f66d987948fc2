package dev.rowan.core.kernel;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** Decodes rows of any format and place, a few at a time, to native f32 rows that stay in cache. */
final class Panel {
  /**
   * A whole number of tiles of 4 and of 6 rows; 72 KiB at d = 768, well within the second cache.
   */
  private static final int ROWS = 24;

  private static final VectorSpecies<Integer> INTS = Lanes.INTS;
  private static final VectorSpecies<Short> HALF =
      VectorSpecies.of(short.class, VectorShape.forBitSize(Lanes.BITS / 2));
  private static final int LANES = Lanes.COUNT;
  private static final ValueLayout.OfFloat FLOAT =
      JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Panel() {}

  /**
   * Shows all rows as blocks of f32 rows, in order.
   *
   * @param use gets a block that is valid during the call; before its first row lie as many
   *     readable rows as {@link PackedQueries} has in a tile
   */
  static void forEach(RowBlock rows, Consumer<RowBlock> use) {
    int width = rows.width();
    long rowBytes = 4L * width;
    long start = PackedQueries.ROWS * rowBytes;
    float[] row = new float[width];
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment panel = arena.allocate(start + ROWS * rowBytes, 64);
      for (long next = 0; next < rows.count(); next += ROWS) {
        long here = Math.min(ROWS, rows.count() - next);
        for (long r = 0; r < here; r++) {
          decode(
              rows, rows.offset() + (next + r) * rows.rowBytes(), row, panel, start + r * rowBytes);
        }
        use.accept(
            new RowBlock(
                panel, start, rows.firstId() + next, here, width, FloatFormat.F32, rowBytes));
      }
    }
  }

  /**
   * Decodes one row.
   *
   * @param scratch d numbers
   * @param target receives 4·d bytes, little-endian
   */
  static void decode(
      RowBlock rows, long offset, float[] scratch, MemorySegment target, long targetOffset) {
    int width = rows.width();
    if (rows.format() == FloatFormat.F32) {
      MemorySegment.copy(rows.data(), offset, target, targetOffset, 4L * width);
    } else if (rows.format() == FloatFormat.BF16) {
      decodeBf16(rows.data(), offset, width, target, targetOffset);
    } else {
      rows.format().decode(rows.data(), offset, width, scratch, 0);
      MemorySegment.copy(scratch, 0, target, FLOAT, targetOffset, width);
    }
  }

  /** Moves each 16 bits to the upper half of 32: a bf16 is the upper half of an f32. */
  private static void decodeBf16(
      MemorySegment data, long offset, int width, MemorySegment target, long targetOffset) {
    int last = width - LANES;
    for (int i = 0; i < width; i += LANES) {
      int at = Math.min(i, last); // the last vector overlaps the one before
      ShortVector halves =
          ShortVector.fromMemorySegment(HALF, data, offset + 2L * at, ByteOrder.LITTLE_ENDIAN);
      halves
          .convertShape(VectorOperators.ZERO_EXTEND_S2I, INTS, 0)
          .reinterpretAsInts()
          .lanewise(VectorOperators.LSHL, 16)
          .intoMemorySegment(target, targetOffset + 4L * at, ByteOrder.LITTLE_ENDIAN);
    }
  }
}
