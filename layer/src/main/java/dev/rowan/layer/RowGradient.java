package dev.rowan.layer;

import dev.rowan.core.Workers;
import dev.rowan.core.kernel.RowKernels;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The gradient of a V × d table that is zero but for a few rows: touched ids in rising order, each
 * once, and d float32 numbers each.
 *
 * <p>Always coalesced: occurrences of one id are summed in the order of their positions, so the
 * bits depend neither on the number of threads nor on other ids. Memory is of the size of the rows
 * touched and is kept by {@link #clear} for the next step. Not safe for concurrent use.
 */
public final class RowGradient {
  private static final int ROWS = 32; // touched rows a worker takes at a time

  private final long rows;
  private final int width;
  private final Coalescer coalescer = new Coalescer();
  private final RowKernels kernels = RowKernels.best();
  private long[] ids = new long[0];
  private float[] values = new float[0];
  private int count;
  private long[] spareIds = new long[0];
  private float[] spareValues = new float[0];

  private RowGradient(long rows, int width) {
    this.rows = rows;
    this.width = width;
  }

  /**
   * Returns a gradient without touched rows.
   *
   * @param rows V, 1 or more
   * @param width d, 1 or more
   */
  public static RowGradient empty(long rows, int width) {
    if (rows < 1 || width < 1) {
      throw new IllegalArgumentException(
          "a gradient of %d × %d; each must be 1 or more".formatted(rows, width));
    }
    return new RowGradient(rows, width);
  }

  /**
   * Returns the sum of single-row contributions.
   *
   * @param ids the row of each contribution, in any order, with repetitions
   * @param values ids.length × d numbers
   * @throws IndexOutOfBoundsException if an id is not in [0, V)
   * @throws IllegalArgumentException if {@code values} has another length
   */
  public static RowGradient of(long rows, int width, long[] ids, float[] values) {
    RowGradient gradient = empty(rows, width);
    Checks.ids(ids, rows);
    Checks.length("values", values, ids.length, width);
    gradient.coalescer.group(ids, rows, -1);
    gradient.accumulate(
        gradient.coalescer, new UpstreamSum(gradient.coalescer, values, width, 1f, false), null);
    return gradient;
  }

  /** Returns V. */
  public long rows() {
    return rows;
  }

  /** Returns d. */
  public int width() {
    return width;
  }

  /** Returns how many rows are touched. */
  public int count() {
    return count;
  }

  /** Returns the id of the i-th touched row, i in [0, count). */
  public long id(int i) {
    java.util.Objects.checkIndex(i, count);
    return ids[i];
  }

  /** Returns a copy of the touched ids, rising. */
  public long[] ids() {
    return Arrays.copyOf(ids, count);
  }

  /** Returns a copy of the numbers of the touched rows, count × d, in the order of the ids. */
  public float[] values() {
    return Arrays.copyOf(values, count * width);
  }

  /** Returns a copy of one row; zeros if it is not touched. */
  public float[] row(long id) {
    java.util.Objects.checkIndex(id, rows);
    int at = Arrays.binarySearch(ids, 0, count, id);
    return at < 0 ? new float[width] : Arrays.copyOfRange(values, at * width, (at + 1) * width);
  }

  /** Forgets all rows; the memory is kept. */
  public void clear() {
    count = 0;
  }

  /**
   * Adds another gradient of the same table.
   *
   * @throws IllegalArgumentException if its shape differs
   */
  public void add(RowGradient other) {
    requireShape(other.rows, other.width);
    if (other == this) {
      scale(2);
      return;
    }
    merge(other.ids, other.values, other.count);
  }

  /** Multiplies every number. */
  public void scale(float factor) {
    kernels.scale(factor, values, 0, count * width);
  }

  /** Returns the Euclidean norm of all numbers, computed in double. */
  public double norm() {
    return Math.sqrt(squaredNorm());
  }

  double squaredNorm() {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += kernels.squaredNorm(values, i * width, width);
    }
    return sum;
  }

  /**
   * Scales the gradient by max / (norm + 1e-6) if its norm exceeds {@code max}.
   *
   * @param max 0 or more
   * @return the norm before
   * @throws IllegalArgumentException if {@code max} is negative or NaN
   * @throws IllegalStateException if the norm is not finite; nothing is changed then
   */
  public double clipByNorm(double max) {
    return Clipping.byNorm(List.of(this), max);
  }

  /**
   * Clips every number to [−limit, limit]; NaN stays.
   *
   * @throws IllegalArgumentException if {@code limit} is negative or NaN
   */
  public void clipByValue(double limit) {
    Checks.atLeastZero("the limit", limit);
    float bound = (float) limit;
    for (int i = 0; i < count * width; i++) {
      values[i] = Math.max(-bound, Math.min(bound, values[i]));
    }
  }

  /**
   * Returns the whole gradient, V × d numbers. The only call here whose cost depends on V.
   *
   * @throws IllegalArgumentException if it does not fit an array
   */
  public float[] densify() {
    long size = Math.multiplyExact(rows, width);
    if (size > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%,d × %,d numbers do not fit an array; read the touched rows".formatted(rows, width));
    }
    float[] dense = new float[(int) size];
    for (int i = 0; i < count; i++) {
      System.arraycopy(values, i * width, dense, (int) (ids[i] * width), width);
    }
    return dense;
  }

  /** Adds one row for each segment of a grouping. */
  void accumulate(Coalescer grouped, SegmentSum sum, @Nullable Workers workers) {
    int segments = grouped.segments();
    if (count == 0) {
      reserve(segments);
      fill(grouped, sum, ids, values, workers);
      count = segments;
      return;
    }
    RowGradient part = new RowGradient(rows, width);
    part.reserve(segments);
    fill(grouped, sum, part.ids, part.values, workers);
    merge(part.ids, part.values, segments);
  }

  private void fill(
      Coalescer grouped,
      SegmentSum sum,
      long[] targetIds,
      float[] target,
      @Nullable Workers workers) {
    int segments = grouped.segments();
    Parallel.run(
        workers,
        Parallel.chunks(segments, ROWS),
        () ->
            chunk -> {
              int end = (int) Math.min(segments, (chunk + 1) * ROWS);
              for (int s = (int) chunk * ROWS; s < end; s++) {
                targetIds[s] = grouped.id(s);
                sum.sum(s, target, s * width);
              }
            });
  }

  /** Makes every row touched, for a gradient that is dense by nature, and returns the numbers. */
  float[] dense() {
    reserve(Math.toIntExact(rows));
    count = (int) rows;
    for (int i = 0; i < count; i++) {
      ids[i] = i;
    }
    return values;
  }

  private void reserve(int wanted) {
    if (ids.length >= wanted) {
      return;
    }
    long numbers = (long) wanted * width;
    if (numbers > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%,d touched rows of width %,d do not fit one gradient; use smaller batches"
              .formatted(wanted, width));
    }
    ids = new long[wanted];
    values = new float[(int) numbers];
  }

  private void merge(long[] otherIds, float[] other, int otherCount) {
    if (count == rows) {
      for (int i = 0; i < otherCount; i++) { // every row is here already
        kernels.add(other, i * width, values, (int) otherIds[i] * width, width);
      }
      return;
    }
    int most = (int) Math.min(rows, (long) count + otherCount);
    if (spareIds.length < most) {
      RowGradient room = new RowGradient(rows, width);
      room.reserve(most);
      spareIds = room.ids;
      spareValues = room.values;
    }
    int n = RowMerge.of(this, otherIds, other, otherCount, spareIds, spareValues);
    long[] oldIds = ids;
    float[] oldValues = values;
    ids = spareIds;
    values = spareValues;
    count = n;
    spareIds = oldIds;
    spareValues = oldValues;
  }

  void requireShape(long otherRows, int otherWidth) {
    if (otherRows != rows || otherWidth != width) {
      throw new IllegalArgumentException(
          "a gradient of %,d × %,d does not fit one of %,d × %,d"
              .formatted(otherRows, otherWidth, rows, width));
    }
  }

  Coalescer coalescer() {
    return coalescer;
  }

  /** Returns the numbers without copying: count × d. */
  float[] rawValues() {
    return values;
  }

  /** Returns the touched ids without copying: the first count. */
  long[] rawIds() {
    return ids;
  }

  /** Returns the place of a row among the touched ones, negative if it is not. */
  int find(long id) {
    return Arrays.binarySearch(ids, 0, count, id);
  }

  @Override
  public String toString() {
    return "RowGradient[%d of %d rows × %d]".formatted(count, rows, width);
  }
}
