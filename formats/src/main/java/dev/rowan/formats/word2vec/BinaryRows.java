package dev.rowan.formats.word2vec;

import dev.rowan.core.Workers;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.lines.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;

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
  private final MappedFile file;
  private final Header header;
  private final int rowBytes;

  private BinaryRows(MappedFile file, Header header) {
    this.file = file;
    this.header = header;
    this.rowBytes = Math.toIntExact(4 * header.width());
  }

  /**
   * Checks a header against the size of its file.
   *
   * @throws FormatException if the file is too short for the rows that the header promises
   */
  static BinaryRows of(MappedFile file, Header header) {
    long rest = file.size() - header.end();
    boolean wide = header.width() < 1 || header.width() > Integer.MAX_VALUE / 4 - 4;
    if (wide || header.rows() > rest / (4 * header.width() + 1)) {
      throw new FormatException(
          file.path(),
          header.end(),
          "the header says %,d rows of %,d numbers, but only %,d bytes follow; the file looks cut"
                  .formatted(header.rows(), header.width(), rest)
              + " off, copy it again");
    }
    if (header.rows() > Integer.MAX_VALUE - 8) {
      throw new FormatException(
          file.path(), "has %,d rows; at most 2^31 words are supported".formatted(header.rows()));
    }
    return new BinaryRows(file, header);
  }

  int rows() {
    return (int) header.rows();
  }

  int width() {
    return (int) header.width();
  }

  /** Returns whether the first row fits, as it does in every file of this format. */
  boolean firstRowFits() {
    return rows() > 0 && RowFinder.wordEnd(file.bytes(), header.end(), rowBytes) >= 0;
  }

  /**
   * Copies the rows. Only who has read a row knows where the next begins, so one thread finds all
   * of them while another gets the memory for them, which takes as long; then all copy.
   *
   * @param arena owns the table
   * @param words receives the places of the words
   * @return the table and the bytes of the words
   * @throws FormatException if the file ends early or goes on after the last row
   */
  WordVectors.Loaded read(Arena arena, Words words, Workers workers) {
    RowFinder finder = new RowFinder(file, header, words);
    AtomicReference<MemorySegment> table = new AtomicReference<>(MemorySegment.NULL);
    workers.run(
        2,
        () ->
            part -> {
              if (part == 0) {
                finder.find();
              } else {
                table.set(arena.allocate((long) rowBytes * rows(), 64));
              }
            });
    MemorySegment values = table.get();
    try (Arena scratch = Arena.ofShared()) {
      workers.run(
          finder.pieces(),
          () -> {
            MemorySegment space = scratch.allocate(RowFinder.PIECE, 64);
            return piece -> finder.copy((int) piece, space, values);
          });
    }
    return new WordVectors.Loaded(values.asReadOnly(), finder.spellings());
  }
}
