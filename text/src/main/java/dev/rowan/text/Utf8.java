package dev.rowan.text;

import java.nio.charset.StandardCharsets;

/** UTF-8 of single code points of 0x80 and more, without a buffer. */
final class Utf8 {
  private Utf8() {}

  /** Returns the shift of a code point's first byte; the others follow in steps of 6 down to 0. */
  static int firstShift(int codePoint) {
    if (codePoint < 0x80) {
      return 0;
    }
    if (codePoint < 0x800) {
      return 6;
    }
    return codePoint < 0x10000 ? 12 : 18;
  }

  /** Returns the byte of a code point at a shift. */
  static int octet(int codePoint, int shift) {
    int first = firstShift(codePoint);
    if (shift < first) {
      return 0x80 | ((codePoint >>> shift) & 0x3F);
    }
    // the first byte marks the length: 110xxxxx, 1110xxxx, 11110xxx
    return switch (first) {
      case 0 -> codePoint;
      case 6 -> 0xC0 | (codePoint >>> 6);
      case 12 -> 0xE0 | (codePoint >>> 12);
      default -> 0xF0 | (codePoint >>> 18);
    };
  }

  /** Writes a code point to a buffer and returns where it ends. */
  static int put(int codePoint, byte[] buffer, int at) {
    int end = at;
    for (int shift = firstShift(codePoint); shift >= 0; shift -= 6) {
      buffer[end++] = (byte) octet(codePoint, shift);
    }
    return end;
  }

  /** Returns how many bytes the code point has whose first byte is given. */
  static int length(byte first) {
    int b = first & 0xFF;
    if (b < 0xC0) {
      return 1;
    }
    if (b < 0xE0) {
      return 2;
    }
    return b < 0xF0 ? 3 : 4;
  }

  /** Returns the UTF-8 of a stretch of well-formed UTF-16. */
  static byte[] bytes(char[] text, int from, int to) {
    return new String(text, from, to - from).getBytes(StandardCharsets.UTF_8);
  }
}
