package dev.rowan.formats.file;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Single bytes of a file, read through a small copied window. On a JVM that has just started this
 * is much faster than asking the segment for each byte, whose access code must be spun first.
 *
 * <p>Not for several threads at once.
 */
public final class ByteWindow {
  /** The bytes that the window holds. */
  public static final int SIZE = 4096;

  private final Stretches bytes;
  private final byte[] window = new byte[SIZE];
  private long start;
  private int length;

  /** Makes a window over bytes; nothing is read yet. */
  public ByteWindow(MemorySegment bytes) {
    this(new HeldBytes(Path.of(""), bytes));
  }

  /** Makes a window over a file; nothing is read yet. */
  public ByteWindow(Stretches file) {
    this.bytes = file;
  }

  /**
   * Returns a byte.
   *
   * @throws IndexOutOfBoundsException if there is none at {@code position}
   */
  public byte at(long position) {
    long index = position - start;
    if (index < 0 || index >= length) {
      long most = Math.min(SIZE, bytes.size() - position);
      length = 0;
      if (position < 0 || most <= 0) {
        throw new IndexOutOfBoundsException(
            "byte %d is not in [0, %d)".formatted(position, bytes.size()));
      }
      MemorySegment some = bytes.some(position, most);
      length = (int) some.byteSize();
      MemorySegment.copy(some, JAVA_BYTE, 0, window, 0, length);
      start = position;
      index = 0;
    }
    return window[(int) index];
  }

  /** Returns a little-endian number of {@code count} bytes, 1 to 8, unsigned below 8. */
  public long littleEndian(long position, int count) {
    long value = 0;
    for (int i = count - 1; i >= 0; i--) {
      value = value << 8 | (at(position + i) & 0xFF);
    }
    return value;
  }
}
