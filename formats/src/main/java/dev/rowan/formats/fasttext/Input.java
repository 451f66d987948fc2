package dev.rowan.formats.fasttext;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.rowan.formats.file.FormatException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;

/** Steps through a file's bytes; whoever would step past the end gets a {@link FormatException}. */
final class Input {
  private static final ValueLayout.OfInt INT =
      JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfDouble DOUBLE =
      JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Path path;
  private final MemorySegment bytes;
  private long at;

  Input(Path path, MemorySegment bytes) {
    this.path = path;
    this.bytes = bytes;
  }

  long position() {
    return at;
  }

  long left() {
    return bytes.byteSize() - at;
  }

  int int32(String what) {
    return bytes.get(INT, advance(4, what));
  }

  long int64(String what) {
    return bytes.get(LONG, advance(8, what));
  }

  double float64(String what) {
    return bytes.get(DOUBLE, advance(8, what));
  }

  byte int8(String what) {
    return bytes.get(JAVA_BYTE, advance(1, what));
  }

  boolean flag(String what) {
    byte value = int8(what);
    if (value != 0 && value != 1) {
      throw wrong("%s is %d; 0 or 1 is expected".formatted(what, value));
    }
    return value == 1;
  }

  /** Steps over {@code count} things of {@code size} bytes and returns them. */
  MemorySegment take(long count, long size, String what) {
    if (count < 0 || count > left() / size) {
      throw wrong(
          "%s takes %,d × %d bytes but only %,d are left; the file looks cut off, copy it again"
              .formatted(what, count, size, left()));
    }
    return bytes.asSlice(advance(count * size, what), count * size);
  }

  /** Steps over a text and the zero byte behind it; returns the text's length. */
  int zeroEnded(String what) {
    long end = at;
    while (end < bytes.byteSize() && bytes.get(JAVA_BYTE, end) != 0) {
      end++;
    }
    long length = end - at;
    advance(length + 1, what);
    return Math.toIntExact(length);
  }

  private long advance(long count, String what) {
    if (count > left()) {
      throw new FormatException(
          path, at, "ends within %s; it looks cut off, copy it again".formatted(what));
    }
    long from = at;
    at += count;
    return from;
  }

  FormatException wrong(String message) {
    return new FormatException(path, at, message);
  }
}
