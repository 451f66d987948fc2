package dev.rowan.formats.gguf;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.file.ByteWindow;
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
  private final ByteWindow window;
  private final ByteOrder order;
  private long position;

  GgufCursor(Path path, MemorySegment file, ByteOrder order, long position) {
    this.path = path;
    this.file = file;
    this.window = new ByteWindow(file);
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
    return (byte) number(1);
  }

  short i16() {
    return (short) number(2);
  }

  int i32() {
    return (int) number(4);
  }

  long i64() {
    return number(8);
  }

  float f32() {
    return Float.intBitsToFloat(i32());
  }

  double f64() {
    return Double.longBitsToDouble(i64());
  }

  /** Reads a number of some bytes, unsigned below 8. */
  private long number(int bytes) {
    long at = advance(bytes);
    if (order == ByteOrder.LITTLE_ENDIAN) {
      return window.littleEndian(at, bytes);
    }
    return Long.reverseBytes(window.littleEndian(at, bytes)) >>> (64 - 8 * bytes);
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
    return new String(bytes(span), StandardCharsets.UTF_8);
  }

  /** Returns the bytes of a text, whose place has been checked. */
  byte[] bytes(GgufValue.Text text) {
    byte[] bytes = new byte[Math.toIntExact(text.length())];
    if (bytes.length < ByteWindow.SIZE) {
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = window.at(text.at() + i);
      }
    } else {
      MemorySegment.copy(file, JAVA_BYTE, text.at(), bytes, 0, bytes.length);
    }
    return bytes;
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

  private long advance(int bytes) {
    if (left() < bytes) {
      throw wrong("a number is cut off; the file looks cut off, copy it again");
    }
    position += bytes;
    return position - bytes;
  }
}
