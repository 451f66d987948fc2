package dev.rowan.analysis.picture;

/** Symbols that can be told apart without colour. All have about the area of the circle. */
enum Shape {
  CIRCLE(),
  SQUARE(-0.87, -0.87, 0.87, -0.87, 0.87, 0.87, -0.87, 0.87),
  TRIANGLE(0, -1.25, 1.15, 0.75, -1.15, 0.75),
  DIAMOND(0, -1.25, 1.25, 0, 0, 1.25, -1.25, 0),
  CROSS(
      -0.42, -1.1, 0.42, -1.1, 0.42, -0.42, 1.1, -0.42, 1.1, 0.42, 0.42, 0.42, 0.42, 1.1, -0.42,
      1.1, -0.42, 0.42, -1.1, 0.42, -1.1, -0.42, -0.42, -0.42),
  DOWN(0, 1.25, 1.15, -0.75, -1.15, -0.75),
  STAR(
      0, -1.35, 0.33, -0.45, 1.28, -0.42, 0.53, 0.17, 0.79, 1.09, 0, 0.55, -0.79, 1.09, -0.53, 0.17,
      -1.28, -0.42, -0.33, -0.45),
  SALTIRE(
      -0.5, -1.1, 0, -0.6, 0.5, -1.1, 1.1, -0.5, 0.6, 0, 1.1, 0.5, 0.5, 1.1, 0, 0.6, -0.5, 1.1,
      -1.1, 0.5, -0.6, 0, -1.1, -0.5),
  PENTAGON(0, -1.15, 1.09, -0.36, 0.68, 0.93, -0.68, 0.93, -1.09, -0.36);

  @SuppressWarnings("ImmutableEnumChecker") // the array never leaves and is never written
  private final double[] corners;

  Shape(double... corners) {
    this.corners = corners;
  }

  /** Returns how many corners there are; 0 is a circle. */
  int corners() {
    return corners.length / 2;
  }

  /** Returns the x of a corner for radius 1, from the middle, to the right. */
  double x(int corner) {
    return corners[2 * corner];
  }

  /** Returns the y of a corner for radius 1, from the middle, downwards. */
  double y(int corner) {
    return corners[2 * corner + 1];
  }
}
