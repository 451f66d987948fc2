package dev.rowan.formats.numpy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reads arrays of texts, {@code <U12} or {@code >U12}: each text has room for the longest, four
 * bytes a character, filled up with zeros.
 */
final class NpyTexts {
  private NpyTexts() {}

  /** Returns whether a description is that of texts. */
  static boolean is(String descr) {
    return descr.matches("[<>]U\\d+");
  }

  /**
   * Returns text number {@code index} as UTF-8; characters that do not exist become U+FFFD.
   *
   * @param descr for which {@link #is} holds
   */
  static byte[] utf8(MemorySegment texts, String descr, long index) {
    int room = Integer.parseInt(descr.substring(2));
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
