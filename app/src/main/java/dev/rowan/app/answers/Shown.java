package dev.rowan.app.answers;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text from users and files as a message may show it: nothing in it that could steer a terminal.
 */
public final class Shown {
  /** Colours, which pass, and whatever else a terminal may obey; line feeds are no part of it. */
  private static final Pattern STEERING =
      Pattern.compile("\u001b\\[[0-9;]{1,16}m|[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}&&[^\n]]");

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

  /**
   * Returns lines of an answer with nothing in them that steers a terminal but the colours it was
   * given: whatever a file may have smuggled into them is escaped.
   */
  public static String lines(String text) {
    Matcher steering = STEERING.matcher(text);
    return steering.find()
        ? steering.replaceAll(found ->
            found.group().startsWith("\u001b[")
                ? Matcher.quoteReplacement(found.group())
                : Matcher.quoteReplacement(message(found.group())))
        : text;
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
