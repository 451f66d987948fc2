package dev.rowan.analysis.picture;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.GraphicsEnvironment;
import java.awt.RenderingHints;
import java.awt.font.TextLayout;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.RoundRectangle2D;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Paints a scene into an image. Needs no display. */
final class PngPainter {
  // in order of likeness to the metrics that labels were laid out with
  private static final List<String> FONTS =
      List.of(
          "Liberation Sans",
          "Arial",
          "Helvetica",
          "Nimbus Sans",
          "Noto Sans",
          "DejaVu Sans Condensed",
          "DejaVu Sans");

  private final Scene scene;
  private final double scale;
  private final BufferedImage image;
  private final Graphics2D graphics;
  private final String family;

  PngPainter(Scene scene, double scale) {
    this.scene = scene;
    this.scale = scale;
    this.family = family();
    this.image =
        new BufferedImage(
            (int) Math.ceil(scene.width() * scale),
            (int) Math.ceil(scene.height() * scale),
            BufferedImage.TYPE_INT_RGB);
    this.graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    graphics.setRenderingHint(
        RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
    graphics.scale(scale, scale);
  }

  private static String family() {
    Set<String> there;
    try {
      there =
          Set.of(GraphicsEnvironment.getLocalGraphicsEnvironment().getAvailableFontFamilyNames());
    } catch (RuntimeException | Error e) {
      // without fontconfig or freetype the JDK fails here in several ways, none of them documented
      throw new UnsupportedOperationException(
          "this machine has no fonts that Java can draw with, which a PNG needs; write an SVG, or"
              + " install fontconfig and a font",
          e);
    }
    return FONTS.stream().filter(there::contains).findFirst().orElse(Font.SANS_SERIF);
  }

  byte[] file() throws IOException {
    graphics.setColor(new Color(Palette.PAPER));
    graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
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
    graphics.dispose();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
      if (!ImageIO.write(image, "png", out)) {
        throw new IOException("this JDK cannot write PNG; write an SVG");
      }
    }
    return bytes.toByteArray();
  }

  private void plate(Scene.Plate plate) {
    Box box = plate.box();
    int alpha = (int) Math.round(plate.opacity() * 255);
    graphics.setColor(new Color((alpha << 24) | plate.colour(), true));
    double round = 2 * plate.corner();
    graphics.fill(
        new RoundRectangle2D.Double(
            box.left(), box.top(), box.width(), box.height(), round, round));
  }

  private void line(Scene.Line line) {
    graphics.setColor(new Color(line.colour()));
    graphics.setStroke(new BasicStroke((float) line.thickness()));
    graphics.draw(new Line2D.Double(line.x1(), line.y1(), line.x2(), line.y2()));
  }

  private void symbol(Scene.Symbol symbol) {
    java.awt.Shape outline = outline(symbol);
    graphics.setColor(new Color(symbol.colour()));
    graphics.fill(outline);
    graphics.setColor(Color.WHITE);
    graphics.setStroke(new BasicStroke((float) SvgPainter.edge(symbol.radius())));
    graphics.draw(outline);
  }

  private static java.awt.Shape outline(Scene.Symbol symbol) {
    double r = symbol.radius();
    Shape shape = symbol.shape();
    if (shape.corners() == 0) {
      return new Ellipse2D.Double(symbol.x() - r, symbol.y() - r, 2 * r, 2 * r);
    }
    Path2D path = new Path2D.Double();
    for (int i = 0; i < shape.corners(); i++) {
      double x = symbol.x() + r * shape.x(i);
      double y = symbol.y() + r * shape.y(i);
      if (i == 0) {
        path.moveTo(x, y);
      } else {
        path.lineTo(x, y);
      }
    }
    path.closePath();
    return path;
  }

  /** Straight into the pixels: a dot covers a few, and there may be 300,000. */
  private void cloud(Scene.Cloud cloud) {
    int[] pixels = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
    double radius = cloud.radius() * scale;
    for (int i = 0; i < cloud.x().length; i++) {
      dot(pixels, cloud.x()[i] * scale, cloud.y()[i] * scale, radius, cloud);
    }
  }

  private void dot(int[] pixels, double x, double y, double radius, Scene.Cloud cloud) {
    int left = Math.max(0, (int) Math.floor(x - radius - 1));
    int right = Math.min(image.getWidth() - 1, (int) Math.ceil(x + radius + 1));
    int top = Math.max(0, (int) Math.floor(y - radius - 1));
    int bottom = Math.min(image.getHeight() - 1, (int) Math.ceil(y + radius + 1));
    for (int py = top; py <= bottom; py++) {
      for (int px = left; px <= right; px++) {
        double distance = Math.hypot(px + 0.5 - x, py + 0.5 - y);
        double cover = Math.clamp(radius + 0.5 - distance, 0, 1) * cloud.opacity();
        if (cover > 0) {
          int at = py * image.getWidth() + px;
          pixels[at] = mixed(pixels[at], cloud.colour(), cover);
        }
      }
    }
  }

  private static int mixed(int under, int over, double cover) {
    int mixed = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
      int below = (under >> shift) & 255;
      int above = (over >> shift) & 255;
      mixed |= (int) Math.round(below + (above - below) * cover) << shift;
    }
    return mixed;
  }

  private void words(Scene.Words words) {
    if (words.text().isBlank()) {
      return;
    }
    TextLayout layout = layout(words.text(), words.size(), words.weight());
    double drawn = layout.getAdvance();
    boolean fit = words.width() > 0 && (Lettering.isKnown(words.text()) || drawn > words.width());
    double stretch = fit && drawn > 0 ? words.width() / drawn : 1;
    double length = drawn * stretch;
    double left =
        switch (words.anchor()) {
          case START -> words.x();
          case MIDDLE -> words.x() - length / 2;
          case END -> words.x() - length;
        };
    draw(layout, words.colour(), AffineTransform.getTranslateInstance(left, words.y()), stretch);
  }

  private void upright(Scene.Upright words) {
    TextLayout layout = layout(words.text(), words.size(), Scene.Weight.NORMAL);
    AffineTransform place = AffineTransform.getTranslateInstance(words.x(), words.y());
    place.rotate(-Math.PI / 2);
    place.translate(-layout.getAdvance() / 2.0, 0);
    draw(layout, words.colour(), place, 1);
  }

  private void draw(TextLayout layout, int colour, AffineTransform place, double stretch) {
    AffineTransform before = graphics.getTransform();
    graphics.transform(place);
    graphics.scale(stretch, 1);
    graphics.setColor(new Color(colour));
    layout.draw(graphics, 0, 0);
    graphics.setTransform(before);
  }

  private TextLayout layout(String text, double size, Scene.Weight weight) {
    int style = weight == Scene.Weight.BOLD ? Font.BOLD : Font.PLAIN;
    Font font = new Font(family, style, 1).deriveFont((float) size);
    if (font.canDisplayUpTo(text) >= 0) {
      // the logical font looks through every font of the machine
      font = new Font(Font.SANS_SERIF, style, 1).deriveFont((float) size);
    }
    return new TextLayout(text, font, graphics.getFontRenderContext());
  }
}
