package dev.rowan.core;

import java.util.Arrays;

/**
 * Row ids in an array of any shape: a single id (0-d), a list, an empty list, a batch × length
 * rectangle, and so on. Row-major.
 *
 * <p>Immutable and safe for any number of threads.
 */
public final class Ids {
  private final long[] values;
  private final int[] shape;

  private Ids(long[] values, int[] shape) {
    this.values = values;
    this.shape = shape;
  }

  /** Returns one id of shape {@code []}. */
  public static Ids scalar(long id) {
    return new Ids(new long[] {id}, new int[0]);
  }

  /** Returns ids of shape {@code [ids.length]}. */
  public static Ids of(int... ids) {
    return new Ids(Arrays.stream(ids).asLongStream().toArray(), new int[] {ids.length});
  }

  /** Returns ids of shape {@code [ids.length]}. */
  public static Ids of(long... ids) {
    return new Ids(ids.clone(), new int[] {ids.length});
  }

  /**
   * Returns ids of the given shape.
   *
   * @param values row-major ids
   * @param shape lengths of the axes, none negative; their product must be {@code values.length}
   * @throws IllegalArgumentException if it is not
   */
  public static Ids shaped(long[] values, int... shape) {
    long product = 1;
    for (int length : shape) {
      if (length < 0) {
        throw new IllegalArgumentException(
            "shape " + Arrays.toString(shape) + " has a negative length; lengths start at 0");
      }
      product = Math.multiplyExact(product, length);
    }
    if (product != values.length) {
      throw new IllegalArgumentException(
          "shape %s holds %,d ids but %,d were given"
              .formatted(Arrays.toString(shape), product, values.length));
    }
    return new Ids(values.clone(), shape.clone());
  }

  /** Returns how many ids there are: the product of the shape, 1 for a 0-d id. */
  public int count() {
    return values.length;
  }

  /** Returns the id at a row-major position. */
  public long get(int position) {
    return values[position];
  }

  /** Returns a copy of the shape. */
  public int[] shape() {
    return shape.clone();
  }

  /** Returns a copy of the ids, row-major. */
  public long[] toArray() {
    return values.clone();
  }

  /** Returns the ids without copying; callers in this package do not change them. */
  long[] values() {
    return values;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Ids that
        && Arrays.equals(values, that.values)
        && Arrays.equals(shape, that.shape);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(values) + Arrays.hashCode(shape);
  }

  @Override
  public String toString() {
    return "Ids" + Arrays.toString(shape) + Arrays.toString(values);
  }
}
