package dev.rowan.analysis.picture;

/** A rectangle: left, top, right, bottom. */
record Box(double left, double top, double right, double bottom) {

  static Box around(double x, double y, double radius) {
    return new Box(x - radius, y - radius, x + radius, y + radius);
  }

  boolean overlaps(Box other) {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }

  boolean contains(Box other) {
    return left <= other.left && top <= other.top && right >= other.right && bottom >= other.bottom;
  }

  boolean contains(double x, double y) {
    return x >= left && x <= right && y >= top && y <= bottom;
  }

  Box grown(double by) {
    return new Box(left - by, top - by, right + by, bottom + by);
  }

  double width() {
    return right - left;
  }

  double height() {
    return bottom - top;
  }

  /** Returns whether a line segment passes through (Liang and Barsky 1984). */
  boolean isCrossedBy(double x1, double y1, double x2, double y2) {
    double from = 0;
    double to = 1;
    double[] p = {x1 - x2, x2 - x1, y1 - y2, y2 - y1};
    double[] q = {x1 - left, right - x1, y1 - top, bottom - y1};
    for (int i = 0; i < 4; i++) {
      if (p[i] == 0) {
        if (q[i] < 0) {
          return false;
        }
      } else if (p[i] < 0) {
        from = Math.max(from, q[i] / p[i]);
      } else {
        to = Math.min(to, q[i] / p[i]);
      }
    }
    return from < to;
  }
}
