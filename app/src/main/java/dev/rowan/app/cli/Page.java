package dev.rowan.app.cli;

import dev.rowan.app.answers.Shown;
import dev.rowan.app.cli.Ink.Style;

/** The text of an answer, put together for the terminal it goes to. */
final class Page {
  private static final int INDENT = 2;

  private final StringBuilder text = new StringBuilder();
  private final Ink ink;
  private final int columns;

  /**
   * Makes an empty page.
   *
   * @param columns the width of the terminal
   */
  Page(Ink ink, int columns) {
    this.ink = ink;
    this.columns = columns;
  }

  /** Returns the width to fill. */
  int columns() {
    return columns;
  }

  /** Returns text in a style. */
  String paint(Style style, String part) {
    return ink.paint(style, part);
  }

  /** Adds a line. */
  Page line(String line) {
    text.append(Shown.lines(line)).append('\n');
    return this;
  }

  /** Adds an empty line. */
  Page gap() {
    return line("");
  }

  /** Adds an empty line between parts, none before the first. */
  Page part() {
    return text.isEmpty() ? this : gap();
  }

  /** Adds a heading. */
  Page heading(String heading) {
    return line(ink.paint(Style.HEADING, heading));
  }

  /** Adds a remark, wrapped between words to the width of the page. */
  Page note(String note) {
    return wrap(note, Style.FAINT);
  }

  /** Adds running text, wrapped between words to the width of the page. */
  Page prose(String prose) {
    return wrap(prose, Style.PLAIN);
  }

  private Page wrap(String words, Style style) {
    int width = Math.max(20, Math.min(columns, 100) - INDENT);
    StringBuilder line = new StringBuilder();
    for (String word : Visible.message(words).split(" ", -1)) {
      if (!line.isEmpty() && Visible.columns(line + " " + word) > width) {
        indented(line.toString(), style);
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    return indented(line.toString(), style);
  }

  private Page indented(String line, Style style) {
    return line(" ".repeat(INDENT) + ink.paint(style, line));
  }

  /** Adds aligned rows. */
  Page grid(Grid grid) {
    for (String line : grid.lines(ink)) {
      line(" ".repeat(INDENT) + line);
    }
    return this;
  }

  /** Returns the columns that remain beside a grid of the given width. */
  int room(int gridColumns) {
    return columns - INDENT - gridColumns;
  }

  /** Returns what was written so far and begins anew. */
  String take() {
    String taken = text.toString();
    text.setLength(0);
    return taken;
  }
}
