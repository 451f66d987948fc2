package dev.rowan.formats.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The string last read, as UTF-8. It is left in the window where that holds it whole and without
 * escapes, and gathered otherwise; either way it lasts until the next read.
 */
final class JsonText {
  private static final int REPLACEMENT = 0xFFFD;

  private final JsonBytes in;
  private byte[] gathered = new byte[64];
  private byte[] holder = gathered;
  private int from;
  private int to;

  JsonText(JsonBytes in) {
    this.in = in;
  }

  /** Reads a string whose opening quote has been passed. */
  void read() {
    byte[] window = in.window;
    int begin = in.at;
    int end = begin;
    while (end < in.limit && window[end] != '"' && window[end] != '\\') {
      if (window[end] >= 0 && window[end] < ' ') {
        in.at = end;
        throw in.unexpected("a character of a string");
      }
      end++;
    }
    in.at = end;
    if (end < in.limit && window[end] == '"') {
      in.at++;
      holder = window;
      from = begin;
      to = end;
    } else {
      gather(begin);
    }
  }

  /** Passes a string whose opening quote has been passed. */
  void skip() {
    while (true) {
      int b = in.take();
      if (b == '"') {
        return;
      }
      if (b == '\\') {
        in.take();
      }
    }
  }

  private void gather(int begin) {
    holder = gathered;
    from = 0;
    to = 0;
    for (int i = begin; i < in.at; i++) {
      append(in.window[i]);
    }
    int high = -1; // the first half of a pair of escapes, waiting for its second
    while (true) {
      int b = in.take();
      int unit = b == '\\' ? escape() : -1;
      if (high >= 0 && unit >= 0 && Character.isLowSurrogate((char) unit)) {
        appendCodePoint(Character.toCodePoint((char) high, (char) unit));
        high = -1;
        continue;
      }
      if (high >= 0) {
        appendCodePoint(REPLACEMENT);
        high = -1;
      }
      if (unit >= 0) {
        if (Character.isHighSurrogate((char) unit)) {
          high = unit;
        } else {
          appendCodePoint(Character.isLowSurrogate((char) unit) ? REPLACEMENT : unit);
        }
      } else if (b == '"') {
        return;
      } else if (b < ' ') {
        in.at--;
        throw in.unexpected("a character of a string");
      } else {
        append((byte) b);
      }
    }
  }

  /** Reads what follows a backslash and returns the UTF-16 unit it stands for. */
  private int escape() {
    int b = in.take();
    return switch (b) {
      case '"', '\\', '/' -> b;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
          int digit = Character.digit(in.take(), 16);
          if (digit < 0) {
            in.at--;
            throw in.unexpected("a hexadecimal digit");
          }
          unit = unit << 4 | digit;
        }
        yield unit;
      }
      default -> {
        in.at--;
        throw in.unexpected("an escape");
      }
    };
  }

  private void appendCodePoint(int codePoint) {
    if (codePoint < 0x80) {
      append((byte) codePoint);
    } else {
      for (byte b : Character.toString(codePoint).getBytes(StandardCharsets.UTF_8)) {
        append(b);
      }
    }
  }

  private void append(byte b) {
    if (to == gathered.length) {
      gathered = Arrays.copyOf(gathered, 2 * to); // bounded by the text: each byte was read
      holder = gathered;
    }
    gathered[to++] = b;
  }

  /** Returns the bytes. */
  byte[] bytes() {
    return Arrays.copyOfRange(holder, from, to);
  }

  /**
   * Returns the text.
   *
   * @throws dev.rowan.formats.file.FormatException if the bytes are not UTF-8
   */
  String text() {
    String text = new String(holder, from, to - from, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0
        && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes())) {
      throw in.wrong("is not valid JSON: a string holds bytes that are not UTF-8");
    }
    return text;
  }
}
