package dev.rowan.formats.tensor;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a file says about one tensor, checked against the file.
 *
 * @param name the tensor's name in its file
 * @param dtype how its numbers are stored
 * @param shape its dimensions, row-major, each 0 or more; empty for a single number
 * @param file the file that holds its bytes
 * @param offset the byte of that file at which they start; 0 if they are gathered from several
 *     places
 * @param bytes how many there are
 */
public record TensorInfo(
    String name, Dtype dtype, List<Long> shape, Path file, long offset, long bytes) {

  /** Copies the shape. */
  public TensorInfo {
    shape = List.copyOf(shape);
  }

  /** Returns how many numbers there are: the product of the shape. */
  public long elements() {
    long product = 1;
    for (long dimension : shape) {
      product = Math.multiplyExact(product, dimension);
    }
    return product;
  }

  /** Returns whether this is another name for the same numbers at the same place. */
  public boolean isStoredWith(TensorInfo other) {
    return offset > 0
        && bytes > 0
        && offset == other.offset
        && bytes == other.bytes
        && shape.equals(other.shape)
        && dtype.equals(other.dtype)
        && file.equals(other.file);
  }

  /** Returns whether there are rows: two dimensions, neither of them 0. */
  public boolean hasRows() {
    return shape.size() == 2 && shape.get(0) > 0 && shape.get(1) > 0;
  }

  /** Returns the shape for a message: {@code 50257 × 768}. */
  public String shapeText() {
    return shape.isEmpty()
        ? "a single number"
        : shape.stream().map(String::valueOf).collect(Collectors.joining(" × "));
  }
}
