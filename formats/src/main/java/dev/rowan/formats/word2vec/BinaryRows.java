package dev.rowan.formats.word2vec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.core.Workers;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.lines.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * The rows of word2vec's binary format, behind its header:
 *
 * <pre>
 *   row = {"\n"} word " " float32[d], little-endian       word: any bytes but the space
 * </pre>
 *
 * <p>The C tool ends each row with {@code \n}, others do not; those bytes are dropped in front of
 * the next word. As words differ in length rows have no constant stride, so they are copied into a
 * table.
 */
final class BinaryRows {
  private static final int COPY_ROWS = 4096;

  private final Path path;
  private final MemorySegment bytes;
  private final Header header;
  private final int rowBytes;

  private BinaryRows(Path path, MemorySegment bytes, Header header) {
    this.path = path;
    this.bytes = bytes;
    this.header = header;
    this.rowBytes = Math.toIntExact(4 * header.width());
  }

  /**
   * Checks a header against the size of its file.
   *
   * @throws FormatException if the file is too short for the rows that the header promises
   */
  static BinaryRows of(Path path, MemorySegment bytes, Header header) {
    long rest = bytes.byteSize() - header.end();
    boolean wide = header.width() < 1 || header.width() > Integer.MAX_VALUE / 4 - 4;
    if (wide || header.rows() > rest / (4 * header.width() + 1)) {
      throw new FormatException(
          path,
          header.end(),
          "the header says %,d rows of %,d numbers, but only %,d bytes follow; the file looks cut"
                  .formatted(header.rows(), header.width(), rest)
              + " off, copy it again");
    }
    if (header.rows() > Integer.MAX_VALUE - 8) {
      throw new FormatException(
          path, "has %,d rows; at most 2^31 words are supported".formatted(header.rows()));
    }
    return new BinaryRows(path, bytes, header);
  }

  int rows() {
    return (int) header.rows();
  }

  int width() {
    return (int) header.width();
  }

  /** Returns whether the first row fits, as it does in every file of this format. */
  boolean firstRowFits() {
    return rows() > 0 && wordEnd(header.end()) >= 0;
  }

  /**
   * Copies the rows: one pass to find them, one shared by threads to copy.
   *
   * @param arena owns the result
   * @throws FormatException if the file ends early or goes on after the last row
   */
  MemorySegment read(Arena arena, Words words, Workers workers) {
    long[] places = new long[rows()];
    long at = header.end();
    for (int row = 0; row < places.length; row++) {
      long start = wordStart(at);
      long end = wordEnd(start);
      if (end < 0) {
        throw new FormatException(
            path,
            at,
            "the header says %,d rows but the file ends within row %,d; it looks cut off, copy it"
                    .formatted(header.rows(), row)
                + " again");
      }
      words.set(row, start, Math.toIntExact(end - start));
      places[row] = end + 1;
      at = end + 1 + rowBytes;
    }
    if (wordStart(at) != bytes.byteSize()) {
      throw new FormatException(
          path,
          at,
          "the header says %,d rows but %,d bytes follow the last; the header or the file is wrong"
              .formatted(header.rows(), bytes.byteSize() - at));
    }
    MemorySegment values = arena.allocate((long) rowBytes * places.length, 64);
    workers.run(
        Math.ceilDiv(places.length, COPY_ROWS),
        () ->
            chunk -> {
              int from = (int) chunk * COPY_ROWS;
              int to = Math.min(from + COPY_ROWS, places.length);
              for (int row = from; row < to; row++) {
                MemorySegment.copy(bytes, places[row], values, (long) rowBytes * row, rowBytes);
              }
            });
    return values.asReadOnly();
  }

  private long wordStart(long at) {
    long start = at;
    while (start < bytes.byteSize() && bytes.get(JAVA_BYTE, start) == '\n') {
      start++;
    }
    return start;
  }

  /** Returns the place of the space behind a word if a row of numbers fits behind it, else −1. */
  private long wordEnd(long start) {
    long last = bytes.byteSize() - rowBytes; // the space must stand before this
    long at = start;
    while (at < last && bytes.get(JAVA_BYTE, at) != ' ') {
      at++;
    }
    return at < last && at - start <= Integer.MAX_VALUE ? at : -1;
  }
}
