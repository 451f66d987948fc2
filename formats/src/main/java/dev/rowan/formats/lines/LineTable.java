package dev.rowan.formats.lines;

import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A table written as lines: the last d fields of a line are the numbers of a row, what stands in
 * front of them is its word.
 *
 * <pre>
 *   line = [word separator] number {separator number} {separator | "\r"}      d numbers
 * </pre>
 *
 * <p>Fields are split at one ASCII character alone, so that words may hold any other kind of space,
 * and, as only the last d fields are numbers, the separator too.
 *
 * <p>Counting lines and parsing are two passes, each shared among threads; the result does not
 * depend on how many.
 */
public final class LineTable {
  private final Path path;
  private final MemorySegment text;
  private final LineFormat format;
  private final LineChunks chunks;

  private LineTable(Path path, MemorySegment text, LineFormat format, LineChunks chunks) {
    this.path = path;
    this.text = text;
    this.format = format;
    this.chunks = chunks;
  }

  /**
   * Counts the lines of a text; their numbers are read by {@link #read}. White space at the end of
   * the text is no line.
   *
   * @param path the file, for messages
   * @param text the bytes of the file
   */
  public static LineTable over(Path path, MemorySegment text, LineFormat format, Workers workers) {
    long end = Math.max(format.start(), TextEnd.of(text));
    LineChunks chunks = LineChunks.of(path, text, format.start(), end, workers);
    if (chunks.lines() > Integer.MAX_VALUE - 8) {
      throw new UnsupportedFormatException(
          path, "has %,d lines; at most 2^31 words are supported".formatted(chunks.lines()));
    }
    return new LineTable(path, text, format, chunks);
  }

  /** Returns V, the number of lines. */
  public int rows() {
    return (int) chunks.lines();
  }

  /**
   * Parses all lines.
   *
   * @param arena owns the result
   * @param words receives the places of the words in the file; absent if lines have none
   * @return V × d float32, little-endian, row-major
   * @throws FormatException if a line has too few fields or one of them is no number; the first
   *     such line is named
   */
  public MemorySegment read(Arena arena, Optional<Words> words, Workers workers) {
    // each number takes two bytes of text or more, so a small file cannot ask for much memory
    long bytes = Math.multiplyExact(4L * format.width(), chunks.lines());
    if (bytes / 2 > text.byteSize() + 4L * format.width()) {
      throw new FormatException(
          path,
          "cannot hold %,d lines of %,d numbers in %,d bytes"
              .formatted(chunks.lines(), format.width(), text.byteSize()));
    }
    MemorySegment values = arena.allocate(bytes, 64);
    // of several wrong lines the first is reported, whichever thread comes upon one first
    AtomicInteger firstWrong = new AtomicInteger(Integer.MAX_VALUE);
    AtomicReferenceArray<@Nullable FormatException> wrong =
        new AtomicReferenceArray<>(chunks.count());
    workers.run(
        chunks.count(),
        () -> {
          float[] row = new float[format.width()];
          return chunk -> {
            int c = (int) chunk;
            if (c > firstWrong.get()) {
              return;
            }
            try {
              readChunk(c, row, values, words);
            } catch (FormatException e) {
              wrong.set(c, e);
              firstWrong.accumulateAndGet(c, Math::min);
            }
          };
        });
    if (firstWrong.get() < Integer.MAX_VALUE) {
      FormatException first = wrong.get(firstWrong.get());
      if (first != null) {
        throw first;
      }
    }
    return values.asReadOnly();
  }

  private void readChunk(int chunk, float[] row, MemorySegment values, Optional<Words> words) {
    byte[] bytes = chunks.bytes(chunk);
    long line = chunks.firstLine(chunk);
    for (int at = 0; at < bytes.length; line++) {
      int next = at;
      while (next < bytes.length && bytes[next] != '\n') {
        next++;
      }
      int end = trimmed(bytes, at, next);
      int wordEnd = words.isPresent() ? readAfterWord(bytes, at, end, row) : at;
      if (words.isEmpty() && numbers(bytes, at, end, row) != end) {
        wordEnd = -1;
      }
      if (wordEnd < 0) {
        wordEnd = readLast(bytes, at, end, row, line, words.isPresent());
      }
      if (words.isPresent()) {
        words.get().set((int) line, chunks.start(chunk) + at, wordEnd - at);
      }
      FloatFormat.F32.encode(row, 0, row.length, values, line * 4 * row.length);
      at = next + 1;
    }
  }

  /** The usual line: a word without separators, then d numbers. Returns the word's end, else −1. */
  private int readAfterWord(byte[] bytes, int at, int end, float[] row) {
    int space = at;
    while (space < end && bytes[space] != format.separator()) {
      space++;
    }
    return space < end && numbers(bytes, space + 1, end, row) == end ? space : -1;
  }

  /** Reads d numbers with one separator between; returns where they end, −1 if there are fewer. */
  private int numbers(byte[] bytes, int from, int end, float[] row) {
    int at = from;
    for (int i = 0; i < row.length; i++) {
      if (i > 0 && at++ >= end) {
        return -1;
      }
      long found = DecimalFloat.read(bytes, at, end, format.separator());
      if (found == DecimalFloat.NONE) {
        return -1;
      }
      row[i] = DecimalFloat.value(found);
      at = DecimalFloat.next(found);
    }
    return at;
  }

  /** Any line: the last d fields, from the back. Returns the word's end. */
  private int readLast(byte[] bytes, int at, int end, float[] row, long line, boolean hasWord) {
    int stop = end;
    for (int i = row.length - 1; i >= 0; i--) {
      int from = stop;
      while (from > at && bytes[from - 1] != format.separator()) {
        from--;
      }
      boolean wordMissing = hasWord && from == at;
      if (from == stop || wordMissing) {
        throw tooShort(bytes, at, end, line, hasWord);
      }
      long found = DecimalFloat.read(bytes, from, stop, format.separator());
      if (found == DecimalFloat.NONE) {
        throw notANumber(bytes, from, stop, i, line);
      }
      row[i] = DecimalFloat.value(found);
      stop = from - 1;
      while (i > 0 && stop > at && bytes[stop - 1] == format.separator()) {
        stop--; // several separators between two numbers count as one
      }
    }
    if (!hasWord && stop > at) {
      throw new FormatException(
          path,
          "line %,d has %,d fields where most lines have %,d"
              .formatted(number(line), fields(bytes, at, end), row.length));
    }
    return Math.max(at, stop);
  }

  private FormatException tooShort(byte[] bytes, int at, int end, long line, boolean hasWord) {
    return new FormatException(
        path,
        "line %,d has %,d fields; %s%,d numbers are needed, as %s%s"
            .formatted(
                number(line),
                fields(bytes, at, end),
                hasWord ? "a word and " : "",
                format.width(),
                format.evidence(),
                line == chunks.lines() - 1 ? "; the file looks cut off, copy it again" : ""));
  }

  private FormatException notANumber(byte[] bytes, int from, int to, int index, long line) {
    String field = new String(bytes, from, Math.min(to - from, 40), StandardCharsets.UTF_8);
    return new FormatException(
        path,
        "line %,d: \"%s\" is not a number; the last %,d fields of a line should be (this is number"
                .formatted(number(line), field, format.width())
            + " %,d of them)".formatted(index + 1));
  }

  private long number(long line) {
    return line + format.firstLine();
  }

  private int fields(byte[] bytes, int at, int end) {
    return LineFormat.fields(bytes, at, end, format.separator());
  }

  /** Drops separators, carriage returns and spaces from the end of a line. */
  private int trimmed(byte[] bytes, int at, int end) {
    int to = end;
    while (to > at
        && (bytes[to - 1] == format.separator() || bytes[to - 1] == '\r' || bytes[to - 1] == ' ')) {
      to--;
    }
    return to;
  }
}
