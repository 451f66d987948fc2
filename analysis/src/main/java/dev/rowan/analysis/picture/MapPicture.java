package dev.rowan.analysis.picture;

import java.util.List;

/**
 * What a picture of a map shows and says. The caption is not optional: a map without its method and
 * its distortion is a claim without evidence.
 *
 * @param title what the points are, one line
 * @param method how the map was made, with its settings
 * @param distortion how far the map is from the truth: variance explained, trustworthiness and the
 *     like
 * @param hints how to read it, one paragraph each
 * @param axes what the two axes are, where they mean anything
 * @param points the points
 */
public record MapPicture(
    String title,
    String method,
    String distortion,
    List<String> hints,
    Axes axes,
    PicturePoints points) {

  /**
   * Checks the caption.
   *
   * @throws IllegalArgumentException if the method or the distortion is blank
   */
  public MapPicture {
    if (method.isBlank() || distortion.isBlank()) {
      throw new IllegalArgumentException(
          "a picture of a map names its method and its distortion; got \"%s\" and \"%s\""
              .formatted(method, distortion));
    }
    hints = List.copyOf(hints);
  }

  /**
   * Names of the two axes.
   *
   * @param horizontal empty if it means nothing
   * @param vertical empty if it means nothing
   */
  public record Axes(String horizontal, String vertical) {
    /** Axes without a meaning, as those of t-SNE and UMAP: no lines are drawn. */
    public static final Axes NONE = new Axes("", "");
  }

  /** Returns the picture drawn and ready to be written. */
  public Drawing draw() {
    return Drawing.of(this);
  }
}
