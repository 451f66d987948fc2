package dev.rowan.app.answers;

import java.util.Locale;

/**
 * Text from users and files as a message may show it: nothing in it that could steer a terminal.
 */
public final class Shown {
  private Shown() {}

  /**
   * Returns a token with its spaces as {@code ␣}, and control, format and unassigned characters
   * escaped: {@code " cat"} becomes {@code ␣cat}, a line feed {@code \n}.
   */
  public static String token(String text) {
    StringBuilder shown = new StringBuilder(text.length() + 1);
    text.codePoints().forEach(c -> append(shown, c, "␣"));
    return shown.isEmpty() ? "(empty)" : shown.toString();
  }

  /** Returns what a user typed, quoted for a message. */
  public static String quoted(String text) {
    StringBuilder shown = new StringBuilder("\"");
    text.codePoints().forEach(c -> append(shown, c, " "));
    return shown.append('"').toString();
  }

  /** Returns a message whose names come from files: spaces kept, nothing that steers a terminal. */
  public static String message(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints().forEach(c -> append(shown, c, " "));
    return shown.toString();
  }

  private static void append(StringBuilder shown, int c, String space) {
    switch (c) {
      case ' ' -> shown.append(space);
      case '\n' -> shown.append("\\n");
      case '\r' -> shown.append("\\r");
      case '\t' -> shown.append("\\t");
      default -> {
        switch (Character.getType(c)) {
          case Character.CONTROL,
              Character.FORMAT,
              Character.UNASSIGNED,
              Character.SURROGATE,
              Character.PRIVATE_USE,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR,
              Character.SPACE_SEPARATOR ->
              shown.append(String.format(Locale.ROOT, "\\u{%x}", c));
          default -> shown.appendCodePoint(c);
        }
      }
    }
  }
}
