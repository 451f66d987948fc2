package dev.rowan.analysis.picture;

import dev.rowan.analysis.picture.LabelPlacer.Leader;
import dev.rowan.analysis.picture.LabelPlacer.Placed;
import dev.rowan.analysis.picture.LabelPlacer.Reach;
import dev.rowan.analysis.picture.LabelPlacer.Wanted;
import dev.rowan.analysis.picture.Scene.Anchor;
import dev.rowan.analysis.picture.Scene.Mark;
import dev.rowan.analysis.picture.Scene.Weight;
import java.util.ArrayList;
import java.util.List;

/** The map itself: one scale for both axes, symbols or a cloud of dots, labels. */
final class Plot {
  /** Up to here every point is a symbol of its own shape, and labels keep off all of them. */
  static final int FEW = 400;

  /** Up to here labels cover as few dots as they can; beyond, no place is free of dots. */
  private static final int MANY = 5000;

  private static final double CLEARANCE = 1.1; // corners reach further than the radius
  private static final double SIDE = 3.5; // free space at either end of a label
  private static final double MOST_HEIGHT = 760;
  private static final double LEAST_HEIGHT = 440;
  private static final double LABEL_AREA = 6500; // square pixels of the map for one label of many

  private final MapPicture picture;
  private final PicturePoints points;
  private final List<Mark> marks;
  private final Box panel;
  private final double[] px;
  private final double[] py;
  private final boolean few;
  private final double radius;
  private int labelled;
  private int wanted;

  Plot(MapPicture picture, List<Mark> marks, double left, double top, double width) {
    this.picture = picture;
    this.points = picture.points();
    this.marks = marks;
    this.few = points.size() <= FEW;
    this.radius = few ? Math.clamp(6.2 - points.size() / 100.0, 3.6, 5.4) : dot(points.size());
    Extent x = Extent.of(points.x());
    Extent y = Extent.of(points.y());
    double padX = few ? 56 : 16;
    double padY = few ? 26 : 16;
    double shape = x.length() > 0 ? y.length() / x.length() : 1;
    double height = Math.clamp((width - 2 * padX) * shape + 2 * padY, LEAST_HEIGHT, MOST_HEIGHT);
    this.panel = new Box(left, top, left + width, top + height);
    double scale =
        Math.min(
            (width - 2 * padX) / Math.max(x.length(), Double.MIN_NORMAL),
            (height - 2 * padY) / Math.max(y.length(), Double.MIN_NORMAL));
    if (!Double.isFinite(scale)) {
      scale = 0; // all points in one place
    }
    this.px = new double[points.size()];
    this.py = new double[points.size()];
    for (int i = 0; i < points.size(); i++) {
      px[i] = (panel.left() + panel.right()) / 2 + (points.x()[i] - x.middle()) * scale;
      py[i] = (panel.top() + panel.bottom()) / 2 - (points.y()[i] - y.middle()) * scale;
    }
    this.origin =
        new double[] {
          (panel.left() + panel.right()) / 2 - x.middle() * scale,
          (panel.top() + panel.bottom()) / 2 + y.middle() * scale
        };
  }

  private final double[] origin;

  private static double dot(int points) {
    return Math.clamp(2.6 * Math.pow(2000.0 / points, 0.3), 0.75, 2.6);
  }

  /** The least and the largest of some numbers. */
  private record Extent(double least, double most) {
    static Extent of(double[] values) {
      double least = Double.POSITIVE_INFINITY;
      double most = Double.NEGATIVE_INFINITY;
      for (double value : values) {
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
      return values.length == 0 ? new Extent(0, 0) : new Extent(least, most);
    }

    double length() {
      return most - least;
    }

    double middle() {
      return least / 2 + most / 2;
    }
  }

  int labelled() {
    return labelled;
  }

  /** Returns how many labels were tried. */
  int wanted() {
    return wanted;
  }

  /** Draws the map and returns where it ends. */
  double draw() {
    marks.add(new Scene.Plate(panel, Palette.PANEL, 1, 4));
    axes();
    if (few) {
      symbols();
    } else {
      cloud();
    }
    labels();
    return axisNames();
  }

  private void axes() {
    if (picture.axes().horizontal().isEmpty() && picture.axes().vertical().isEmpty()) {
      return;
    }
    if (panel.contains(panel.left(), origin[1])) {
      marks.add(new Scene.Line(panel.left(), origin[1], panel.right(), origin[1], Palette.GRID, 1));
    }
    if (panel.contains(origin[0], panel.top())) {
      marks.add(new Scene.Line(origin[0], panel.top(), origin[0], panel.bottom(), Palette.GRID, 1));
    }
  }

  private double axisNames() {
    double end = panel.bottom();
    String horizontal = Lettering.prose(picture.axes().horizontal());
    if (!horizontal.isEmpty()) {
      end += 16;
      double middle = (panel.left() + panel.right()) / 2;
      marks.add(
          new Scene.Words(
              horizontal, middle, end, 12, Weight.NORMAL, Anchor.MIDDLE, Palette.QUIET, 0));
    }
    String vertical = Lettering.prose(picture.axes().vertical());
    if (!vertical.isEmpty()) {
      marks.add(
          new Scene.Upright(
              vertical, panel.left() - 10, (panel.top() + panel.bottom()) / 2, 12, Palette.QUIET));
    }
    return end;
  }

  /** Symbols from the last point to the first: the most wanted lie on top. */
  private void symbols() {
    for (int i = points.size() - 1; i >= 0; i--) {
      marks.add(symbol(i, radius));
    }
  }

  private Scene.Symbol symbol(int i, double size) {
    int group = points.isGrouped() ? points.groups()[i] : -1;
    return new Scene.Symbol(Palette.shape(group), px[i], py[i], size, colour(i));
  }

  private int colour(int i) {
    if (points.isGrouped()) {
      return Palette.group(points.groups()[i]);
    }
    return points.shades().length > 0
        ? Palette.shade(Palette.shadeOf(points.shades()[i]))
        : Palette.PLAIN;
  }

  /**
   * Dots dealt out to layers like cards, each layer with every colour: neither a group nor the end
   * of the vocabulary lies on top of the rest.
   */
  private void cloud() {
    int layers = Math.clamp(points.size() / 1500, 4, 24);
    double opacity = Math.clamp(0.75 * Math.pow(1000.0 / points.size(), 0.22), 0.15, 0.75);
    for (int layer = 0; layer < layers; layer++) {
      Clouds clouds = new Clouds();
      for (int i = layer; i < points.size(); i += layers) {
        clouds.add(colour(i), (float) px[i], (float) py[i]);
      }
      clouds.addTo(marks, radius, opacity);
    }
  }

  private void labels() {
    int[] order = few ? points.labelOrder() : new Spread(panel, px, py).order(points);
    double size = few ? Math.clamp(15 - points.size() / 40.0, 10.5, 13.5) : 11.5;
    int most = few ? order.length : (int) (panel.width() * panel.height() / LABEL_AREA);
    LabelPlacer placer =
        new LabelPlacer(
            panel.grown(-3), few ? Reach.LEADING : Reach.BESIDE, points.size() <= 100 ? 5 : 2);
    if (points.size() <= MANY) {
      for (int i = 0; i < points.size(); i++) {
        placer.avoid(px[i], py[i], radius * CLEARANCE);
      }
    }
    List<String> texts = new ArrayList<>();
    List<Wanted> labels = new ArrayList<>();
    wanted = Math.min(order.length, Math.max(most, points.emphasised()));
    int tried = few ? order.length : Math.min(order.length, 8 * wanted);
    for (int o = 0; o < tried; o++) {
      int i = order[o];
      String text = Lettering.label(points.labels().apply(i));
      Weight weight = o < points.emphasised() ? Weight.BOLD : Weight.NORMAL;
      texts.add(text);
      labels.add(
          new Wanted(
              px[i],
              py[i],
              (o < points.emphasised() && !few ? 4 : radius) * CLEARANCE,
              Lettering.width(text, size, weight) + 2 * SIDE,
              size * 1.12));
    }
    List<Placed> placed = placer.place(labels, wanted);
    labelled = placed.size();
    for (Placed label : placed) {
      label(label, order[label.index()], texts.get(label.index()), size);
    }
  }

  private void label(Placed placed, int point, String text, double size) {
    boolean standsOut = placed.index() < points.emphasised();
    Box box = placed.box();
    Leader leader = placed.leader();
    if (leader != null) {
      marks.add(
          new Scene.Line(leader.x1(), leader.y1(), leader.x2(), leader.y2(), Palette.LEADER, 0.8));
    }
    if (!few) {
      marks.add(new Scene.Plate(box.grown(-1), Palette.PANEL, 0.82, 3));
      marks.add(symbol(point, standsOut ? 4 : 2.2));
    }
    marks.add(
        new Scene.Words(
            text,
            box.left() + SIDE,
            box.bottom() - size * 0.28,
            size,
            standsOut ? Weight.BOLD : Weight.NORMAL,
            Anchor.START,
            Palette.INK,
            box.width() - 2 * SIDE));
  }

  /** Dots of one layer by colour. */
  private static final class Clouds {
    private final java.util.Map<Integer, Growing> byColour = new java.util.LinkedHashMap<>();

    void add(int colour, float x, float y) {
      byColour.computeIfAbsent(colour, _ -> new Growing()).add(x, y);
    }

    void addTo(List<Mark> marks, double radius, double opacity) {
      byColour.forEach((colour, dots) ->
          marks.add(new Scene.Cloud(dots.x(), dots.y(), radius, colour, opacity)));
    }
  }

  /** Places of dots, as many as come. */
  private static final class Growing {
    private float[] xy = new float[64];
    private int count;

    void add(float x, float y) {
      if (2 * count == xy.length) {
        xy = java.util.Arrays.copyOf(xy, 4 * count);
      }
      xy[2 * count] = x;
      xy[2 * count + 1] = y;
      count++;
    }

    float[] x() {
      return every(0);
    }

    float[] y() {
      return every(1);
    }

    private float[] every(int from) {
      float[] half = new float[count];
      for (int i = 0; i < count; i++) {
        half[i] = xy[2 * i + from];
      }
      return half;
    }
  }
}
