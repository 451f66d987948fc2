package dev.rowan.train.corpus;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;

/**
 * Byte ranges of a plain file, read where they are scanned. A word, or a whole line where lines are
 * records, belongs to the range in which it starts.
 */
final class FileBlocks implements Blocks {
  /** A word that reaches further into the next range than this is too long to be kept. */
  private static final int OVERLAP = 2 * WordScanner.MOST_BYTES;

  /** Lines are records of at most so many bytes. */
  static final int MOST_LINE_BYTES = 256 << 20;

  private static final int PIECE = 128 << 10;

  private final Path path;
  private final long size;
  private final Cut cut;
  private long next;

  FileBlocks(Path path, long size, Cut cut) {
    this.path = path;
    this.size = size;
    this.cut = cut;
  }

  @Override
  public synchronized Optional<Block> next() {
    if (next >= size) {
      return Optional.empty();
    }
    long from = next;
    next = Math.min(size, from + BLOCK_BYTES);
    return Optional.of(new Range(from, next));
  }

  private final class Range implements Block {
    private final long from;
    private final long to;

    Range(long from, long to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public Text read(byte[] buffer) throws IOException {
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
        return read(channel, buffer);
      }
    }

    private Text read(FileChannel channel, byte[] buffer) throws IOException {
      // one byte more in front shows whether the first word starts here or before
      long first = Math.max(0, from - 1);
      int owned = (int) (to - first);
      byte[] bytes = buffer;
      int stop = fill(channel, bytes, first, 0, owned + OVERLAP);
      int start = from == 0 ? afterMark(bytes, stop) : afterCut(bytes, Math.min(stop, owned));
      if (cut == Cut.LINES && start < owned) {
        while (first + stop < size && lineEnd(bytes, Math.max(start, owned - 1), stop) < 0) {
          if (stop - start > MOST_LINE_BYTES) {
            throw new IllegalArgumentException(
                "%s: line %,d, which starts at byte %,d, is longer than %,d bytes; is it JSON lines?"
                    .formatted(path, 1 + lineFeeds(first + start), first + start, MOST_LINE_BYTES));
          }
          bytes = Arrays.copyOf(bytes, Math.max(bytes.length, 2 * stop));
          stop = fill(channel, bytes, first, stop, bytes.length - WordScanner.PADDING);
        }
      }
      Arrays.fill(bytes, stop, stop + WordScanner.PADDING, (byte) ' ');
      return new Text(
          path, first, bytes, start, Math.min(owned, stop), stop, size, () -> lineFeeds(first));
    }

    private int afterCut(byte[] bytes, int owned) {
      int at = 0;
      while (at < owned && !cut.isAt(bytes[at])) {
        at++;
      }
      return at;
    }
  }

  /** Counts the line feeds before a byte, for a message: reads the file to there once more. */
  private long lineFeeds(long before) throws IOException {
    long count = 0;
    byte[] piece = new byte[PIECE];
    try (InputStream in = Files.newInputStream(path)) {
      for (long left = before; left > 0; ) {
        int read = in.readNBytes(piece, 0, (int) Math.min(PIECE, left));
        if (read == 0) {
          break; // it was cut off since
        }
        count += Block.lineFeeds(piece, 0, read);
        left -= read;
      }
    }
    return count;
  }

  private static int lineEnd(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  /** Returns where the text starts: behind the byte order mark that some programs put there. */
  static int afterMark(byte[] bytes, int stop) {
    boolean mark =
        stop >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF;
    return mark ? 3 : 0;
  }

  /** Reads until the buffer is full to {@code limit} or the file ends; returns where it ends. */
  private static int fill(FileChannel channel, byte[] bytes, long first, int from, int limit)
      throws IOException {
    int most = Math.min(limit, bytes.length - WordScanner.PADDING);
    ByteBuffer target = ByteBuffer.wrap(bytes, 0, most);
    int at = from;
    while (at < most) {
      // a heap buffer is filled by way of memory outside of it: a small one stays in the cache
      target.limit(Math.min(most, at + PIECE)).position(at);
      int count = channel.read(target, first + at);
      if (count < 0) {
        break;
      }
      at += count;
    }
    return at;
  }

  @Override
  public void close() {
    // a range opens the file for as long as it is read
  }

  /** Where a corpus may be cut. */
  enum Cut {
    /** Between any two words. */
    WORDS,
    /** Between lines, which are records. */
    LINES;

    boolean isAt(byte b) {
      return this == LINES ? b == '\n' : b >= 0 && b <= ' ';
    }
  }
}
