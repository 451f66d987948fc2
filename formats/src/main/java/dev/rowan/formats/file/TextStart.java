package dev.rowan.formats.file;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/** The mark that programs of Windows put in front of a text (byte order mark, U+FEFF). */
public final class TextStart {
  private TextStart() {}

  /** Returns the bytes of a text in UTF-8 without the mark, if it has one. */
  public static MemorySegment after(MemorySegment bytes) {
    boolean marked = at(bytes, 0) == 0xEF && at(bytes, 1) == 0xBB && at(bytes, 2) == 0xBF;
    return marked ? bytes.asSlice(3) : bytes;
  }

  /** Returns whether a text is in UTF-16, which the mark tells. */
  static boolean isUtf16(MemorySegment bytes) {
    int first = at(bytes, 0);
    int second = at(bytes, 1);
    return (first == 0xFF && second == 0xFE) || (first == 0xFE && second == 0xFF);
  }

  private static int at(MemorySegment bytes, long place) {
    return place < bytes.byteSize() ? bytes.get(JAVA_BYTE, place) & 0xFF : -1;
  }
}
