package dev.rowan.analysis.picture;

import dev.rowan.analysis.picture.Scene.Anchor;
import dev.rowan.analysis.picture.Scene.Mark;
import dev.rowan.analysis.picture.Scene.Weight;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/** What symbols and colours stand for: a row of groups, or a bar of shades. */
final class Legend {
  private static final double TEXT = 13;
  private static final double ROW = 21;
  private static final double MARK = 5;
  private static final double GAP = 20;
  private static final int MOST_ROWS = 6;

  private final PicturePoints points;
  private final List<Mark> marks;
  private final double left;
  private final double width;

  Legend(PicturePoints points, List<Mark> marks, double left, double width) {
    this.points = points;
    this.marks = marks;
    this.left = left;
    this.width = width;
  }

  /** Draws the legend from a height on and returns where it ends; empty if there is nothing. */
  OptionalDouble at(double top) {
    if (points.isGrouped()) {
      return OptionalDouble.of(groups(top));
    }
    return points.shades().length > 0 && points.size() > 0
        ? OptionalDouble.of(shades(top))
        : OptionalDouble.empty();
  }

  private double groups(double top) {
    double x = left + MARK;
    double y = top + 10;
    int row = 1;
    boolean some = Arrays.stream(points.groups()).anyMatch(group -> group < 0);
    int groups = points.groupNames().size();
    for (int g = 0; g < groups + (some ? 1 : 0); g++) {
      int group = g < groups ? g : -1;
      String name = group < 0 ? "no group" : Lettering.label(points.groupNames().get(group));
      double length = Lettering.width(name, TEXT, Weight.NORMAL);
      if (x + MARK + 7 + length > left + width && x > left + MARK) {
        if (++row > MOST_ROWS) {
          words("and %,d more groups".formatted(groups - g), left, y + ROW, Palette.QUIET);
          return y + ROW + 16;
        }
        x = left + MARK;
        y += ROW;
      }
      marks.add(new Scene.Symbol(Palette.shape(group), x, y - 4.5, MARK, Palette.group(group)));
      words(name, x + MARK + 7, y, Palette.INK);
      x += MARK + 7 + length + GAP;
    }
    if (groups > Palette.distinct()) {
      y += ROW;
      words(
          "%,d groups share %d combinations of colour and shape"
              .formatted(groups, Palette.distinct()),
          left,
          y,
          Palette.QUIET);
    }
    return y + 16;
  }

  private double shades(double top) {
    double y = top + 10;
    String from = "Colour: share of a point's true neighbours that are near it on the map   0 %";
    words(from, left, y, Palette.INK);
    double x = left + Lettering.width(from, TEXT, Weight.NORMAL) + 8;
    for (int s = 0; s < Palette.shades(); s++) {
      Box box = new Box(x, y - 10, x + 22, y + 1);
      marks.add(new Scene.Plate(box, Palette.shade(s), 1, 0));
      x += 22;
    }
    words("100 %", x + 8, y, Palette.INK);
    if (Arrays.stream(points.shades()).anyMatch(Double::isNaN)) {
      double after = x + 8 + Lettering.width("100 %", TEXT, Weight.NORMAL) + GAP;
      marks.add(new Scene.Symbol(Shape.CIRCLE, after, y - 4.5, MARK, Palette.shade(-1)));
      words("not measured", after + MARK + 7, y, Palette.INK);
    }
    return y + 16;
  }

  private void words(String text, double x, double y, int colour) {
    double length = Lettering.width(text, TEXT, Weight.NORMAL);
    marks.add(new Scene.Words(text, x, y, TEXT, Weight.NORMAL, Anchor.START, colour, length));
  }
}
