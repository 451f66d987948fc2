package dev.rowan.formats.tensor;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Where the numbers of a tensor stand that need not be row-major: number (i, j, …) at {@code offset
 * + i·stride₀ + j·stride₁ + …}, counted in numbers.
 *
 * @param offset of the first, 0 or more
 * @param shape dimensions, 0 or more
 * @param strides as many, 0 or more
 */
public record Strided(long offset, List<Long> shape, List<Long> strides) {

  /** Copies the lists and checks them. */
  public Strided {
    shape = List.copyOf(shape);
    strides = List.copyOf(strides);
    boolean negative =
        offset < 0
            || shape.stream().anyMatch(number -> number < 0)
            || strides.stream().anyMatch(number -> number < 0);
    if (negative || shape.size() != strides.size()) {
      throw new IllegalArgumentException(
          "offset %d, shape %s, strides %s; none may be negative, and each dimension needs one stride"
              .formatted(offset, shape, strides));
    }
  }

  /**
   * Returns how many numbers there are.
   *
   * @throws ArithmeticException if there are more than 2^63
   */
  public long elements() {
    long product = 1;
    for (long dimension : shape) {
      product = Math.multiplyExact(product, dimension);
    }
    return product;
  }

  /**
   * Returns the place just behind the last number.
   *
   * @throws ArithmeticException if that exceeds 2^63
   */
  public long end() {
    if (elements() == 0) {
      return offset;
    }
    long last = offset;
    for (int i = 0; i < shape.size(); i++) {
      last = Math.addExact(last, Math.multiplyExact(shape.get(i) - 1, strides.get(i)));
    }
    return Math.addExact(last, 1);
  }

  /** Returns whether the numbers stand one behind the other in row-major order. */
  public boolean isPacked() {
    if (elements() == 0) {
      return true;
    }
    long expected = 1;
    for (int i = shape.size() - 1; i >= 0; i--) {
      if (shape.get(i) != 1) {
        if (strides.get(i) != expected) {
          return false;
        }
        expected *= shape.get(i);
      }
    }
    return true;
  }

  /**
   * Returns a row-major copy of a tensor of at most two dimensions.
   *
   * @param storage holds the numbers, {@link #end} of them at least
   * @param bytes the bytes of one number: 1, 2, 4 or 8
   */
  public MemorySegment copy(MemorySegment storage, int bytes) {
    if (shape.size() > 2) {
      throw new IllegalArgumentException("shape %s has more than two dimensions".formatted(shape));
    }
    MemorySegment target =
        Arena.ofAuto().allocate(Math.multiplyExact(elements(), bytes), Math.max(1, bytes));
    int rank = shape.size();
    long rows = rank < 2 ? 1 : shape.get(0);
    long columns = rank < 1 ? 1 : shape.get(rank - 1);
    long rowStride = rank < 2 ? 0 : strides.get(0);
    long columnStride = rank < 1 ? 0 : strides.get(rank - 1);
    long to = 0;
    for (long i = 0; i < rows; i++) {
      long from = (offset + i * rowStride) * bytes;
      for (long j = 0; j < columns; j++) {
        copyNumber(storage, from, target, to, bytes);
        from += columnStride * bytes;
        to += bytes;
      }
    }
    return target.asReadOnly();
  }

  private static void copyNumber(
      MemorySegment source, long from, MemorySegment target, long to, int bytes) {
    switch (bytes) {
      case 1 -> target.set(JAVA_BYTE, to, source.get(JAVA_BYTE, from));
      case 2 -> target.set(JAVA_SHORT_UNALIGNED, to, source.get(JAVA_SHORT_UNALIGNED, from));
      case 4 -> target.set(JAVA_INT_UNALIGNED, to, source.get(JAVA_INT_UNALIGNED, from));
      case 8 -> target.set(JAVA_LONG_UNALIGNED, to, source.get(JAVA_LONG_UNALIGNED, from));
      default -> throw new IllegalArgumentException("a number of %d bytes".formatted(bytes));
    }
  }
}
