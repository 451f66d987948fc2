package dev.rowan.formats.lines;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/** Finds where a text ends once trailing white space is left out. */
final class TextEnd {
  private TextEnd() {}

  static long of(MemorySegment text) {
    long end = text.byteSize();
    while (end > 0) {
      byte last = text.get(JAVA_BYTE, end - 1);
      if (last != '\n' && last != '\r' && last != ' ' && last != '\t') {
        break;
      }
      end--;
    }
    return end;
  }
}
