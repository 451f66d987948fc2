package dev.rowan.core.kernel;

import java.util.Objects;

/**
 * A view of float32 numbers in an array as rows × columns: element (i, j) is {@code values[offset +
 * i·rowStride + j·columnStride]}. Swapping the strides transposes it.
 *
 * @param values the numbers; shared, not copied
 * @param offset where element (0, 0) is
 * @param rows how many rows, 0 or more
 * @param columns how many columns, 0 or more
 * @param rowStride places from one row to the next
 * @param columnStride places from one column to the next
 */
@SuppressWarnings("ArrayRecordComponent") // a view for kernels, never compared
public record Matrix(
    float[] values, int offset, int rows, int columns, int rowStride, int columnStride) {

  /**
   * Checks that every element lies in the array, so that kernels need not.
   *
   * @throws IndexOutOfBoundsException if one does not
   */
  public Matrix {
    if (rows < 0 || columns < 0 || rowStride < 0 || columnStride < 0) {
      throw new IndexOutOfBoundsException(
          "a matrix of %d × %d with strides %d and %d; none may be negative"
              .formatted(rows, columns, rowStride, columnStride));
    }
    if (rows > 0 && columns > 0) {
      long last = (long) offset + (rows - 1L) * rowStride + (columns - 1L) * columnStride;
      Objects.checkIndex(offset, values.length);
      Objects.checkIndex(last, (long) values.length);
    }
  }

  /** Returns rows × columns numbers that lie one after the other from {@code offset} on. */
  public static Matrix of(float[] values, int offset, int rows, int columns) {
    return new Matrix(values, offset, rows, columns, columns, 1);
  }

  /** Returns the transposed view of the same numbers. */
  public Matrix transposed() {
    return new Matrix(values, offset, columns, rows, columnStride, rowStride);
  }
}
