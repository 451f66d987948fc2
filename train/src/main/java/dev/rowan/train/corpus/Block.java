package dev.rowan.train.corpus;

import java.io.IOException;
import java.nio.file.Path;

/** A part of a corpus that one worker reads and scans. */
interface Block {
  /** Reads the block, into the worker's own buffer where that is long enough. */
  Text read(byte[] buffer) throws IOException;

  /** Counts the line feeds of a text before a block. */
  interface LinesBefore {
    /** Does so; it may read all of them. */
    long count() throws IOException;
  }

  /** The bytes of a block. */
  final class Text {
    private final Path file;
    private final long origin;
    private final byte[] bytes;
    private final int start;
    private final int end;
    private final int stop;
    private final boolean last;
    private final LinesBefore before;

    /**
     * Describes what was read.
     *
     * @param file the file, for messages
     * @param origin the byte of the file at which the buffer starts
     * @param bytes the buffer; {@link WordScanner#PADDING} blanks follow the text
     * @param start the first byte that belongs to the block
     * @param end the byte behind the last one; a word or line may go on behind it
     * @param stop where the readable text ends
     * @param size the bytes of the whole file; any larger number if that is not known
     * @param before the line feeds before the buffer
     */
    Text(
        Path file,
        long origin,
        byte[] bytes,
        int start,
        int end,
        int stop,
        long size,
        LinesBefore before) {
      this.file = file;
      this.origin = origin;
      this.bytes = bytes;
      this.start = start;
      this.end = end;
      this.stop = stop;
      this.last = origin + end >= size;
      this.before = before;
    }

    Path file() {
      return file;
    }

    long origin() {
      return origin;
    }

    byte[] bytes() {
      return bytes;
    }

    int start() {
      return start;
    }

    int end() {
      return end;
    }

    int stop() {
      return stop;
    }

    /** Returns the line, from 1, that a byte of the file is in, which lies in the buffer. */
    long line(long at) throws IOException {
      return 1 + before.count() + lineFeeds(bytes, 0, (int) (at - origin));
    }

    /** Returns whether the file ends with this block. */
    boolean isLast() {
      return last;
    }
  }

  /** Returns how many line feeds there are in a part of an array. */
  static long lineFeeds(byte[] bytes, int from, int to) {
    long count = 0;
    for (int i = from; i < to; i++) {
      count += bytes[i] == '\n' ? 1 : 0;
    }
    return count;
  }
}
