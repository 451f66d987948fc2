package dev.rowan.analysis.edit;

import dev.rowan.core.Workers;
import dev.rowan.formats.safetensors.SafetensorsWriter;
import dev.rowan.formats.safetensors.SafetensorsWriter.Place;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Writes one file of weights anew: bytes that stay are copied from file to file by the operating
 * system, rows that change are made a piece at a time. Memory: {@value #PIECE} bytes.
 *
 * <p>Tensors keep their order unless a change of dtype asks for another: wider numbers stand first,
 * so that each tensor starts at a multiple of its width, which some readers need.
 */
final class ShardWriter {
  private static final int PIECE = 1 << 23; // so large that the call which writes it costs nothing
  private static final int TURN_ROWS = 256;
  private static final long LONG_RUN = 1 << 20; // bytes worth a copy of their own

  private final Workers workers;
  private final FileChannel from;
  private final FileChannel to;

  private ShardWriter(Workers workers, FileChannel from, FileChannel to) {
    this.workers = workers;
    this.from = from;
    this.to = to;
  }

  /**
   * Writes a file; to force it to disk is left to the caller.
   *
   * @param edited the tensors that change, by name
   * @param target the new file, which must not be there yet
   */
  static void write(Shard shard, Map<String, EditedRows> edited, Path target, Workers workers)
      throws IOException {
    List<TensorInfo> tensors = new ArrayList<>(shard.header().tensors());
    tensors.sort(Comparator.comparingLong(TensorInfo::offset));
    tensors.sort(Comparator.comparingInt(tensor -> -place(tensor, edited).dtype().bits()));
    byte[] head =
        SafetensorsWriter.head(
            tensors.stream().map(tensor -> place(tensor, edited)).toList(),
            shard.header().metadata());
    try (FileChannel from = FileChannel.open(shard.file(), StandardOpenOption.READ);
        FileChannel to =
            FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ShardWriter writer = new ShardWriter(workers, from, to);
      writer.append(ByteBuffer.wrap(head));
      writer.appendAll(tensors, edited);
    }
  }

  static Place place(TensorInfo tensor, Map<String, EditedRows> edited) {
    EditedRows rows = edited.get(tensor.name());
    if (rows == null) {
      return new Place(tensor.name(), tensor.dtype(), tensor.shape(), tensor.bytes());
    }
    List<Long> shape = new ArrayList<>(tensor.shape());
    // a bias may have a dimension of 1 in front
    shape.set(
        rows.tensor().role() == TokenTensor.Role.BIAS ? shape.size() - 1 : 0, rows.layout().rows());
    return new Place(
        tensor.name(),
        rows.numbers().dtype(),
        shape,
        Math.multiplyExact(rows.layout().rows(), rows.rowBytes()));
  }

  private void appendAll(List<TensorInfo> tensors, Map<String, EditedRows> edited)
      throws IOException {
    long begin = 0; // of the bytes that stay and were not copied yet
    long end = 0;
    for (TensorInfo tensor : tensors) {
      EditedRows rows = edited.get(tensor.name());
      if (rows == null && tensor.offset() == end) {
        end += tensor.bytes();
        continue;
      }
      copy(begin, end - begin);
      begin = tensor.offset();
      end = begin;
      if (rows == null) {
        end += tensor.bytes();
      } else {
        append(rows);
        begin = tensor.offset() + tensor.bytes();
        end = begin;
      }
    }
    copy(begin, end - begin);
  }

  private void append(EditedRows rows) throws IOException {
    long rowBytes = rows.rowBytes();
    long count = rows.layout().rows();
    long piece = Math.max(1, PIECE / rowBytes);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment buffer =
          arena.allocate(Math.multiplyExact(Math.min(piece, count), rowBytes), 64);
      long row = 0;
      while (row < count) {
        long run = run(rows, row, count);
        if (run * rowBytes >= LONG_RUN) {
          copy(rows.tensor().info().offset() + rows.verbatim(row) * rowBytes, run * rowBytes);
          row += run;
          continue;
        }
        long made = pieceLength(rows, row, Math.min(count, row + piece));
        encode(rows, row, made, buffer);
        append(buffer.asSlice(0, made * rowBytes).asByteBuffer());
        row += made;
      }
    }
  }

  /** Returns how many rows from this one on stand together in the old file as they do here. */
  private static long run(EditedRows rows, long first, long end) {
    long source = rows.verbatim(first);
    if (source < 0) {
      return 0;
    }
    long row = first + 1;
    while (row < end && rows.verbatim(row) == source + (row - first)) {
      row++;
    }
    return row - first;
  }

  /** Returns how many rows to make at once: up to the next long run. */
  private static long pieceLength(EditedRows rows, long first, long end) {
    long row = first;
    while (row < end) {
      long run = run(rows, row, end);
      if (run * rows.rowBytes() >= LONG_RUN && row > first) {
        break;
      }
      row += Math.max(1, run);
    }
    return Math.min(row, end) - first;
  }

  private void encode(EditedRows rows, long first, long count, MemorySegment target) {
    RowEncoder encoder = RowEncoder.of(rows.numbers().dtype()).orElseThrow();
    long rowBytes = rows.rowBytes();
    MemorySegment old = rows.tensor().table().data();
    workers.run(
        Math.ceilDiv(count, (long) TURN_ROWS),
        () -> {
          Blend.Reader reader = rows.reader();
          float[] row = new float[rows.width()];
          return turn -> {
            long begin = turn * TURN_ROWS;
            for (long i = begin; i < Math.min(begin + TURN_ROWS, count); i++) {
              long source = rows.verbatim(first + i);
              if (source >= 0) {
                MemorySegment.copy(old, source * rowBytes, target, i * rowBytes, rowBytes);
              } else {
                reader.read(first + i, row);
                encoder.encode(row, target, i * rowBytes);
              }
            }
          };
        });
  }

  private void copy(long position, long count) throws IOException {
    long done = 0;
    while (done < count) {
      long moved = from.transferTo(position + done, Math.min(count - done, 1L << 30), to);
      if (moved <= 0) {
        throw new IOException(
            "the file of weights became shorter while it was copied; leave it alone and try again");
      }
      done += moved;
    }
  }

  private void append(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      to.write(bytes);
    }
  }
}
