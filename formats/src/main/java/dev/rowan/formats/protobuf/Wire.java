package dev.rowan.formats.protobuf;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.file.ByteWindow;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.HeldBytes;
import dev.rowan.formats.file.Stretches;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A cursor over one protobuf message in a file (protobuf.dev, "Encoding").
 *
 * <pre>
 *   field   tag = varint (number &lt;&lt; 3 | wire type), then by wire type
 *             0  varint, at most 10 bytes
 *             1  8 bytes
 *             2  varint length, then that many bytes: text, bytes, a message, packed numbers
 *             3, 4  start and end of a group: long out of use, refused
 *             5  4 bytes
 * </pre>
 *
 * <p>Every length is checked against the message it lies in, so nothing is read or allocated beyond
 * the file. Not for several threads at once.
 */
public final class Wire {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private final Path path;
  private final String what;
  private final Stretches file;
  private final ByteWindow window; // shared by all messages of a file
  private final long end;
  private long position;
  private int field;
  private int wireType;

  /**
   * Starts in front of a message that is all of a file.
   *
   * @param what what the file should be, for messages: {@code ONNX model}
   */
  public static Wire over(Path path, String what, MemorySegment file) {
    return over(what, new HeldBytes(path, file));
  }

  /**
   * Starts in front of a message that is all of a file, of which only what is passed is looked at.
   *
   * @param what what the file should be, for messages: {@code ONNX model}
   */
  public static Wire over(String what, Stretches file) {
    return new Wire(file.path(), what, file, new ByteWindow(file), 0, file.size());
  }

  private Wire(Path path, String what, Stretches file, ByteWindow window, long start, long end) {
    this.path = path;
    this.what = what;
    this.file = file;
    this.window = window;
    this.position = start;
    this.end = end;
  }

  /** Steps to the next field; false at the end of the message. */
  public boolean next() {
    if (position == end) {
      return false;
    }
    long at = position;
    long tag = varint();
    long number = tag >>> 3;
    if (number < 1 || number > 0x1FFF_FFFF) {
      throw new FormatException(
          path, at, "field number %d is not one of protobuf".formatted(number));
    }
    field = (int) number;
    wireType = (int) (tag & 7);
    return true;
  }

  /** Returns another cursor from here to the end of the message. */
  public Wire again() {
    return over(position, end);
  }

  /** Returns the number of the field stepped to. */
  public int field() {
    return field;
  }

  /** Returns whether the field stepped to holds bytes: text, a message, packed numbers. */
  public boolean isBytes() {
    return wireType == BYTES;
  }

  /** Returns the byte of the file that the cursor stands at. */
  public long position() {
    return position;
  }

  /** Returns whether the message has been read to its end. */
  public boolean atEnd() {
    return position == end;
  }

  /** Returns whether the field is a whole number. */
  public boolean isNumber() {
    return wireType == VARINT;
  }

  /** Reads a whole number. */
  public long number() {
    if (wireType != VARINT) {
      throw wrong("field %d should be a number".formatted(field));
    }
    return varint();
  }

  /** Reads a text. Bytes that are not UTF-8 show as U+FFFD. */
  public String text() {
    Wire span = message();
    long length = span.end - span.position;
    if (length > Integer.MAX_VALUE - 8) {
      throw wrong("a text of %,d bytes is too long".formatted(length));
    }
    byte[] bytes = new byte[(int) length];
    if (length <= ByteWindow.SIZE) {
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = window.at(span.position + i);
      }
    } else {
      MemorySegment.copy(span.rest(), JAVA_BYTE, 0, bytes, 0, bytes.length);
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Reads a message, or packed numbers, and returns a cursor over it. */
  public Wire message() {
    if (wireType != BYTES) {
      throw wrong("field %d should hold bytes".formatted(field));
    }
    long at = position;
    long length = varint();
    if (length < 0 || length > end - position) {
      throw new FormatException(
          path,
          at,
          "field %d claims %s bytes but only %,d are left; the file looks cut off"
              .formatted(field, Long.toUnsignedString(length), end - position));
    }
    Wire message = over(position, position + length);
    position += length;
    return message;
  }

  /** Reads the value of the field stepped to, whatever its type, and returns a cursor over it. */
  public Wire value() {
    if (wireType == BYTES) {
      return message();
    }
    long start = position;
    skip();
    return over(start, position);
  }

  /** Returns a cursor over bytes [{@code start}, {@code end}) of the same file. */
  public Wire over(long start, long end) {
    return new Wire(path, what, file, window, start, end);
  }

  /** Reads a little-endian number of 4 or 8 bytes. */
  public long fixed(int bytes) {
    long at = position;
    advance(bytes);
    return window.littleEndian(at, bytes);
  }

  /** Returns the bytes that this message covers, from where the cursor stands. */
  public MemorySegment rest() {
    return file.stretch(position, end - position);
  }

  /** Returns how many bytes of the message are left. */
  public long left() {
    return end - position;
  }

  /** Passes over the value of the field stepped to. */
  public void skip() {
    switch (wireType) {
      case VARINT -> varint();
      case FIXED64 -> advance(8);
      case BYTES -> message();
      case FIXED32 -> advance(4);
      default ->
          throw wrong("field %d has wire type %d, which is out of use".formatted(field, wireType));
    }
  }

  /** Passes over a number of bytes. */
  public void advance(long count) {
    if (count > end - position) {
      throw wrong("field %d is cut off; the file looks cut off".formatted(field));
    }
    position += count;
  }

  /** Reads a varint: seven bits a byte, the lowest first. */
  public long varint() {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (position == end) {
        throw wrong("a number is cut off; the file looks cut off");
      }
      byte b = window.at(position++);
      value |= (long) (b & 0x7F) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw wrong("a number is longer than 10 bytes");
  }

  /** Returns an exception about where the cursor stands. */
  public FormatException wrong(String message) {
    return new FormatException(path, position, "is not a valid %s: %s".formatted(what, message));
  }
}
