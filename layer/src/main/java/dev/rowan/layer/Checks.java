package dev.rowan.layer;

import dev.rowan.core.OutOfRange;

/** Argument checks whose messages give the value and the legal range. */
final class Checks {
  private Checks() {}

  static void finite(String what, double value) {
    OutOfRange.check(Double.isFinite(value), what, value, "a finite number");
  }

  static void atLeastZero(String what, double value) {
    OutOfRange.check(value >= 0 && Double.isFinite(value), what, value, "0 or more, finite");
  }

  static void aboveZero(String what, double value) {
    OutOfRange.check(value > 0 && Double.isFinite(value), what, value, "more than 0, finite");
  }

  /** A decay rate: in [0, 1). */
  static void fraction(String what, double value) {
    OutOfRange.check(value >= 0 && value < 1, what, value, "0 to less than 1");
  }

  static void ids(long[] ids, long rows) {
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] < 0 || ids[i] >= rows) {
        throw outOfRange(ids[i], i, rows);
      }
    }
  }

  static void ids(int[] ids, long rows) {
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] < 0 || ids[i] >= rows) {
        throw outOfRange(ids[i], i, rows);
      }
    }
  }

  private static IndexOutOfBoundsException outOfRange(long id, int position, long rows) {
    return new IndexOutOfBoundsException(
        "id %d at position %d is not in [0, %d)".formatted(id, position, rows));
  }

  /** Checks that an array of numbers has exactly {@code count × width} places. */
  static void length(String what, float[] values, long count, int width) {
    if (values.length != count * width) {
      throw new IllegalArgumentException(
          "%s has %,d numbers; %,d rows of width %,d take exactly %,d"
              .formatted(what, values.length, count, width, count * width));
    }
  }

  /** Checks that a buffer has at least {@code count × width} places. */
  static void room(String what, long places, long count, int width) {
    if (places < count * width) {
      throw new IllegalArgumentException(
          "%s has room for %,d numbers; %,d rows of width %,d need %,d"
              .formatted(what, places, count, width, count * width));
    }
  }
}
