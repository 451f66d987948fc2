package dev.rowan.analysis.picture;

import java.util.List;

/**
 * A page and the marks on it, in the order in which they are drawn. Places are in pixels of 1/96
 * inch from the upper left corner; colours are 0xRRGGBB.
 *
 * @param title for readers who do not see the page
 * @param description for them too
 */
record Scene(double width, double height, String title, String description, List<Mark> marks) {
  Scene {
    marks = List.copyOf(marks);
  }

  /** Something drawn. */
  sealed interface Mark {}

  /** A filled rectangle. */
  record Plate(Box box, int colour, double opacity, double corner) implements Mark {}

  /** A line. */
  record Line(double x1, double y1, double x2, double y2, int colour, double thickness)
      implements Mark {}

  /** One symbol with a thin light edge. */
  record Symbol(Shape shape, double x, double y, double radius, int colour) implements Mark {}

  /** Many small translucent dots of one colour: where they lie thick, they look dark. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Cloud(float[] x, float[] y, double radius, int colour, double opacity) implements Mark {}

  /**
   * A line of text.
   *
   * @param y the baseline
   * @param width what the line takes; painters fit it where they can
   */
  record Words(
      String text,
      double x,
      double y,
      double size,
      Weight weight,
      Anchor anchor,
      int colour,
      double width)
      implements Mark {}

  /** Text that reads upwards, centred on a place. */
  record Upright(String text, double x, double y, double size, int colour) implements Mark {}

  /** How thick letters are. */
  enum Weight {
    NORMAL,
    BOLD
  }

  /** Which end of a line of text is at its place. */
  enum Anchor {
    START,
    MIDDLE,
    END
  }
}
