package dev.rowan.app.cli;

import java.util.Locale;

/** Colours, on a terminal that wants them; plain text elsewhere. */
enum Ink {
  /** Escape sequences of ECMA-48 with the 256-colour extension. */
  COLOUR,
  /** No escape sequences. */
  PLAIN;

  /** What a piece of text is, which decides how it looks. */
  enum Style {
    PLAIN(""),
    HEADING("1"),
    TOKEN("1"),
    FAINT("2"),
    BAR("38;5;73"),
    BASELINE("38;5;179"),
    GOOD("32"),
    BAD("31");

    private final String code;

    Style(String code) {
      this.code = code;
    }
  }

  private static final String RESET = "\u001b[0m";

  // the 256-colour cube's nearest to the colours that pictures use for groups
  private static final int[] TINTS = {32, 166, 36, 175, 214, 74, 245, 142};

  // From blue over grey to red: the 256-colour cube's 16 + 36 r + 6 g + b, each in 0..5, dark
  // enough for white text; shades[4] stands for zero.
  private static final int[] SHADES = {21, 26, 25, 24, 236, 52, 88, 124, 160};

  /** Returns text in a style. */
  String paint(Style style, String text) {
    if (this == PLAIN || style == Style.PLAIN || text.isEmpty()) {
      return text;
    }
    return "\u001b[" + style.code + "m" + text + RESET;
  }

  /**
   * Returns text on a background that shows a number: blue below zero, red above.
   *
   * @param share the number over the largest magnitude on the page, in [−1, 1]
   */
  String shade(double share, String text) {
    if (this == PLAIN || Double.isNaN(share)) {
      return text;
    }
    int level = (int) Math.round(Math.clamp(share, -1, 1) * 4) + 4;
    return String.format(Locale.ROOT, "\u001b[97;48;5;%dm%s%s", SHADES[level], text, RESET);
  }

  /** Returns text in the colour of a group, 0 or more. */
  String tint(int group, String text) {
    return this == PLAIN
        ? text
        : String.format(
            Locale.ROOT, "\u001b[38;5;%dm%s%s", TINTS[group % TINTS.length], text, RESET);
  }
}
