package dev.rowan.formats.word2vec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.lines.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Finds the rows of {@link BinaryRows} one behind the other, and gathers their words. Threads take
 * turns: each reads a piece of the file into memory of its own.
 */
final class RowFinder {
  /** Bytes read at once: they stay in the second-level cache until their rows are copied. */
  static final int PIECE = 1 << 18;

  /** A turn takes less time than to put a thread to sleep and to wake it. */
  private static final long LOOKING_NANOS = 100_000;

  private static final ValueLayout.OfLong EIGHT_BYTES =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long EACH = 0x0101010101010101L;

  private final MappedFile file;
  private final Header header;
  private final int rows;
  private final int rowBytes;
  private final Words words;
  private final ReentrantLock turn = new ReentrantLock();
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

  /** Rows {@code first}, {@code first} + 1 …, whose numbers begin at places in some bytes. */
  static final class Found {
    private final MemorySegment piece;
    MemorySegment bytes;
    final long[] places;
    int first;
    int count;

    private Found(MemorySegment piece, int most) {
      this.piece = piece;
      this.bytes = piece;
      this.places = new long[most];
    }
  }

  /** Returns space for the rows of one piece. */
  Found scratch(Arena arena) {
    return new Found(arena.allocate(PIECE, 64), PIECE / (rowBytes + 1) + 1);
  }

  /**
   * Reads the next piece and finds the rows that are whole in it; none behind the last row.
   *
   * @throws FormatException if the file ends within a row
   */
  void next(Found found) {
    long start = System.nanoTime();
    while (!turn.tryLock()) {
      if (System.nanoTime() - start > LOOKING_NANOS) {
        turn.lock();
        break;
      }
      Thread.onSpinWait();
    }
    try {
      found.first = row;
      if (row < rows) {
        found.bytes = found.piece.asSlice(0, Math.min(PIECE, file.size() - at));
        file.copy(at, found.bytes);
        find(found);
        if (row == found.first) {
          findLong(found);
        }
      }
      found.count = row - found.first;
    } finally {
      turn.unlock();
    }
  }

  private void find(Found found) {
    MemorySegment piece = found.bytes;
    long next = 0;
    int n = 0;
    for (; row + n < rows; n++) {
      long word = wordStart(piece, next);
      long end = wordEnd(piece, word, rowBytes);
      if (end < 0) {
        break;
      }
      add(row + n, piece, word, (int) (end - word));
      found.places[n] = end + 1;
      next = end + 1 + rowBytes;
    }
    at += next;
    row += n;
  }

  /** Finds a row that is longer than a piece, or that the end of the file cuts off. */
  private void findLong(Found found) {
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
    add(row, bytes, word, (int) (end - word));
    found.bytes = bytes;
    found.places[0] = end + 1;
    at = end + 1 + rowBytes;
    row++;
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

  /**
   * Returns the bytes of all words.
   *
   * @throws FormatException if the file goes on after the last row
   */
  MemorySegment end() {
    if (row < rows) {
      throw new IllegalStateException("found %,d rows of %,d".formatted(row, rows));
    }
    if (wordStart(file.bytes(), at) != file.size()) {
      throw new FormatException(
          file.path(),
          at,
          "the header says %,d rows but %,d bytes follow the last; the header or the file is wrong"
              .formatted(header.rows(), file.size() - at));
    }
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
