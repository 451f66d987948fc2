package dev.rowan.formats.write;

import dev.rowan.core.Workers;
import dev.rowan.formats.file.NewFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The chosen rows in the format that they are written in. */
record EncodedRows(Source source, Encoder encoder, Workers workers) {
  private static final long CHUNK_BYTES = 1 << 23;
  private static final int TURN_ROWS = 512;

  long bytes() {
    return Math.multiplyExact(source.rows(), encoder.rowBytes());
  }

  /** Returns all rows: where they are if they stay as they are, else made in memory. */
  MemorySegment whole(Arena arena) {
    if (source.isWhole() && encoder instanceof Encoder.Verbatim) {
      return source.table().data();
    }
    MemorySegment all = arena.allocate(bytes(), 64);
    encode(0, source.rows(), all);
    return all;
  }

  /** Takes some rows, one after the other; the bytes are reused afterwards. */
  interface Piece {
    void accept(MemorySegment rows) throws IOException;
  }

  /** Appends all rows to a file, in pieces. */
  void appendTo(NewFile out) throws IOException {
    forEachPiece(out::append);
  }

  /** Hands out all rows in order, in pieces. */
  void forEachPiece(Piece use) throws IOException {
    long piece = Math.max(1, CHUNK_BYTES / encoder.rowBytes());
    try (Arena arena = Arena.ofShared()) {
      long most = Math.min(piece, source.rows());
      MemorySegment buffer = arena.allocate(Math.multiplyExact(most, encoder.rowBytes()), 64);
      for (long from = 0; from < source.rows(); from += piece) {
        long count = Math.min(piece, source.rows() - from);
        encode(from, count, buffer);
        use.accept(buffer.asSlice(0, count * encoder.rowBytes()));
      }
    }
  }

  private void encode(long first, long count, MemorySegment target) {
    workers.run(
        Math.ceilDiv(count, (long) TURN_ROWS),
        () -> {
          float[] scratch = new float[source.width()];
          return turn -> {
            long from = turn * TURN_ROWS;
            long to = Math.min(from + TURN_ROWS, count);
            for (long i = from; i < to; i++) {
              encoder.encode(
                  source.id(first + i), scratch, target, Math.multiplyExact(i, encoder.rowBytes()));
            }
          };
        });
  }
}
