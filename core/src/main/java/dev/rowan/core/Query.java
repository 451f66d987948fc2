package dev.rowan.core;

import java.util.Arrays;

/**
 * A vector to compare rows with, and the rows that may not be among the answers.
 *
 * <p>Immutable and safe for any number of threads.
 */
public final class Query {
  private final double[] vector;
  private final long[] excluded; // ascending, distinct

  private Query(double[] vector, long[] excluded) {
    this.vector = vector;
    this.excluded = excluded;
  }

  /**
   * Returns a query for a vector.
   *
   * @throws IllegalArgumentException if a number is not finite; the message names its place
   */
  public static Query of(double... vector) {
    for (int i = 0; i < vector.length; i++) {
      if (!Double.isFinite(vector[i])) {
        throw new IllegalArgumentException(
            "the query is %s at position %d; every number must be finite".formatted(vector[i], i));
      }
    }
    return new Query(vector.clone(), new long[0]);
  }

  /** Returns a query for a vector. As {@link #of(double...)}. */
  public static Query of(float... vector) {
    double[] wide = new double[vector.length];
    for (int i = 0; i < vector.length; i++) {
      wide[i] = vector[i];
    }
    return of(wide);
  }

  /**
   * Returns the query that asks for the neighbours of a row: its numbers, the row itself left out.
   *
   * @throws IndexOutOfBoundsException if the id is not in [0, V)
   * @throws IllegalArgumentException if the row holds a NaN or an infinity
   */
  public static Query row(Table table, long id) {
    float[] row = table.row(id);
    for (int i = 0; i < row.length; i++) {
      if (!Float.isFinite(row[i])) {
        throw new IllegalArgumentException(
            "row %d is %s at column %d; a row must be finite to be compared"
                .formatted(id, row[i], i));
      }
    }
    return of(row).excluding(id);
  }

  /** Returns the same query with more rows left out of its answers. */
  public Query excluding(long... ids) {
    long[] all = Arrays.copyOf(excluded, excluded.length + ids.length);
    System.arraycopy(ids, 0, all, excluded.length, ids.length);
    return new Query(vector, Arrays.stream(all).sorted().distinct().toArray());
  }

  /** Returns the same query with no row left out. */
  public Query excludingNothing() {
    return new Query(vector, new long[0]);
  }

  /** Returns how many numbers the vector has. */
  public int width() {
    return vector.length;
  }

  /** Returns a copy of the vector. */
  public double[] vector() {
    return vector.clone();
  }

  /** Returns the ids left out, ascending. */
  public long[] excluded() {
    return excluded.clone();
  }

  /** Returns the vector without copying; callers in this package do not change it. */
  double[] values() {
    return vector;
  }

  /** Returns the excluded ids without copying; callers in this package do not change them. */
  long[] excludedIds() {
    return excluded;
  }
}
