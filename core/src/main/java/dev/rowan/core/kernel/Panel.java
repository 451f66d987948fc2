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
  /** A whole number of tiles of 4 and 6 rows; 36 KiB at d = 768. */
  static final int ROWS = 12;

  private static final VectorSpecies<Integer> INTS = Lanes.INTS;
  private static final VectorSpecies<Short> HALF =
      VectorSpecies.of(short.class, VectorShape.forBitSize(Lanes.BITS / 2));
  private static final int LANES = Lanes.COUNT;
  private static final ValueLayout.OfFloat FLOAT =
      JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final RowBlock rows;
  private final int stride;
  private final @Nullable VectorBlocks blocks;

  /** Makes scratch space to decode one row of a block at a time. */
  Panel(RowBlock rows) {
    this(rows, 1, rows.width());
  }

  /**
   * Makes scratch space to decode rows of a block.
   *
   * @param most rows at a time
   * @param stride numbers from a decoded row to the next
   */
  Panel(RowBlock rows, int most, int stride) {
    this.rows = rows;
    this.stride = stride;
    this.blocks =
        rows.format() instanceof BlockFormat format
            ? new VectorBlocks(format, rows.width(), most, stride)
            : null;
  }

  /** Decoded rows. */
  static final class Rows {
    /** An array a row, {@link #ROWS} of them; those behind the last hold anything. */
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
    if (rows.count() == 0) {
      return;
    }
    float[][] values = new float[ROWS][rows.width()];
    Panel decoder = new Panel(rows);
    for (long next = 0; next < rows.count(); next += ROWS) {
      int here = (int) Math.min(ROWS, rows.count() - next);
      for (int r = 0; r < here; r++) {
        decoder.decode(next + r, 1, values[r]);
      }
      use.accept(new Rows(values, rows.firstId() + next, here, rows.width()));
    }
  }

  /**
   * Decodes rows of the block.
   *
   * @param first the place of the first
   * @param count 1 to the most that this was made for
   * @param target receives the rows
   */
  void decode(long first, int count, float[] target) {
    long offset = rows.offset() + first * rows.rowBytes();
    if (blocks != null && rows.rowBytes() == blocks.rowBytes()) {
      blocks.decode(rows.data(), offset, count, target, 0);
      return;
    }
    for (int r = 0; r < count; r++) {
      decode(offset + r * rows.rowBytes(), target, r * stride);
    }
  }

  private void decode(long offset, float[] target, int to) {
    int width = rows.width();
    if (blocks != null) {
      blocks.decode(rows.data(), offset, 1, target, to);
    } else if (rows.format() == FloatFormat.F32) {
      MemorySegment.copy(rows.data(), FLOAT, offset, target, to, width);
    } else if (rows.format() == FloatFormat.BF16) {
      decodeBf16(rows.data(), offset, width, target, to);
    } else {
      rows.format().decode(rows.data(), offset, width, target, to);
    }
  }

  /** Moves each 16 bits to the upper half of 32: a bf16 is the upper half of an f32. */
  private static void decodeBf16(
      MemorySegment data, long offset, int width, float[] target, int to) {
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
          .intoArray(target, to + at);
    }
  }
}
