package dev.rowan.formats.word2vec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.lines.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the rows of {@link BinaryRows} one behind the other, gathers their words and remembers
 * where every piece of the file begins, from which threads then copy the rows.
 */
final class RowFinder {
  /** Bytes read at once: they stay in the second-level cache until they have been used. */
  static final int PIECE = 1 << 18;

  private static final ValueLayout.OfLong EIGHT_BYTES =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long EACH = 0x0101010101010101L;

  private final MappedFile file;
  private final Header header;
  private final int rows;
  private final int rowBytes;
  private final Words words;
  private final List<Piece> pieces = new ArrayList<>();
  private byte[] spellings;
  private int spelled;
  private long at; // where the next row begins
  private int row;

  RowFinder(MappedFile file, Header header, Words words) {
    this.file = file;
    this.header = header;
    this.rows = (int) header.rows();
    this.rowBytes = (int) (4 * header.width());
    this.words = words;
    this.spellings = new byte[(int) Math.min(12L * rows, PIECE)];
    this.at = header.end();
  }

  /**
   * Whole rows that lie together.
   *
   * @param from where the first begins in the file
   * @param to where the last ends
   */
  private record Piece(long from, long to, int firstRow, int endRow) {}

  /**
   * Finds all rows.
   *
   * @throws FormatException if the file ends within a row or goes on after the last
   */
  void find() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment space = arena.allocate(PIECE, 64);
      while (row < rows) {
        MemorySegment bytes = space.asSlice(0, Math.min(PIECE, file.size() - at));
        file.copy(at, bytes);
        long from = at;
        int first = row;
        findIn(bytes);
        if (row == first) {
          findLong();
        }
        pieces.add(new Piece(from, at, first, row));
      }
    }
    if (wordStart(file.bytes(), at) != file.size()) {
      throw new FormatException(
          file.path(),
          at,
          "the header says %,d rows but %,d bytes follow the last; the header or the file is wrong"
              .formatted(header.rows(), file.size() - at));
    }
  }

  private void findIn(MemorySegment piece) {
    long next = 0;
    while (row < rows) {
      long word = wordStart(piece, next);
      long end = wordEnd(piece, word, rowBytes);
      if (end < 0) {
        break;
      }
      add(row++, piece, word, (int) (end - word));
      next = end + 1 + rowBytes;
    }
    at += next;
  }

  /** Finds a row that is longer than a piece, or that the end of the file cuts off. */
  private void findLong() {
    MemorySegment bytes = file.bytes();
    long word = wordStart(bytes, at);
    long end = wordEnd(bytes, word, rowBytes);
    if (end < 0) {
      throw new FormatException(
          file.path(),
          at,
          "the header says %,d rows but the file ends within row %,d; it looks cut off, copy it"
                  .formatted(header.rows(), row)
              + " again");
    }
    add(row++, bytes, word, (int) (end - word));
    at = end + 1 + rowBytes;
  }

  /** Returns how many pieces there are to copy. */
  int pieces() {
    return pieces.size();
  }

  /**
   * Copies the numbers of a piece's rows. Safe for any number of threads.
   *
   * @param space {@link #PIECE} bytes of scratch
   * @param values the table
   * @throws FormatException if the file is not what it was when the rows were found
   */
  void copy(int index, MemorySegment space, MemorySegment values) {
    Piece piece = pieces.get(index);
    long length = piece.to() - piece.from();
    MemorySegment bytes = file.bytes().asSlice(piece.from(), length);
    if (length <= PIECE) {
      bytes = space.asSlice(0, length);
      file.copy(piece.from(), bytes);
    }
    long place = 0;
    for (int row = piece.firstRow(); row < piece.endRow(); row++) {
      place = wordStart(bytes, place) + words.length(row) + 1;
      if (place > length - rowBytes) {
        throw new FormatException(
            file.path(), piece.from(), "the file changed while it was read; open it again");
      }
      MemorySegment.copy(bytes, place, values, (long) rowBytes * row, rowBytes);
      place += rowBytes;
    }
  }

  private void add(int row, MemorySegment bytes, long word, int length) {
    if (length > spellings.length - spelled) {
      long more = Math.max(spellings.length / 2 * 3L, spelled + (long) length);
      if (spelled + (long) length > Integer.MAX_VALUE - 8) {
        throw new FormatException(
            file.path(),
            at,
            "the words up to row %,d take more than 2^31 bytes; at most that is supported"
                .formatted(row));
      }
      spellings = Arrays.copyOf(spellings, (int) Math.min(more, Integer.MAX_VALUE - 8));
    }
    MemorySegment.copy(bytes, JAVA_BYTE, word, spellings, spelled, length);
    words.set(row, spelled, length);
    spelled += length;
  }

  /** Returns the bytes of all words. */
  MemorySegment spellings() {
    return MemorySegment.ofArray(spellings).asReadOnly();
  }

  private static long wordStart(MemorySegment bytes, long at) {
    long start = at;
    while (start < bytes.byteSize() && bytes.get(JAVA_BYTE, start) == '\n') {
      start++;
    }
    return start;
  }

  /** Returns the place of the space behind a word if a row of numbers fits behind it, else −1. */
  static long wordEnd(MemorySegment bytes, long start, int rowBytes) {
    long last = bytes.byteSize() - rowBytes; // the space must stand before this
    long at = start;
    for (; at <= last - 8; at += 8) {
      // a byte of zero borrows from its highest bit; lower bytes that are not zero do not
      long others = bytes.get(EIGHT_BYTES, at) ^ ' ' * EACH;
      long spaces = (others - EACH) & ~others & EACH << 7;
      if (spaces != 0) {
        at += Long.numberOfTrailingZeros(spaces) >>> 3;
        break;
      }
    }
    while (at < last && bytes.get(JAVA_BYTE, at) != ' ') {
      at++;
    }
    return at < last && at - start <= Integer.MAX_VALUE ? at : -1;
  }
}
