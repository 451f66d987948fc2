package dev.rowan.analysis.picture;

import dev.rowan.analysis.picture.Scene.Anchor;
import dev.rowan.analysis.picture.Scene.Mark;
import dev.rowan.analysis.picture.Scene.Weight;
import java.util.ArrayList;
import java.util.List;

/** Lays a picture out on a page: heading, legend, the map, caption. */
final class Composer {
  private static final double WIDTH = 1000;
  private static final double MARGIN = 32;
  private static final double INNER = WIDTH - 2 * MARGIN;
  private static final double TITLE = 22;
  private static final double TEXT = 13.5;
  private static final double SMALL = 12;
  private static final double LINE = 1.42; // of the size of the text

  // text is wrapped short of the margin, for viewers whose fonts are wider than Helvetica
  private static final double SAFE = 0.9;

  private final MapPicture picture;
  private final List<Mark> marks = new ArrayList<>();
  private double y = MARGIN;
  private int labelled;
  private int leftOut;

  Composer(MapPicture picture) {
    this.picture = picture;
  }

  int labelled() {
    return labelled;
  }

  int leftOut() {
    return leftOut;
  }

  Scene compose() {
    heading();
    new Legend(picture.points(), marks, MARGIN, INNER).at(y).ifPresent(end -> y = end);
    Plot plot = new Plot(picture, marks, MARGIN, y, INNER);
    y = plot.draw();
    labelled = plot.labelled();
    leftOut = plot.wanted() - plot.labelled();
    caption();
    return new Scene(WIDTH, Math.ceil(y + MARGIN - 8), title(), description(), marks);
  }

  private String title() {
    return Lettering.prose(picture.title());
  }

  private String description() {
    return Lettering.prose(
        picture.method()
            + ". "
            + picture.distortion()
            + ". "
            + labels()
            + " "
            + String.join(" ", picture.hints()));
  }

  private void heading() {
    y += TITLE * 0.8;
    for (String line : Lettering.wrap(picture.title(), TITLE, INNER * SAFE)) {
      words(line, TITLE, Weight.BOLD, Palette.INK);
      y += TITLE * 1.2;
    }
    paragraph(picture.method(), TEXT, Palette.QUIET);
    y += 8;
  }

  private void caption() {
    y += 24;
    words("How far to trust it", TEXT, Weight.BOLD, Palette.INK);
    y += TEXT * LINE;
    paragraph(picture.distortion() + ".", TEXT, Palette.INK);
    y += 3;
    List<String> rest = new ArrayList<>(picture.hints());
    rest.add(labels());
    paragraph(String.join(" ", rest), SMALL, Palette.QUIET);
    y -= SMALL;
  }

  /** Says how many points have a label, and why the others have none. */
  private String labels() {
    int points = picture.points().size();
    if (labelled == points) {
      return points == 1
          ? "The point is labelled."
          : "All %,d points are labelled.".formatted(points);
    }
    String some = "%,d of %,d points are labelled".formatted(labelled, points);
    return leftOut == 0
        ? some + "."
        : some
            + "; %,d %s no free place."
                .formatted(leftOut, leftOut == 1 ? "label found" : "labels found");
  }

  private void paragraph(String text, double size, int colour) {
    for (String line : Lettering.wrap(text, size, INNER * SAFE)) {
      words(line, size, Weight.NORMAL, colour);
      y += size * LINE;
    }
  }

  private void words(String text, double size, Weight weight, int colour) {
    marks.add(new Scene.Words(text, MARGIN, y, size, weight, Anchor.START, colour, 0));
  }
}
