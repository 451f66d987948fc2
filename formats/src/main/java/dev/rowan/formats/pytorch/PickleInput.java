package dev.rowan.formats.pytorch;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * The arguments of a pickle's opcodes, front to back; each is first checked to be there.
 * Little-endian but for one opcode's. Not for several threads at once.
 */
final class PickleInput {
  /** The longest text; names of tensors have a few hundred bytes at most. */
  private static final int MOST_TEXT = 1 << 20;

  /** The longest line, which holds the name of a module or a class. */
  private static final int MOST_LINE = 1 << 10;

  private static final ValueLayout.OfShort SHORT =
      JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfDouble DOUBLE =
      JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final Path path;
  private final MemorySegment bytes;
  private final long start;
  private long position;

  /**
   * Starts at the first of some bytes.
   *
   * @param start the byte of the file at which they start, for messages
   */
  PickleInput(Path path, MemorySegment bytes, long start) {
    this.path = path;
    this.bytes = bytes;
    this.start = start;
  }

  Path path() {
    return path;
  }

  /** Returns how many bytes have been passed. */
  long position() {
    return position;
  }

  int u8() {
    return bytes.get(JAVA_BYTE, advance(1)) & 0xFF;
  }

  int u16() {
    return bytes.get(SHORT, advance(2)) & 0xFFFF;
  }

  int i32() {
    return bytes.get(INT, advance(4));
  }

  long u32() {
    return i32() & 0xFFFF_FFFFL;
  }

  long i64() {
    return bytes.get(LONG, advance(8));
  }

  double bigEndianDouble() {
    return bytes.get(DOUBLE, advance(8));
  }

  /** Reads a whole number of some bytes, two's complement. */
  PickleValue integer(int length) {
    long at = advance(length);
    if (length > 8) {
      byte[] raw = bytes.asSlice(at, length).toArray(JAVA_BYTE);
      return new PickleValue.Big(HexFormat.of().formatHex(raw));
    }
    long value = 0;
    for (int i = 0; i < length; i++) {
      value |= (bytes.get(JAVA_BYTE, at + i) & 0xFFL) << (8 * i);
    }
    int unused = 64 - 8 * length;
    return new PickleValue.Whole(length == 0 ? 0 : value << unused >> unused);
  }

  String text(long length) {
    if (length > MOST_TEXT) {
      throw refused(
          "holds a pickle with a text of %,d bytes; at most %,d are read"
              .formatted(length, MOST_TEXT));
    }
    long at = advance(length);
    return new String(bytes.asSlice(at, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
  }

  /** Reads up to the end of a line, and passes it. */
  String line() {
    long at = position;
    while (u8() != '\n') {
      if (position - at > MOST_LINE) {
        throw wrong("the pickle has a name of more than %,d bytes".formatted(MOST_LINE));
      }
    }
    byte[] line = bytes.asSlice(at, position - 1 - at).toArray(JAVA_BYTE);
    return new String(line, StandardCharsets.UTF_8);
  }

  /** Checks that a frame, which is only a hint for readers of streams, lies within the bytes. */
  void frame(long length) {
    if (length < 0 || length > bytes.byteSize() - position) {
      throw cutOff();
    }
  }

  void skip(long length) {
    advance(length);
  }

  /** Returns what follows the pickles read so far. */
  MemorySegment rest() {
    return bytes.asSlice(position);
  }

  FormatException wrong(String message) {
    return new FormatException(path, start + position, message);
  }

  UnsupportedFormatException refused(String message) {
    return new UnsupportedFormatException(path, message);
  }

  private long advance(long count) {
    if (count > bytes.byteSize() - position) {
      throw cutOff();
    }
    position += count;
    return position - count;
  }

  private FormatException cutOff() {
    return wrong("the pickle ends too early; the file looks cut off, copy it again");
  }
}
