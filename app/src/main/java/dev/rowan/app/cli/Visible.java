package dev.rowan.app.cli;

import dev.rowan.app.answers.Shown;

/** Text as a terminal may show it: spaces seen, nothing that could steer the terminal. */
final class Visible {
  private Visible() {}

  /**
   * Returns a token with its spaces as {@code ␣}, and control, format and unassigned characters
   * escaped: {@code " cat"} becomes {@code ␣cat}, a line feed {@code \n}.
   */
  static String token(String text) {
    return Shown.token(text);
  }

  /** Returns what a user typed, quoted for a message. */
  static String quoted(String text) {
    return Shown.quoted(text);
  }

  /** Returns a message whose names come from files: spaces kept, nothing that steers a terminal. */
  static String message(String text) {
    return Shown.message(text);
  }

  /** Returns how many columns text takes: marks none, East Asian wide characters two. */
  static int columns(String text) {
    return text.codePoints().map(Visible::columns).sum();
  }

  // Ranges of Unicode's East_Asian_Width W and F that vocabularies hold
  private static int columns(int c) {
    int type = Character.getType(c);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    boolean wide =
        (c >= 0x1100 && c <= 0x115F)
            || (c >= 0x2E80 && c <= 0xA4CF && c != 0x303F)
            || (c >= 0xAC00 && c <= 0xD7A3)
            || (c >= 0xF900 && c <= 0xFAFF)
            || (c >= 0xFE30 && c <= 0xFE6F)
            || (c >= 0xFF00 && c <= 0xFF60)
            || (c >= 0xFFE0 && c <= 0xFFE6)
            || (c >= 0x1F300 && c <= 0x1FAFF)
            || (c >= 0x20000 && c <= 0x3FFFD);
    return wide ? 2 : 1;
  }

  /** Returns text cut to a number of columns, the cut marked by {@code …}. */
  static String clipped(String text, int columns) {
    if (columns(text) <= columns) {
      return text;
    }
    StringBuilder kept = new StringBuilder();
    int used = 0;
    for (int c : text.codePoints().toArray()) {
      used += columns(c);
      if (used > columns - 1) {
        break;
      }
      kept.appendCodePoint(c);
    }
    return kept.append('…').toString();
  }
}
