package dev.rowan.formats.gguf;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.rowan.formats.file.FormatException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A cursor over the header of a mapped file. Whatever it reads is first checked to lie in the file.
 * Not for several threads at once.
 */
final class GgufCursor {
  private final Path path;
  private final MemorySegment file;
  private final ByteOrder order;
  private long position;

  GgufCursor(Path path, MemorySegment file, ByteOrder order, long position) {
    this.path = path;
    this.file = file;
    this.order = order;
    this.position = position;
  }

  long position() {
    return position;
  }

  long left() {
    return file.byteSize() - position;
  }

  byte i8() {
    return file.get(JAVA_BYTE, advance(1, "a number"));
  }

  short i16() {
    return file.get(JAVA_SHORT_UNALIGNED.withOrder(order), advance(2, "a number"));
  }

  int i32() {
    return file.get(JAVA_INT_UNALIGNED.withOrder(order), advance(4, "a number"));
  }

  long i64() {
    return file.get(JAVA_LONG_UNALIGNED.withOrder(order), advance(8, "a number"));
  }

  float f32() {
    return file.get(JAVA_FLOAT_UNALIGNED.withOrder(order), advance(4, "a number"));
  }

  double f64() {
    return file.get(JAVA_DOUBLE_UNALIGNED.withOrder(order), advance(8, "a number"));
  }

  /** Passes a length and as many bytes, and returns where those bytes are. */
  GgufValue.Text span(String what) {
    long at = position;
    long length = i64();
    if (length < 0 || length > left()) {
      throw new FormatException(
          path,
          at,
          "%s claims %s bytes but only %,d are left; the file looks cut off or damaged"
              .formatted(what, Long.toUnsignedString(length), left()));
    }
    position += length;
    return new GgufValue.Text(position - length, length);
  }

  /**
   * Reads a text. Bytes that are not UTF-8 show as U+FFFD.
   *
   * @param limit the longest text to accept, in bytes
   */
  String text(String what, long limit) {
    long at = position;
    GgufValue.Text span = span(what);
    if (span.length() > limit) {
      throw new FormatException(
          path,
          at,
          "%s has %,d bytes; at most %,d are legal".formatted(what, span.length(), limit));
    }
    byte[] bytes = file.asSlice(span.at(), span.length()).toArray(JAVA_BYTE);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Passes {@code count} items of {@code bytes} each. */
  void skip(long count, int bytes, String what) {
    if (count > left() / bytes) {
      throw cutOff(what, count, bytes);
    }
    position += count * bytes;
  }

  FormatException cutOff(String what, long count, int bytes) {
    return new FormatException(
        path,
        position,
        "%s claims %s items of at least %d bytes but only %,d bytes are left; the file looks cut off or damaged"
            .formatted(what, Long.toUnsignedString(count), bytes, left()));
  }

  FormatException wrong(String message) {
    return new FormatException(path, position, message);
  }

  private long advance(int bytes, String what) {
    if (left() < bytes) {
      throw wrong("%s is cut off; the file looks cut off, copy it again".formatted(what));
    }
    position += bytes;
    return position - bytes;
  }
}
