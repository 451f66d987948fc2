package dev.rowan.formats.lines;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.rowan.core.Workers;
import dev.rowan.formats.file.UnsupportedFormatException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * The lines of a text, cut into chunks of whole lines that threads can take. A line ends at {@code
 * \n} or at the end of the text; no other character ends one.
 */
final class LineChunks {
  /** Small enough to stay in a core's cache while it is parsed, large enough to be worth a turn. */
  static final long CHUNK_BYTES = 1 << 20;

  private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;
  private static final long NEWLINES = 0x0A0A0A0A0A0A0A0AL;

  private final MemorySegment text;
  private final long[] starts; // chunk c is bytes [starts[c], starts[c+1])
  private final long[] firstLines; // and lines [firstLines[c], firstLines[c+1])

  private LineChunks(MemorySegment text, long[] starts, long[] firstLines) {
    this.text = text;
    this.starts = starts;
    this.firstLines = firstLines;
  }

  /**
   * Cuts a text and counts its lines.
   *
   * @param path the file, for messages
   * @param text the bytes of the file
   * @param from where the first line starts
   * @param to where the last line ends; it may lack its {@code \n}
   */
  static LineChunks of(Path path, MemorySegment text, long from, long to, Workers workers) {
    int count = Math.toIntExact(Math.ceilDiv(to - from, CHUNK_BYTES));
    long[] starts = new long[count + 1];
    starts[0] = from;
    for (int c = 1; c < count; c++) {
      long nominal = from + c * CHUNK_BYTES;
      starts[c] = nominal <= starts[c - 1] ? starts[c - 1] : lineAfter(text, nominal, to);
    }
    starts[count] = to;
    for (int c = 0; c < count; c++) {
      if (starts[c + 1] - starts[c] > Integer.MAX_VALUE - 8) {
        throw new UnsupportedFormatException(
            path, "has a line of more than 2^31 bytes near byte " + starts[c]);
      }
    }
    long[] firstLines = new long[count + 1];
    workers.run(
        count,
        () ->
            chunk -> {
              int c = (int) chunk;
              firstLines[c + 1] = countLines(text, starts[c], starts[c + 1]);
            });
    for (int c = 0; c < count; c++) {
      firstLines[c + 1] += firstLines[c];
    }
    return new LineChunks(text, starts, firstLines);
  }

  /** Returns where the line after the one that holds the byte before {@code at} starts. */
  static long lineAfter(MemorySegment text, long at, long to) {
    long place = at - 1;
    while (place < to && text.get(JAVA_BYTE, place) != '\n') {
      place++;
    }
    return Math.min(place + 1, to);
  }

  private static long countLines(MemorySegment text, long from, long to) {
    if (from == to) {
      return 0;
    }
    long count = 0;
    long at = from;
    for (; at + 8 <= to; at += 8) {
      // a byte of x is 0 where the text has \n; its high bit in the second line is then 0 alone
      long x = text.get(JAVA_LONG_UNALIGNED, at) ^ NEWLINES;
      long others = ((x & LOW_BITS) + LOW_BITS) | x | LOW_BITS;
      count += Long.bitCount(~others);
    }
    for (; at < to; at++) {
      if (text.get(JAVA_BYTE, at) == '\n') {
        count++;
      }
    }
    return text.get(JAVA_BYTE, to - 1) == '\n' ? count : count + 1;
  }

  int count() {
    return starts.length - 1;
  }

  long lines() {
    return firstLines[count()];
  }

  long firstLine(int chunk) {
    return firstLines[chunk];
  }

  long start(int chunk) {
    return starts[chunk];
  }

  /** Returns the bytes of a chunk. */
  byte[] bytes(int chunk) {
    byte[] bytes = new byte[(int) (starts[chunk + 1] - starts[chunk])];
    MemorySegment.copy(text, JAVA_BYTE, starts[chunk], bytes, 0, bytes.length);
    return bytes;
  }
}
