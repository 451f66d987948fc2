package dev.rowan.app.cli;

/** A bar of block characters. */
final class Bar {
  private static final String EIGHTHS = " ▏▎▍▌▋▊▉";

  private Bar() {}

  /**
   * Returns a bar, to an eighth of a column.
   *
   * @param share the length in [0, 1]; less, or NaN, is an empty bar
   * @param columns the length of a full bar
   */
  static String of(double share, int columns) {
    if (!(share > 0)) {
      return "";
    }
    int eighths = (int) Math.round(Math.min(1, share) * columns * 8);
    String rest = eighths % 8 == 0 ? "" : String.valueOf(EIGHTHS.charAt(eighths % 8));
    return "█".repeat(eighths / 8) + rest;
  }
}
