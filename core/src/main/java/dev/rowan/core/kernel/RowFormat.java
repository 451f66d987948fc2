package dev.rowan.core.kernel;

import java.lang.foreign.MemorySegment;

/**
 * How the numbers of one row are stored. Every row of a table takes the same number of bytes.
 *
 * <p>Implementations are stateless and safe for any number of threads.
 */
public interface RowFormat {

  /** Returns the short lower-case name shown to users, such as {@code f32}. */
  String label();

  /**
   * Returns the bytes that one row of {@code width} numbers takes.
   *
   * @throws IllegalArgumentException if this format cannot store rows of that width
   */
  long rowBytes(int width);

  /**
   * Returns how many rows are stored for a table of {@code rows} rows: as many, but where rows
   * share what is stored or point to it.
   */
  default long storedRows(long rows) {
    return rows;
  }

  /** Returns the bytes that {@link #storedRows} rows of {@code width} numbers take. */
  default long storedBytes(long rows, int width) {
    return rows * rowBytes(width);
  }

  /**
   * Decodes {@code count} consecutive numbers of one row to float32, exactly where the format is a
   * float format of at most 32 bits.
   *
   * @param data the bytes of the table, of any alignment
   * @param offset the byte at which the row starts
   * @param count how many numbers to decode: the whole width of the row
   * @param target receives {@code count} floats from {@code targetOffset} on
   * @throws IndexOutOfBoundsException if either side is too short
   */
  void decode(MemorySegment data, long offset, int count, float[] target, int targetOffset);
}
