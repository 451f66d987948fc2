package dev.rowan.analysis.picture;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How wide text is, and what of it may be shown.
 *
 * <p>Widths are those of Helvetica, which Arial, Liberation Sans and Nimbus Sans share; painters
 * fit what they draw to them, so that no label overlaps another whatever fonts a viewer has.
 */
final class Lettering {
  private static final int MOST_COLUMNS = 28;
  private static final int MOST_MARKS = 3; // on one letter; more grow over the lines around
  private static final double BOLD = 1.08;

  // thousandths of the font size for U+0020 … U+007E, from Adobe's metrics of Helvetica
  private static final int[] WIDTHS = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, // space … /
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 … ?
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ … O
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P … _
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` … o
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584 // p … ~
  };

  private Lettering() {}

  /** Returns the width of text. */
  static double width(String text, double size, Scene.Weight weight) {
    double thousandths = text.codePoints().mapToDouble(Lettering::width).sum();
    return thousandths / 1000 * size * (weight == Scene.Weight.BOLD ? BOLD : 1);
  }

  /** Returns whether the width of text is known, not a guess. */
  static boolean isKnown(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  private static double width(int c) {
    if (c >= ' ' && c <= '~') {
      return WIDTHS[c - ' '];
    }
    return switch (Character.getType(c)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
      default -> isWide(c) ? 1050 : c < 0x0250 ? 600 : 680; // wide enough for most of a script
    };
  }

  private static boolean isWide(int c) {
    return c > 0xFFFF || (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xFFE6 && !rtl(c));
  }

  /** Arabic and Hebrew presentation forms lie among the wide characters. */
  private static boolean rtl(int c) {
    return c >= 0xFB1D && c <= 0xFEFC && (c <= 0xFDFF || c >= 0xFE70);
  }

  /**
   * Returns text as a label: characters that steer or that nobody sees are escaped, line ends too,
   * and long text is cut with an ellipsis.
   */
  static String label(String text) {
    StringBuilder shown = new StringBuilder();
    int columns = 0;
    int marks = 0;
    int[] points = text.codePoints().toArray();
    for (int i = 0; i < points.length; i++) {
      String piece = piece(points, i);
      int wide = piece.codePoints().map(c -> width(c) == 0 ? 0 : isWide(c) ? 2 : 1).sum();
      if (columns + wide > MOST_COLUMNS) {
        return shown.append('…').toString();
      }
      marks = wide == 0 ? marks + 1 : 0;
      if (marks > MOST_MARKS) {
        continue;
      }
      shown.append(piece);
      columns += wide;
    }
    return shown.isEmpty() ? "(empty)" : shown.toString();
  }

  /** Returns a paragraph's text: as a label, but of any length. */
  static String prose(String text) {
    StringBuilder shown = new StringBuilder();
    int[] points = text.codePoints().toArray();
    for (int i = 0; i < points.length; i++) {
      shown.append(piece(points, i));
    }
    return shown.toString();
  }

  private static String piece(int[] points, int i) {
    int c = points[i];
    return switch (c) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default ->
          switch (Character.getType(c)) {
            case Character.CONTROL,
                Character.UNASSIGNED,
                Character.SURROGATE,
                Character.PRIVATE_USE,
                Character.LINE_SEPARATOR,
                Character.PARAGRAPH_SEPARATOR ->
                escaped(c);
            case Character.FORMAT -> joins(points, i) ? Character.toString(c) : escaped(c);
            case Character.SPACE_SEPARATOR -> c == ' ' ? " " : escaped(c);
            default -> Character.toString(c);
          };
    };
  }

  /** The two joiners are part of Persian, Indic and emoji spelling, inside a word only. */
  private static boolean joins(int[] points, int i) {
    boolean joiner = points[i] == 0x200C || points[i] == 0x200D;
    return joiner && i > 0 && i + 1 < points.length && points[i - 1] > 0x7F && points[i + 1] > 0x7F;
  }

  private static String escaped(int c) {
    return String.format(Locale.ROOT, "\\u{%x}", c);
  }

  /** Breaks a paragraph between words; a word that is wider than the line stands alone. */
  static List<String> wrap(String text, double size, double width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : prose(text).split(" ", -1)) {
      String longer = line.isEmpty() ? word : line + " " + word;
      if (!line.isEmpty() && width(longer, size, Scene.Weight.NORMAL) > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    if (!line.isEmpty()) {
      lines.add(line.toString());
    }
    return lines;
  }
}
