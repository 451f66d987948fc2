package dev.rowan.app.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * Lines over a common axis as SVG, each named where it ends. Colours are the page's: classes {@code
 * c0} to {@code c6}.
 *
 * @param title for those who cannot see it
 * @param axis what x is
 * @param mark how a place of x is written
 * @param lines those without points are not shown
 */
record LineChart(String title, String axis, DoubleFunction<String> mark, List<Line> lines) {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 260;
  private static final int LEFT = 48;
  private static final double LETTER = 6.2; // wide, about
  private static final int MOST_LETTERS = 40;
  private static final int TOP = 10;
  private static final int BOTTOM = 40;
  private static final int COLOURS = 7;
  private static final int NAME_HEIGHT = 14;
  private static final double ZERO = 1e-9; // beside 1

  /** A line: points in ascending order of x; those without a value are left out. */
  record Line(String name, List<Point> points) {
    /** Copies the points. */
    Line {
      points = points.stream().filter(point -> Double.isFinite(point.y())).toList();
    }
  }

  /** A place. */
  record Point(double x, double y) {}

  /** A scale with round marks. */
  private record Scale(double low, double high, double step) {
    /** Returns a scale over the values; three to seven marks, fewer for equal values. */
    static Scale over(double least, double most) {
      double largest = Math.max(Math.abs(least), Math.abs(most));
      if (largest < ZERO) {
        return new Scale(0, 1, 0.2);
      }
      boolean flat = most - least <= ZERO * largest; // equal but for rounding
      double range = flat ? largest : most - least;
      double step = Math.pow(10, Math.floor(Math.log10(range)));
      if (range / step < 2) {
        step /= 5;
      } else if (range / step < 6) {
        step /= 2;
      }
      double low = Math.floor(least / step + 1e-9) * step;
      double high = Math.ceil(most / step - 1e-9) * step;
      return new Scale(low, high > low ? high : low + step, step); // one value has a scale too
    }

    double share(double value) {
      return (value - low) / (high - low);
    }

    List<Double> marks() {
      List<Double> marks = new ArrayList<>();
      for (int i = 0; low + i * step <= high + step / 2; i++) {
        double mark = low + i * step;
        marks.add(Math.abs(mark) < step / 1e6 ? 0 : mark);
      }
      return marks;
    }

    String text(double mark) {
      int digits = Math.max(0, (int) -Math.floor(Math.log10(step) + 1e-9));
      return String.format(Locale.ROOT, "%." + digits + "f", mark);
    }
  }

  /** Returns the picture; nothing if there are no points. */
  String svg() {
    List<Point> all = lines.stream().flatMap(line -> line.points().stream()).toList();
    if (all.isEmpty()) {
      return "";
    }
    // values that are zero but for rounding do not make a scale of their own
    double least = all.stream().mapToDouble(Point::y).min().orElse(0);
    double most = all.stream().mapToDouble(Point::y).max().orElse(1);
    Scale y = Scale.over(least < 0 && -least < 0.01 * most ? 0 : least, most);
    Scale x = Scale.over(0, all.stream().mapToDouble(Point::x).max().orElse(1));
    double lastX = all.stream().mapToDouble(Point::x).max().orElse(1);
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">"
            .formatted(WIDTH, HEIGHT, title));
    for (double mark : y.marks()) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
              LEFT,
              WIDTH - right(),
              atY(y, mark),
              atY(y, mark),
              LEFT - 6,
              atY(y, mark) + 4,
              y.text(mark)));
    }
    for (double place : x.marks()) {
      if (place <= lastX * 1.0001) {
        svg.append(
            String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                atX(place, lastX),
                HEIGHT - BOTTOM + 16,
                mark.apply(place)));
      }
    }
    svg.append(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>"
            .formatted((LEFT + WIDTH - right()) / 2, HEIGHT - 6, axis));
    draw(svg, y, lastX);
    return svg.append("</svg>\n").toString();
  }

  private void draw(StringBuilder svg, Scale y, double lastX) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      List<Point> points = lines.get(i).points();
      if (points.isEmpty()) {
        continue;
      }
      order.add(i);
      svg.append("<polyline class=\"c").append(i % COLOURS).append("\" points=\"");
      for (Point point : points) {
        svg.append(
            String.format(Locale.ROOT, "%.1f,%.1f ", atX(point.x(), lastX), atY(y, point.y())));
      }
      svg.append("\"/>");
    }
    // names from the top down, none over another
    order.sort(Comparator.comparingDouble(i -> atY(y, end(i).y())));
    double free = TOP;
    for (int rank = 0; rank < order.size(); rank++) {
      int i = order.get(rank);
      double lowest = HEIGHT - BOTTOM - NAME_HEIGHT * (order.size() - 1.0 - rank) + 4;
      double at = Math.min(lowest, Math.max(free, atY(y, end(i).y()) + 4));
      free = at + NAME_HEIGHT;
      svg.append(
          String.format(
              Locale.ROOT,
              "<text class=\"c%d\" x=\"%.1f\" y=\"%.1f\">%s</text>",
              i % COLOURS,
              atX(end(i).x(), lastX) + 6,
              at,
              lines.get(i).name()));
    }
  }

  private Point end(int line) {
    return lines.get(line).points().getLast();
  }

  /** Returns the room for the names. */
  private int right() {
    int longest =
        lines.stream()
            .filter(line -> !line.points().isEmpty())
            .mapToInt(line -> line.name().length())
            .max()
            .orElse(0);
    return 16 + (int) (LETTER * Math.min(MOST_LETTERS, longest));
  }

  private double atX(double x, double lastX) {
    return LEFT + (WIDTH - LEFT - right()) * (lastX > 0 ? x / lastX : 0);
  }

  private static double atY(Scale scale, double y) {
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * scale.share(y);
  }
}
