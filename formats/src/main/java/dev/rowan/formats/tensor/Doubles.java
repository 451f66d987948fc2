package dev.rowan.formats.tensor;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import dev.rowan.core.Table;
import dev.rowan.core.kernel.RowFormat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * The numbers of rows stored as binary64, before reading rounds them to float32: some are beyond
 * it, and what is rounded further must not be rounded twice.
 *
 * @param data the rows
 * @param width the numbers of a row
 * @param layout their byte order
 */
public record Doubles(MemorySegment data, int width, ValueLayout.OfDouble layout) {

  /** Returns the numbers of a table; empty if it is not stored as binary64. */
  public static Optional<Doubles> of(Table table) {
    RowFormat format = table.format();
    if (format != DoubleRows.F64 && format != BigEndianRows.F64) {
      return Optional.empty();
    }
    ByteOrder order = format == DoubleRows.F64 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    return Optional.of(
        new Doubles(table.data(), table.width(), JAVA_DOUBLE_UNALIGNED.withOrder(order)));
  }

  /** Returns a number as it is stored. */
  public double number(long row, int column) {
    return data.get(layout, 8 * (row * width + column));
  }

  /** Reads a row for a format of at most 22 significant bits, by {@link #toOdd}. */
  public void copyRow(long row, float[] target) {
    for (int i = 0; i < width; i++) {
      target[i] = toOdd(number(row, i));
    }
  }

  /**
   * Rounds to the neighbouring float32 whose last bit is set, unless the number is one itself.
   * Rounded from there to two bits less or fewer, to nearest, a number is where one step takes it
   * (Boldo and Melquiond 2008, theorem 1).
   */
  static float toOdd(double number) {
    float near = (float) number;
    if (near == number || Double.isNaN(number) || (Float.floatToRawIntBits(near) & 1) == 1) {
      return near;
    }
    return near > number ? Math.nextDown(near) : Math.nextUp(near);
  }
}
