package dev.rowan.formats.hdf5;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tensor.TensorInfo;
import io.jhdf.api.dataset.ChunkedDataset;
import io.jhdf.exceptions.HdfException;
import io.jhdf.filter.PipelineFilterWithData;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A table in chunks, each a rectangle of the table packed by some filters, the last of which is
 * undone first:
 *
 * <pre>
 *   1  deflate
 *   2  shuffle: the first bytes of all numbers, then the second ones, …
 *   3  Fletcher-32: four bytes of checksum at the end, not checked here
 * </pre>
 *
 * <p>Chunks at the edge are whole; what lies beyond the table is passed over.
 */
final class Hdf5Chunks {
  private static final int DEFLATE = 1;
  private static final int SHUFFLE = 2;
  private static final int CHECKSUM = 3;

  /** As of zip archives: no table shrinks to a hundredth, but a bomb does. */
  private static final long FREE_BYTES = 64L << 20;

  private static final long MOST_RATIO = 100;

  private final Path path;
  private final long fileSize;
  private final ChunkedDataset dataset;
  private final TensorInfo tensor;
  private final int size; // bytes of a number
  private final FillValue fill;
  private long chunks;
  private long missing;

  Hdf5Chunks(Path path, long fileSize, ChunkedDataset dataset, TensorInfo tensor) {
    this.path = path;
    this.fileSize = fileSize;
    this.dataset = dataset;
    this.tensor = tensor;
    this.size = tensor.dtype().bits() / 8;
    this.fill = FillValue.of(dataset, tensor);
  }

  /** Returns how many bytes may be made of a file. */
  static long most(long fileSize) {
    return Math.max(FREE_BYTES, fileSize * MOST_RATIO);
  }

  /** Returns what to know of the chunks that were read. */
  Optional<String> note() {
    return missing == 0
        ? Optional.empty()
        : Optional.of(
            "%,d of the %,d chunks of \"%s\" were never written; they are %s throughout"
                .formatted(missing, chunks, tensor.name(), fill));
  }

  MemorySegment read() {
    int[] chunk = dataset.getChunkDimensions();
    if (tensor.shape().size() != 2 || chunk.length != 2 || size == 0) {
      throw new UnsupportedFormatException(
          path,
          "data set \"%s\" of shape %s is in chunks; such ones are read only as tables of numbers"
              .formatted(tensor.name(), tensor.shapeText()));
    }
    long chunkBytes = chunk[0] < 1 || chunk[1] < 1 ? 0 : (long) chunk[0] * chunk[1];
    long most = most(fileSize);
    if (chunkBytes == 0 || chunkBytes > Integer.MAX_VALUE / size || chunkBytes * size > most) {
      throw wrong("has chunks of %d × %d".formatted(chunk[0], chunk[1]));
    }
    if (tensor.bytes() > most) {
      throw wrong(
          "would unpack to %,d bytes from a file of %,d".formatted(tensor.bytes(), fileSize));
    }
    List<PipelineFilterWithData> filters = dataset.getFilters();
    int length = (int) chunkBytes * size;
    byte[] empty = fill.bytes(length);
    MemorySegment table = Arena.ofAuto().allocate(tensor.bytes(), 64);
    for (long row = 0; row < tensor.shape().get(0); row += chunk[0]) {
      for (long column = 0; column < tensor.shape().get(1); column += chunk[1]) {
        Optional<ByteBuffer> raw = raw((int) row, (int) column);
        chunks++;
        missing += raw.isPresent() ? 0 : 1;
        byte[] numbers = raw.isPresent() ? unpacked(raw.get(), filters, length) : empty;
        copy(numbers, chunk, row, column, table);
      }
    }
    return table.asReadOnly();
  }

  /** Returns a chunk as it is stored, empty if it never was. */
  private Optional<ByteBuffer> raw(int row, int column) {
    try {
      return Optional.of(dataset.getRawChunkBuffer(new int[] {row, column}));
    } catch (HdfException e) {
      String message = String.valueOf(e.getMessage());
      // the address of a chunk that was never written is undefined, all ones
      if (message.startsWith("No chunk with offset") || message.endsWith("at address -1")) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private byte[] unpacked(ByteBuffer raw, List<PipelineFilterWithData> filters, int length) {
    // deflate makes incompressible bytes longer, but hardly
    if (raw.remaining() > length + length / 8 + 1024) {
      throw wrong("has a chunk of %,d bytes for %,d".formatted(raw.remaining(), length));
    }
    byte[] bytes = new byte[raw.remaining()];
    raw.get(bytes);
    for (PipelineFilterWithData filter : filters.reversed()) {
      bytes =
          switch (filter.getId()) {
            case DEFLATE -> inflated(bytes, length + 4); // a checksum may lie within
            case SHUFFLE -> unshuffled(bytes, filter.getFilterData());
            case CHECKSUM -> Arrays.copyOf(bytes, Math.max(0, bytes.length - 4));
            default ->
                throw new UnsupportedFormatException(
                    path,
                    "data set \"%s\" is packed with the filter \"%s\"; gzip and shuffle are read, so save it with one of them"
                        .formatted(tensor.name(), filter.getName()));
          };
    }
    if (bytes.length < length) {
      throw wrong("has a chunk of %,d bytes instead of %,d".formatted(bytes.length, length));
    }
    return bytes;
  }

  private byte[] inflated(byte[] bytes, int most) {
    byte[] out = new byte[most];
    try (Inflater inflater = new Inflater()) {
      inflater.setInput(bytes);
      int at = 0;
      while (!inflater.finished() && at < most) {
        int count = inflater.inflate(out, at, most - at);
        if (count == 0 && !inflater.finished()) {
          throw wrong("has a chunk that ends too early");
        }
        at += count;
      }
      return Arrays.copyOf(out, at);
    } catch (DataFormatException e) {
      FormatException wrong = wrong("has a damaged chunk (%s)".formatted(e.getMessage()));
      wrong.initCause(e);
      throw wrong;
    }
  }

  private byte[] unshuffled(byte[] bytes, int[] settings) {
    int width = settings.length > 0 ? settings[0] : size;
    if (width < 1) {
      throw wrong("is shuffled by %d bytes".formatted(width));
    }
    int count = bytes.length / width;
    byte[] out = bytes.clone(); // what is left over at the end stays
    for (int i = 0; i < count; i++) {
      for (int b = 0; b < width; b++) {
        out[i * width + b] = bytes[b * count + i];
      }
    }
    return out;
  }

  private void copy(byte[] numbers, int[] chunk, long row, long column, MemorySegment table) {
    long rows = Math.min(chunk[0], tensor.shape().get(0) - row);
    long width = tensor.shape().get(1);
    int count = (int) Math.min(chunk[1], width - column) * size;
    for (int i = 0; i < rows; i++) {
      long to = ((row + i) * width + column) * size;
      MemorySegment.copy(numbers, i * chunk[1] * size, table, JAVA_BYTE, to, count);
    }
  }

  private FormatException wrong(String what) {
    return new FormatException(
        path, "data set \"%s\" %s; the file looks damaged".formatted(tensor.name(), what));
  }
}
