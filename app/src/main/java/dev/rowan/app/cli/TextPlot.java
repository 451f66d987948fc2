package dev.rowan.app.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A map in characters. Few points get a mark each and their words beside it; many become braille
 * dots, eight to a character.
 */
final class TextPlot {
  /** Up to here each point has a mark. */
  static final int FEW = 150;

  private static final String MARKS = "●■▲◆+▼★×○□△◇";
  private static final int NONE = -1;
  private static final int LEAST_LINES = 10;
  private static final int MOST_LINES = 26;
  private static final int MOST_WORD = 16;

  // the bit of a braille dot by its column and line (Unicode, block U+2800)
  private static final int[][] DOTS = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};

  private final int columns;
  private final int lines;
  private final String[][] cells;
  private final int[][] tints;

  private TextPlot(int columns, int lines) {
    this.columns = columns;
    this.lines = lines;
    this.cells = new String[lines][columns];
    this.tints = new int[lines][columns];
    for (int l = 0; l < lines; l++) {
      Arrays.fill(cells[l], " ");
      Arrays.fill(tints[l], NONE);
    }
  }

  /**
   * A point.
   *
   * @param word what stands beside its mark; empty for nothing
   * @param group −1 for none
   */
  record Point(double x, double y, String word, int group) {}

  /** Returns the mark of a group. */
  static String mark(int group) {
    int at = group < 0 ? 0 : group % MARKS.length();
    return MARKS.substring(at, at + 1);
  }

  /**
   * Draws points, the most wanted first, and returns the lines.
   *
   * @param columns the width to fill
   */
  static List<String> of(List<Point> points, int columns, Ink ink) {
    double left = points.stream().mapToDouble(Point::x).min().orElse(0);
    double right = points.stream().mapToDouble(Point::x).max().orElse(0);
    double low = points.stream().mapToDouble(Point::y).min().orElse(0);
    double high = points.stream().mapToDouble(Point::y).max().orElse(0);
    double width = right - left;
    double height = high - low;
    // a character is about twice as high as wide
    double shape = width > 0 ? height / width : 1;
    int lines = Math.clamp(Math.round(columns * shape / 2), LEAST_LINES, MOST_LINES);
    TextPlot plot = new TextPlot(columns, lines);
    double scale = Math.min((2 * columns - 2) / width, (4 * lines - 2) / height);
    if (!Double.isFinite(scale)) {
      scale = 0; // all in one place
    }
    int[] dotX = new int[points.size()];
    int[] dotY = new int[points.size()];
    for (int i = 0; i < points.size(); i++) {
      Point p = points.get(i);
      dotX[i] = (int) Math.round(columns + (p.x() - (left + right) / 2) * scale);
      dotY[i] = (int) Math.round(2 * lines - (p.y() - (low + high) / 2) * scale);
      dotX[i] = Math.clamp(dotX[i], 0, 2 * columns - 1);
      dotY[i] = Math.clamp(dotY[i], 0, 4 * lines - 1);
    }
    if (points.size() <= FEW) {
      plot.marks(points, dotX, dotY);
    } else {
      plot.braille(dotX, dotY);
    }
    plot.words(points, dotX, dotY);
    return plot.painted(ink);
  }

  private void marks(List<Point> points, int[] dotX, int[] dotY) {
    for (int i = points.size() - 1; i >= 0; i--) {
      cells[dotY[i] / 4][dotX[i] / 2] = mark(points.get(i).group());
      tints[dotY[i] / 4][dotX[i] / 2] = points.get(i).group();
    }
  }

  private void braille(int[] dotX, int[] dotY) {
    int[][] bits = new int[lines][columns];
    for (int i = 0; i < dotX.length; i++) {
      bits[dotY[i] / 4][dotX[i] / 2] |= DOTS[dotX[i] % 2][dotY[i] % 4];
    }
    for (int l = 0; l < lines; l++) {
      for (int c = 0; c < columns; c++) {
        if (bits[l][c] != 0) {
          cells[l][c] = Character.toString(0x2800 + bits[l][c]);
        }
      }
    }
  }

  /** Words go beside their mark where nothing is; over braille dots they may go. */
  private void words(List<Point> points, int[] dotX, int[] dotY) {
    boolean over = points.size() > FEW;
    boolean[][] taken = new boolean[lines][columns];
    for (int i = 0; i < points.size(); i++) {
      String word = Visible.clipped(points.get(i).word(), MOST_WORD);
      int length = Visible.columns(word);
      if (length == 0) {
        continue;
      }
      int line = dotY[i] / 4;
      int at = dotX[i] / 2;
      int[] starts = {at + 1, at - length};
      for (int start : starts) {
        if (isFree(line, start, length, over, taken)) {
          put(line, start, word, taken);
          break;
        }
      }
    }
  }

  private boolean isFree(int line, int start, int length, boolean over, boolean[][] taken) {
    // one more column on either side, so that words do not run into one another
    for (int c = start - 1; c <= start + length; c++) {
      boolean inside = c >= start && c < start + length;
      if (c < 0 || c >= columns) {
        if (inside) {
          return false;
        }
      } else if (taken[line][c] || (inside && !over && !cells[line][c].equals(" "))) {
        return false;
      }
    }
    return true;
  }

  private void put(int line, int start, String word, boolean[][] taken) {
    int c = start;
    for (int point : word.codePoints().toArray()) {
      String letter = Character.toString(point);
      int wide = Visible.columns(letter);
      if (wide == 0) {
        cells[line][Math.max(start, c - 1)] += letter; // a mark joins its letter
        continue;
      }
      cells[line][c] = letter;
      tints[line][c] = NONE;
      for (int w = 1; w < wide; w++) {
        cells[line][c + w] = "";
      }
      for (int w = 0; w < wide; w++) {
        taken[line][c + w] = true;
      }
      c += wide;
    }
  }

  private List<String> painted(Ink ink) {
    List<String> all = new ArrayList<>();
    for (int l = 0; l < lines; l++) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < columns; c++) {
        line.append(tints[l][c] == NONE ? cells[l][c] : ink.tint(tints[l][c], cells[l][c]));
      }
      all.add(line.toString().stripTrailing());
    }
    return all;
  }
}
