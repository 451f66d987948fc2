package dev.rowan.formats.hdf5;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tensor.TensorInfo;
import io.jhdf.api.Dataset;
import io.jhdf.api.dataset.ChunkedDataset;
import io.jhdf.api.dataset.ContiguousDataset;
import io.jhdf.dataset.CompactDataset;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * The numbers of data sets: in one piece, which is read in place, in chunks, or in the header.
 *
 * @param bytes all of the file
 * @param userBlock bytes in front of what HDF5 counts
 * @param notes receives a sentence on what was never written
 */
record Hdf5Numbers(Path path, MemorySegment bytes, long userBlock, Consumer<String> notes) {
  /**
   * Returns the bytes of a data set, one or more.
   *
   * @throws FormatException if chunks are damaged
   * @throws UnsupportedFormatException if they are packed in a way that is not read
   */
  MemorySegment of(TensorInfo tensor, Dataset kept) {
    return Guard.read(
        path,
        () ->
            switch (kept) {
              case ContiguousDataset dataset -> contiguous(dataset, tensor);
              case ChunkedDataset dataset -> chunked(dataset, tensor);
              case CompactDataset dataset -> compact(dataset, tensor);
              default ->
                  throw new UnsupportedFormatException(
                      path,
                      "data set \"%s\" is kept in a way that is not read; save it anew with the defaults of h5py"
                          .formatted(tensor.name()));
            });
  }

  private MemorySegment contiguous(ContiguousDataset dataset, TensorInfo tensor) {
    long at = dataset.getDataAddress();
    if (at != -1) {
      return bytes.asSlice(at + userBlock, tensor.bytes());
    }
    long most = Hdf5Chunks.most(bytes.byteSize());
    if (tensor.bytes() > most) {
      throw new FormatException(
          path,
          "data set \"%s\" of %,d bytes was never written"
              .formatted(tensor.name(), tensor.bytes()));
    }
    FillValue fill = FillValue.of(dataset, tensor);
    notes.accept("\"%s\" was never written; all of it is %s".formatted(tensor.name(), fill));
    MemorySegment table = Arena.ofAuto().allocate(tensor.bytes(), 64);
    fill.into(table);
    return table.asReadOnly();
  }

  private MemorySegment chunked(ChunkedDataset dataset, TensorInfo tensor) {
    Hdf5Chunks chunks = new Hdf5Chunks(path, bytes.byteSize(), dataset, tensor);
    MemorySegment table = chunks.read();
    chunks.note().ifPresent(notes);
    return table;
  }

  /** The numbers of a small data set may lie within its header. */
  private MemorySegment compact(CompactDataset dataset, TensorInfo tensor) {
    ByteBuffer buffer = dataset.getDataBuffer();
    if (buffer.remaining() < tensor.bytes()) {
      throw new FormatException(
          path,
          "data set \"%s\" has %,d bytes instead of %,d; the file looks damaged"
              .formatted(tensor.name(), buffer.remaining(), tensor.bytes()));
    }
    byte[] numbers = new byte[(int) tensor.bytes()];
    buffer.get(numbers);
    return MemorySegment.ofArray(numbers).asReadOnly();
  }
}
