package dev.rowan.formats.tensorflow;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.tensorflow.SliceKey.Extent;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Joins the parts of a partitioned matrix: blocks of rows, of columns, or both.
 *
 * @param source finds the bytes of a part by its key
 */
record Partition(Path path, TensorInfo tensor, Source source) {

  /** Finds the bytes of a part. */
  interface Source {
    MemorySegment part(byte[] key) throws IOException;
  }

  private record Part(long row, long column, long rows, long columns, MemorySegment bytes) {}

  /**
   * Returns a copy of the whole.
   *
   * @throws FormatException if the parts are missing, do not fit or leave holes
   */
  MemorySegment join(List<List<Extent>> slices) throws IOException {
    int size = tensor.dtype().bits() / 8;
    if (tensor.shape().size() != 2 || size == 0) {
      throw new UnsupportedFormatException(
          path,
          "\"%s\" of shape %s is stored in parts; such variables are read only as tables of numbers"
              .formatted(tensor.name(), tensor.shapeText()));
    }
    long width = tensor.shape().get(1);
    List<Part> parts = new ArrayList<>();
    long covered = 0;
    for (List<Extent> slice : slices) { // all are checked before memory is taken
      Part part = part(slice, size);
      covered += part.rows * part.columns;
      parts.add(part);
    }
    if (covered != tensor.elements()) {
      throw new FormatException(
          path,
          "the parts of \"%s\" hold %,d numbers but its shape %s takes %,d"
              .formatted(tensor.name(), covered, tensor.shapeText(), tensor.elements()));
    }
    MemorySegment whole = Arena.ofAuto().allocate(tensor.bytes(), 8);
    for (Part part : parts) {
      for (long r = 0; r < part.rows; r++) {
        MemorySegment.copy(
            part.bytes,
            r * part.columns * size,
            whole,
            ((part.row + r) * width + part.column) * size,
            part.columns * size);
      }
    }
    return whole.asReadOnly();
  }

  private Part part(List<Extent> slice, int size) throws IOException {
    if (slice.size() != 2) {
      throw new FormatException(
          path, "a part of \"%s\" has %d dimensions, not 2".formatted(tensor.name(), slice.size()));
    }
    long rows = length(slice.get(0), tensor.shape().get(0));
    long columns = length(slice.get(1), tensor.shape().get(1));
    MemorySegment bytes = source.part(SliceKey.of(tensor.name(), slice));
    // both lie within the shape, whose bytes are known to fit
    if (bytes.byteSize() != rows * columns * size) {
      throw new FormatException(
          path,
          "a part of \"%s\" of %,d × %,d numbers has %,d bytes"
              .formatted(tensor.name(), rows, columns, bytes.byteSize()));
    }
    return new Part(slice.get(0).start(), slice.get(1).start(), rows, columns, bytes);
  }

  private long length(Extent extent, long dimension) {
    long length = extent.length() == -1 ? dimension - extent.start() : extent.length();
    if (extent.start() < 0
        || length < 0
        || extent.start() > dimension
        || length > dimension - extent.start()) {
      throw new FormatException(
          path,
          "a part of \"%s\" covers %d numbers from %d on, of %d"
              .formatted(tensor.name(), extent.length(), extent.start(), dimension));
    }
    return length;
  }
}
