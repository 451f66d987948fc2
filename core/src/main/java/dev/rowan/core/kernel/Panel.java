package dev.rowan.core.kernel;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * Decodes rows of any format and place, a few at a time, to f32 rows in arrays that stay in cache.
 * An instance is scratch space for one thread.
 */
final class Panel {
  /** A whole number of tiles of 4, 6 and 12 rows; 36 KiB at d = 768. */
  static final int ROWS = PackedQueries.MOST_ROWS;

  private static final VectorSpecies<Integer> INTS = Lanes.INTS;
  private static final VectorSpecies<Short> HALF =
      VectorSpecies.of(short.class, VectorShape.forBitSize(Lanes.BITS / 2));
  private static final int LANES = Lanes.COUNT;
  private static final ValueLayout.OfFloat FLOAT =
      JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final RowBlock rows;
  private final @Nullable VectorBlocks blocks;

  /** Makes scratch space to decode rows of a block. */
  Panel(RowBlock rows) {
    this.rows = rows;
    this.blocks =
        rows.format() instanceof BlockFormat format && VectorBlocks.supports(format)
            ? VectorBlocks.of(format, rows.width())
            : null;
  }

  /** Decoded rows. */
  static final class Rows {
    /** An array a row; of as many as the largest tile has, those behind the last hold anything. */
    final float[][] values;

    /** The id of the first. */
    final long firstId;

    final int count;
    final int width;

    Rows(float[][] values, long firstId, int count, int width) {
      this.values = values;
      this.firstId = firstId;
      this.count = count;
      this.width = width;
    }
  }

  /**
   * Shows all rows decoded, in order.
   *
   * @param use gets rows that are valid during the call
   */
  static void forEach(RowBlock rows, Consumer<Rows> use) {
    forEach(rows, ROWS, use);
  }

  /**
   * Shows all rows decoded, in order.
   *
   * @param most how many at once, a divisor of {@link #ROWS}: fewer leave more of the first cache
   *     to others
   * @param use gets rows that are valid during the call
   */
  static void forEach(RowBlock rows, int most, Consumer<Rows> use) {
    if (rows.count() == 0) {
      return;
    }
    float[][] values = new float[most][rows.width()];
    Panel decoder = new Panel(rows);
    for (long next = 0; next < rows.count(); next += most) {
      int here = (int) Math.min(most, rows.count() - next);
      decoder.decode(next, here, values);
      use.accept(new Rows(values, rows.firstId() + next, here, rows.width()));
    }
  }

  /** Decodes the next rows of the block. */
  private void decode(long next, int count, float[][] target) {
    VectorBlocks packed = blocks;
    long offset = rows.offset() + next * rows.rowBytes();
    if (packed != null && rows.rowBytes() == packed.rowBytes()) {
      if (rows.data().isNative() && packed.decodesInPlace()) {
        packed.decodeQ8(rows.data(), offset, count, target);
      } else {
        packed.decode(rows.data(), offset, count, target);
      }
      return;
    }
    for (int r = 0; r < count; r++) {
      decode(offset + r * rows.rowBytes(), target[r]);
    }
  }

  /**
   * Decodes one row.
   *
   * @param offset the byte at which it starts
   * @param target receives d numbers
   */
  void decode(long offset, float[] target) {
    int width = rows.width();
    if (blocks != null) {
      blocks.decode(rows.data(), offset, target);
    } else if (rows.format() == FloatFormat.F32) {
      MemorySegment.copy(rows.data(), FLOAT, offset, target, 0, width);
    } else if (rows.format() == FloatFormat.BF16) {
      decodeBf16(rows.data(), offset, width, target);
    } else {
      rows.format().decode(rows.data(), offset, width, target, 0);
    }
  }

  /** Moves each 16 bits to the upper half of 32: a bf16 is the upper half of an f32. */
  private static void decodeBf16(MemorySegment data, long offset, int width, float[] target) {
    int last = width - LANES;
    for (int i = 0; i < width; i += LANES) {
      int at = Math.min(i, last); // the last vector overlaps the one before
      ShortVector halves =
          ShortVector.fromMemorySegment(HALF, data, offset + 2L * at, ByteOrder.LITTLE_ENDIAN);
      halves
          .convertShape(VectorOperators.ZERO_EXTEND_S2I, INTS, 0)
          .reinterpretAsInts()
          .lanewise(VectorOperators.LSHL, 16)
          .reinterpretAsFloats()
          .intoArray(target, at);
    }
  }
}
