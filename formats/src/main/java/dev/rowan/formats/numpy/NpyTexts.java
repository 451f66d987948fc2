package dev.rowan.formats.numpy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads arrays of texts, {@code <U12} or {@code >U12}, each with room for the longest, four bytes a
 * character, filled up with zeros; and {@code |S12}, the same with the bytes of a text.
 */
final class NpyTexts {
  private NpyTexts() {}

  /** Returns whether a description is that of texts. */
  static boolean is(String descr) {
    return descr.matches("[<>]U\\d+|[|<>=]S\\d+");
  }

  /**
   * Returns text number {@code index} as UTF-8, or its bytes; characters that do not exist become
   * U+FFFD.
   *
   * @param descr for which {@link #is} holds
   */
  static byte[] utf8(MemorySegment texts, String descr, long index) {
    int room = Integer.parseInt(descr.substring(2));
    if (descr.charAt(1) == 'S') {
      byte[] bytes = texts.asSlice(index * room, room).toArray(ValueLayout.JAVA_BYTE);
      int length = room;
      while (length > 0 && bytes[length - 1] == 0) {
        length--;
      }
      return Arrays.copyOf(bytes, length);
    }
    ValueLayout.OfInt unit =
        ValueLayout.JAVA_INT_UNALIGNED.withOrder(
            descr.charAt(0) == '>' ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    long start = 4 * index * room;
    int length = room;
    while (length > 0 && texts.get(unit, start + 4L * (length - 1)) == 0) {
      length--;
    }
    StringBuilder text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      int character = texts.get(unit, start + 4L * i);
      boolean exists =
          Character.isValidCodePoint(character)
              && Character.getType(character) != Character.SURROGATE;
      text.appendCodePoint(exists ? character : 0xFFFD);
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
