package dev.rowan.formats.json;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.file.FormatException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The bytes of a JSON text, one after the other through a window. Not for several threads. */
final class JsonBytes {
  private static final int WINDOW = 1 << 16;

  private final Path path;
  private final MemorySegment bytes;
  private final long start;
  private long windowStart; // of window[0] in bytes
  final byte[] window;
  int at; // next byte in the window
  int limit; // bytes in the window

  JsonBytes(Path path, MemorySegment bytes, long start) {
    this.path = path;
    this.bytes = bytes;
    this.start = start;
    this.window = new byte[(int) Math.min(WINDOW, bytes.byteSize())];
  }

  /** Moves the window on once all of it is read; false if there is nothing left. */
  boolean fill() {
    long next = windowStart + limit;
    int count = (int) Math.min(window.length, bytes.byteSize() - next);
    if (count == 0) {
      return false;
    }
    MemorySegment.copy(bytes, JAVA_BYTE, next, window, 0, count);
    windowStart = next;
    at = 0;
    limit = count;
    return true;
  }

  /** Returns the next byte without passing it, or −1 at the end. */
  int peek() {
    return at < limit || fill() ? window[at] & 0xFF : -1;
  }

  /** Returns the next byte and passes it; the end is an error. */
  int take() {
    int b = peek();
    if (b < 0) {
      throw cutOff();
    }
    at++;
    return b;
  }

  /** Passes white space and returns the byte after it, not passed, or −1 at the end. */
  int peekPastSpace() {
    int b = peek();
    while (b == ' ' || b == '\n' || b == '\r' || b == '\t') {
      at++;
      b = peek();
    }
    return b;
  }

  /** Returns the place of the next byte. */
  long position() {
    return windowStart + at;
  }

  /** Returns the bytes between two places as ASCII. */
  String characters(long from, long to) {
    byte[] copy = bytes.asSlice(from, to - from).toArray(JAVA_BYTE);
    return new String(copy, StandardCharsets.US_ASCII);
  }

  FormatException cutOff() {
    return wrong("the JSON text ends too early; the file looks cut off");
  }

  FormatException wrong(String message) {
    return new FormatException(path, start + windowStart + at, message);
  }

  FormatException unexpected(String wanted) {
    int b = peek();
    if (b < 0) {
      return cutOff();
    }
    String found = b > ' ' && b < 0x7F ? "'" + (char) b + "'" : "byte 0x%02X".formatted(b);
    return wrong("is not valid JSON: expected %s but found %s".formatted(wanted, found));
  }
}
