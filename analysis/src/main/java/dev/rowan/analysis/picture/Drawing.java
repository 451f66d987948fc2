package dev.rowan.analysis.picture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A map laid out on a page: where every symbol and label lies. Write it as SVG or as PNG. */
public final class Drawing {
  private final Scene scene;
  private final int labelled;
  private final int leftOut;

  private Drawing(Composer composer) {
    this.scene = composer.compose();
    this.labelled = composer.labelled();
    this.leftOut = composer.leftOut();
  }

  static Drawing of(MapPicture picture) {
    return new Drawing(new Composer(picture));
  }

  /** Returns how many points have a label. */
  public int labelled() {
    return labelled;
  }

  /** Returns how many labels that were wanted found no free place. */
  public int leftOut() {
    return leftOut;
  }

  /** Returns the width of the page in pixels of 1/96 inch. */
  public double width() {
    return scene.width();
  }

  /** Returns the height of the page in pixels of 1/96 inch. */
  public double height() {
    return scene.height();
  }

  /**
   * Returns the page as an SVG document: plain shapes and text, no script, no style sheet, nothing
   * fetched from anywhere.
   */
  public byte[] svg() {
    return new SvgPainter(scene).document().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Returns the page as PNG.
   *
   * @param scale pixels of the image for one of the page, in (0, 8]; 2 prints well
   * @throws IllegalArgumentException if the scale is out of range
   * @throws UnsupportedOperationException if this machine has no fonts to draw text with
   */
  public byte[] png(double scale) throws IOException {
    if (!(scale > 0 && scale <= 8)) {
      throw new IllegalArgumentException("scale is " + scale + "; it takes (0, 8]");
    }
    return new PngPainter(scene, scale).file();
  }

  Scene scene() {
    return scene;
  }
}
