package dev.rowan.analysis.picture;

import java.util.Locale;

/** Writes a scene as SVG 1.1. */
final class SvgPainter {
  private static final String FONTS =
      "Helvetica Neue, Helvetica, Arial, Liberation Sans, Nimbus Sans, DejaVu Sans Condensed,"
          + " sans-serif";

  private final Scene scene;
  private final StringBuilder svg = new StringBuilder(1 << 16);

  SvgPainter(Scene scene) {
    this.scene = scene;
  }

  String document() {
    String w = number(scene.width());
    String h = number(scene.height());
    svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"").append(w);
    svg.append("\" height=\"").append(h).append("\" viewBox=\"0 0 ").append(w).append(' ');
    svg.append(h).append("\" role=\"img\" font-family=\"").append(FONTS).append("\">\n");
    svg.append("<title>").append(escaped(scene.title())).append("</title>\n");
    svg.append("<desc>").append(escaped(scene.description())).append("</desc>\n");
    for (Scene.Mark mark : scene.marks()) {
      switch (mark) {
        case Scene.Plate plate -> plate(plate);
        case Scene.Line line -> line(line);
        case Scene.Symbol symbol -> symbol(symbol);
        case Scene.Cloud cloud -> cloud(cloud);
        case Scene.Words words -> words(words);
        case Scene.Upright words -> upright(words);
      }
    }
    return svg.append("</svg>\n").toString();
  }

  private void plate(Scene.Plate plate) {
    Box box = plate.box();
    svg.append("<rect x=\"").append(number(box.left())).append("\" y=\"");
    svg.append(number(box.top())).append("\" width=\"").append(number(box.width()));
    svg.append("\" height=\"").append(number(box.height())).append('"');
    if (plate.corner() > 0) {
      svg.append(" rx=\"").append(number(plate.corner())).append('"');
    }
    fill(plate.colour());
    if (plate.opacity() < 1) {
      svg.append(" fill-opacity=\"").append(number(plate.opacity())).append('"');
    }
    svg.append("/>\n");
  }

  private void line(Scene.Line line) {
    svg.append("<line x1=\"").append(number(line.x1())).append("\" y1=\"");
    svg.append(number(line.y1())).append("\" x2=\"").append(number(line.x2()));
    svg.append("\" y2=\"").append(number(line.y2())).append("\" stroke=\"");
    svg.append(colour(line.colour())).append("\" stroke-width=\"");
    svg.append(number(line.thickness())).append("\"/>\n");
  }

  private void symbol(Scene.Symbol symbol) {
    Shape shape = symbol.shape();
    double r = symbol.radius();
    if (shape.corners() == 0) {
      svg.append("<circle cx=\"").append(number(symbol.x())).append("\" cy=\"");
      svg.append(number(symbol.y())).append("\" r=\"").append(number(r)).append('"');
    } else {
      svg.append("<path d=\"");
      for (int i = 0; i < shape.corners(); i++) {
        svg.append(i == 0 ? 'M' : 'L').append(number(symbol.x() + r * shape.x(i)));
        svg.append(' ').append(number(symbol.y() + r * shape.y(i)));
      }
      svg.append("Z\"");
    }
    fill(symbol.colour());
    svg.append(" stroke=\"#fff\" stroke-width=\"").append(number(edge(r))).append("\"/>\n");
  }

  /** Returns the thickness of the light edge of a symbol. */
  static double edge(double radius) {
    return Math.clamp(radius * 0.18, 0.3, 0.9);
  }

  /**
   * Zero-length strokes with round ends, some thousands a path: a tenth of the bytes of circles. A
   * path is painted as a whole, so its dots do not add up where they overlap; those of different
   * paths do, and the composer deals the points out to several.
   */
  private void cloud(Scene.Cloud cloud) {
    svg.append("<path fill=\"none\" stroke-linecap=\"round\" stroke=\"");
    svg.append(colour(cloud.colour())).append("\" stroke-width=\"");
    svg.append(number(2 * cloud.radius())).append("\" stroke-opacity=\"");
    svg.append(number(cloud.opacity())).append("\" d=\"");
    for (int i = 0; i < cloud.x().length; i++) {
      svg.append('M');
      tenths(cloud.x()[i]);
      svg.append(' ');
      tenths(cloud.y()[i]);
      svg.append("h0");
    }
    svg.append("\"/>\n");
  }

  private void tenths(double value) {
    long tenths = Math.round(value * 10);
    svg.append(tenths / 10);
    if (tenths % 10 != 0) {
      svg.append('.').append(Math.abs(tenths % 10));
    }
  }

  private void words(Scene.Words words) {
    svg.append("<text x=\"").append(number(words.x())).append("\" y=\"");
    svg.append(number(words.y())).append("\" font-size=\"").append(number(words.size()));
    svg.append('"');
    if (words.weight() == Scene.Weight.BOLD) {
      svg.append(" font-weight=\"bold\"");
    }
    switch (words.anchor()) {
      case START -> {}
      case MIDDLE -> svg.append(" text-anchor=\"middle\"");
      case END -> svg.append(" text-anchor=\"end\"");
    }
    if (words.width() > 0 && Lettering.isKnown(words.text())) {
      svg.append(" textLength=\"").append(number(words.width()));
      svg.append("\" lengthAdjust=\"spacingAndGlyphs\"");
    }
    fill(words.colour());
    svg.append('>').append(escaped(words.text())).append("</text>\n");
  }

  private void upright(Scene.Upright words) {
    svg.append("<text transform=\"translate(").append(number(words.x())).append(' ');
    svg.append(number(words.y())).append(") rotate(-90)\" text-anchor=\"middle\" font-size=\"");
    svg.append(number(words.size())).append('"');
    fill(words.colour());
    svg.append('>').append(escaped(words.text())).append("</text>\n");
  }

  private void fill(int colour) {
    svg.append(" fill=\"").append(colour(colour)).append('"');
  }

  private static String colour(int rgb) {
    return String.format(Locale.ROOT, "#%06x", rgb);
  }

  private static String number(double value) {
    long hundredths = Math.round(value * 100);
    if (hundredths % 100 == 0) {
      return Long.toString(hundredths / 100);
    }
    String text = String.format(Locale.ROOT, "%.2f", hundredths / 100.0);
    return text.endsWith("0") ? text.substring(0, text.length() - 1) : text;
  }

  /** Escapes what XML gives a meaning, and drops what XML 1.0 cannot hold at all. */
  private static String escaped(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints()
        .forEach(c -> {
          switch (c) {
            case '&' -> out.append("&amp;");
            case '<' -> out.append("&lt;");
            case '>' -> out.append("&gt;");
            case '"' -> out.append("&quot;");
            default -> {
              boolean held =
                  c == '\t'
                      || c == '\n'
                      || c == '\r'
                      || (c >= ' ' && c <= 0xD7FF)
                      || (c >= 0xE000 && c <= 0xFFFD)
                      || c >= 0x10000;
              out.appendCodePoint(held ? c : 0xFFFD);
            }
          }
        });
    return out.toString();
  }
}
