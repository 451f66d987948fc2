package dev.rowan.app.cli;

import dev.rowan.app.cli.Ink.Style;
import java.util.ArrayList;
import java.util.List;

/** Rows of cells in aligned columns. */
final class Grid {
  private static final String GAP = "  ";

  /** Names of tensors come from files, and may have megabytes. */
  private static final int LONGEST = 1_000;

  private final List<List<Cell>> rows = new ArrayList<>();

  /**
   * One cell, with nothing in it that steers a terminal.
   *
   * @param text shown up to a bounded length
   * @param shade a number in [−1, 1] to colour the background by; NaN for none
   */
  record Cell(String text, Align align, Style style, double shade) {
    Cell {
      text = Visible.message(text);
      if (text.length() > LONGEST) {
        text = Visible.clipped(text, LONGEST);
      }
    }
  }

  /** Which side of its column a cell keeps to. */
  enum Align {
    LEFT,
    RIGHT
  }

  /** Returns a cell on the left. */
  static Cell left(String text, Style style) {
    return new Cell(text, Align.LEFT, style, Double.NaN);
  }

  /** Returns a cell on the right, as numbers want it. */
  static Cell right(String text, Style style) {
    return new Cell(text, Align.RIGHT, style, Double.NaN);
  }

  /** Returns a cell on the right whose background shows a number in [−1, 1]. */
  static Cell shaded(String text, double share) {
    return new Cell(text, Align.RIGHT, Style.PLAIN, share);
  }

  /** Adds a row. */
  Grid row(Cell... cells) {
    rows.add(List.of(cells));
    return this;
  }

  /** Adds a named value and what is to be said of it. */
  Grid entry(String name, String value, String remark) {
    return row(left(name, Style.FAINT), right(value, Style.PLAIN), left(remark, Style.FAINT));
  }

  /** Returns how many columns of the terminal the widest row takes. */
  int columns() {
    int total = 0;
    for (int width : widths()) {
      total += width + GAP.length();
    }
    return Math.max(0, total - GAP.length());
  }

  private int[] widths() {
    int[] widths = new int[rows.stream().mapToInt(List::size).max().orElse(0)];
    for (List<Cell> row : rows) {
      for (int c = 0; c < row.size(); c++) {
        widths[c] = Math.max(widths[c], Visible.columns(row.get(c).text()));
      }
    }
    return widths;
  }

  /** Returns one line a row, without trailing spaces. */
  List<String> lines(Ink ink) {
    int[] widths = widths();
    List<String> lines = new ArrayList<>();
    for (List<Cell> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < row.size(); c++) {
        Cell cell = row.get(c);
        String fill = " ".repeat(widths[c] - Visible.columns(cell.text()));
        boolean last = c == row.size() - 1;
        String padded =
            cell.align() == Align.RIGHT ? fill + cell.text() : cell.text() + (last ? "" : fill);
        line.append(c == 0 ? "" : GAP);
        line.append(
            Double.isNaN(cell.shade())
                ? ink.paint(cell.style(), padded)
                : ink.shade(cell.shade(), padded));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
