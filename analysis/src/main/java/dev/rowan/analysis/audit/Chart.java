package dev.rowan.analysis.audit;

import java.util.Locale;

/** A frame with axes for a chart, as SVG. */
final class Chart {
  static final int WIDTH = 900;
  static final int HEIGHT = 300;
  private static final int LEFT = 62;
  private static final int RIGHT = 28; // half of the widest number under the axis
  private static final int TOP = 12;
  private static final int BOTTOM = 30;
  private static final int TICKS = 5;

  private final double fromX;
  private final double toX;
  private final double fromY;
  private final double toY;
  private final StringBuilder body = new StringBuilder();

  /** Makes an empty frame for numbers in two ranges. */
  Chart(double fromX, double toX, double fromY, double toY) {
    this.fromX = fromX;
    this.toX = toX > fromX ? toX : fromX + 1;
    this.fromY = fromY;
    this.toY = toY > fromY ? toY : fromY + 1;
  }

  double x(double value) {
    return LEFT + (value - fromX) / (toX - fromX) * (WIDTH - LEFT - RIGHT);
  }

  double y(double value) {
    return HEIGHT - BOTTOM - (value - fromY) / (toY - fromY) * (HEIGHT - TOP - BOTTOM);
  }

  /** Adds an element. */
  void add(String element) {
    body.append(element);
  }

  /** Adds a dashed line across. */
  void markY(double value) {
    if (value >= fromY && value <= toY) {
      add(
          String.format(
              Locale.ROOT,
              "<line class=\"mark\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>",
              LEFT,
              WIDTH - RIGHT,
              y(value),
              y(value)));
    }
  }

  /** Adds a dashed line upwards. */
  void markX(double value) {
    if (value >= fromX && value <= toX) {
      add(
          String.format(
              Locale.ROOT,
              "<line class=\"mark\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>",
              x(value),
              x(value),
              TOP,
              HEIGHT - BOTTOM));
    }
  }

  /** Returns the picture. */
  String svg(String label) {
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">"
            .formatted(WIDTH, HEIGHT, HtmlReport.escaped(label)));
    double stepY = step(toY - fromY);
    for (double v = Math.ceil(fromY / stepY) * stepY; v <= toY + stepY * 1e-9; v += stepY) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
              LEFT,
              WIDTH - RIGHT,
              y(v),
              y(v),
              LEFT - 8,
              y(v) + 4,
              text(v, stepY)));
    }
    double stepX = step(toX - fromX);
    for (double v = Math.ceil(fromX / stepX) * stepX; v <= toX + stepX * 1e-9; v += stepX) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
              x(v),
              HEIGHT - 9,
              text(v, stepX)));
    }
    return svg.append(body).append("</svg>").toString();
  }

  /** Returns 1, 2 or 5 times a power of ten, for about five ticks. */
  private static double step(double span) {
    double raw = span / TICKS;
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    double digit = raw / power;
    return (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10) * power;
  }

  private static String text(double value, double step) {
    int digits = (int) Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    double shown = Math.abs(value) < step * 1e-6 ? 0 : value;
    return String.format(Locale.ROOT, "%,." + Math.min(digits, 12) + "f", shown);
  }
}
