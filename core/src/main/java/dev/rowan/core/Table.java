package dev.rowan.core;

import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.core.kernel.Kernels;
import dev.rowan.core.kernel.RowBlock;
import dev.rowan.core.kernel.RowFormat;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A V × d table of numbers, row-major: row i belongs to token i.
 *
 * <p>{@code lookup(ids)} returns rows; it equals one-hot(ids) × table and never multiplies:
 *
 * {@snippet :
 * Table toy = Table.of(2, 1f, 2f, 3f, 4f, 6f, 8f); // 3 rows of width 2
 * toy.lookup(Ids.of(2, 0)).values(); // [6, 8, 1, 2]
 * }
 *
 * <p>A table is a view of bytes that somebody else owns: a mapped file or an array. It stays usable
 * as long as they do, and never writes. Byte offsets and counts are {@code long}, so tables beyond
 * 2³¹ bytes or numbers are ordinary; rows may start at any address.
 *
 * <p>Safe for any number of threads while the bytes do not change. Row norms are computed on the
 * first call that needs them and kept; see {@link #statistics}.
 */
public final class Table {
  private final MemorySegment data;
  private final long rows;
  private final int width;
  private final RowFormat format;
  private final long rowBytes;
  private final Object statisticsLock = new Object();
  private volatile @Nullable RowStatistics statistics;

  private Table(MemorySegment data, long rows, int width, RowFormat format) {
    this.data = data;
    this.rows = rows;
    this.width = width;
    this.format = format;
    this.rowBytes = format.rowBytes(width);
  }

  /**
   * Returns a table over bytes; nothing is copied or read.
   *
   * @param data the bytes, starting with row 0, of any alignment
   * @param rows V, 0 or more
   * @param width d, 1 or more
   * @throws IllegalArgumentException if a size is out of range or {@code data} is too short for it
   */
  public static Table over(MemorySegment data, long rows, int width, RowFormat format) {
    Objects.requireNonNull(format, "format");
    if (rows < 0) {
      throw new IllegalArgumentException("a table cannot have " + rows + " rows; 0 is the least");
    }
    if (width < 1) {
      throw new IllegalArgumentException("a table cannot have width " + width + "; 1 is the least");
    }
    long needed;
    try {
      needed = Math.multiplyExact(rows, format.rowBytes(width));
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "%,d rows × %,d numbers (%s) is more than 2^63 bytes"
              .formatted(rows, width, format.label()),
          e);
    }
    if (data.byteSize() < needed) {
      throw new IllegalArgumentException(
          "%,d rows × %,d numbers (%s) take %,d bytes but only %,d are there"
              .formatted(rows, width, format.label(), needed, data.byteSize()));
    }
    return new Table(data.asSlice(0, needed).asReadOnly(), rows, width, format);
  }

  /**
   * Returns an f32 table over an array; the array is not copied.
   *
   * @param width d, 1 or more
   * @param values V × d numbers, row-major
   * @throws IllegalArgumentException if {@code values} is not a whole number of rows
   */
  public static Table of(int width, float... values) {
    if (width < 1) {
      throw new IllegalArgumentException("a table cannot have width " + width + "; 1 is the least");
    }
    if (values.length % width != 0) {
      throw new IllegalArgumentException(
          "%,d numbers are not a whole number of rows of width %,d"
              .formatted(values.length, width));
    }
    return over(MemorySegment.ofArray(values), values.length / width, width, FloatFormat.F32);
  }

  /** Returns V, the number of rows. */
  public long rows() {
    return rows;
  }

  /** Returns d, the numbers in a row. */
  public int width() {
    return width;
  }

  /** Returns how the rows are stored. */
  public RowFormat format() {
    return format;
  }

  /** Returns how many numbers are stored for the rows: V × d, fewer where rows share them. */
  public long storedParameters() {
    return Math.multiplyExact(format.storedRows(rows), width);
  }

  /** Returns the bytes that these numbers take where they are stored. */
  public long storedBytes() {
    return format.storedBytes(rows, width);
  }

  /** Returns V × d. */
  public long parameters() {
    return Math.multiplyExact(rows, width);
  }

  /** Returns the bytes that the rows take as stored. */
  public long bytes() {
    return rows * rowBytes;
  }

  /** Returns the stored bytes, read-only, row 0 first. */
  public MemorySegment data() {
    return data;
  }

  /**
   * Returns a copy of one row as float32.
   *
   * @throws IndexOutOfBoundsException if {@code id} is not in [0, V)
   */
  public float[] row(long id) {
    float[] row = new float[width];
    copyRow(id, row, 0);
    return row;
  }

  /**
   * Copies one row as float32.
   *
   * @throws IndexOutOfBoundsException if {@code id} is not in [0, V), or {@code target} has fewer
   *     than d places from {@code offset}
   */
  public void copyRow(long id, float[] target, int offset) {
    checkId(id);
    format.decode(data, id * rowBytes, width, target, offset);
  }

  /**
   * Copies a panel of consecutive rows as float32.
   *
   * @param first the id of the first row
   * @param count how many rows; {@code count × d} numbers are written
   * @throws IndexOutOfBoundsException if the rows are not all in the table or {@code target} is too
   *     short; nothing is written then
   */
  public void copyRows(long first, int count, float[] target, int offset) {
    Objects.checkFromIndexSize(first, count, rows);
    Objects.checkFromIndexSize(offset, Math.multiplyExact(count, width), target.length);
    for (int r = 0; r < count; r++) {
      format.decode(data, (first + r) * rowBytes, width, target, offset + r * width);
    }
  }

  /**
   * Looks rows up: id → row, equal to one-hot × table.
   *
   * @param ids ids of any shape
   * @return float32 of shape {@code ids.shape() + [d]}
   * @throws IndexOutOfBoundsException if an id is not in [0, V); the message names its position
   * @throws IllegalArgumentException if the result is too large for an array; use {@link
   *     #lookup(Ids, MemorySegment)} then
   */
  public Rows lookup(Ids ids) {
    checkIds(ids.values());
    long size = Math.multiplyExact((long) ids.count(), width);
    if (size > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%,d rows of width %,d are too many for one array; look them up into a memory segment"
              .formatted(ids.count(), width));
    }
    float[] values = new float[(int) size];
    gather(ids.values(), MemorySegment.ofArray(values));
    int[] idShape = ids.shape();
    int[] shape = Arrays.copyOf(idShape, idShape.length + 1);
    shape[idShape.length] = width;
    return new Rows(values, shape);
  }

  /**
   * Looks rows up into a caller's buffer, without allocation.
   *
   * @param target receives {@code ids.count() × d} floats, native byte order, from its start; heap
   *     or native, of any alignment
   * @throws IndexOutOfBoundsException if an id is not in [0, V); nothing is written then
   * @throws IllegalArgumentException if {@code target} is too short; nothing is written then
   */
  public void lookup(Ids ids, MemorySegment target) {
    lookup(ids.values(), target);
  }

  /**
   * Looks rows up into a caller's buffer, without allocation. As {@link #lookup(Ids,
   * MemorySegment)} for a plain array of ids.
   */
  public void lookup(long[] ids, MemorySegment target) {
    checkLookup(ids, target);
    gather(ids, target);
  }

  /**
   * Looks rows up into a caller's buffer on several threads: worth it from some thousand rows on,
   * since one thread waits for memory most of the time. As {@link #lookup(Ids, MemorySegment)}.
   *
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted; the
   *     buffer is then partly written
   */
  public void lookup(long[] ids, MemorySegment target, Workers workers) {
    checkLookup(ids, target);
    int part = 2048;
    workers.run(
        Math.ceilDiv(ids.length, part),
        () ->
            chunk -> {
              int from = (int) chunk * part;
              long[] mine = Arrays.copyOfRange(ids, from, Math.min(ids.length, from + part));
              gather(mine, target.asSlice(4L * width * from, 4L * width * mine.length));
            });
  }

  private void checkLookup(long[] ids, MemorySegment target) {
    checkIds(ids);
    long needed = Math.multiplyExact(4L * width, (long) ids.length);
    if (target.byteSize() < needed) {
      throw new IllegalArgumentException(
          "%,d rows of width %,d need %,d bytes but the buffer has %,d"
              .formatted(ids.length, width, needed, target.byteSize()));
    }
  }

  /**
   * Looks rows up into a caller's array, without allocation.
   *
   * @param target receives {@code ids.count() × d} floats from {@code offset} on
   * @throws IndexOutOfBoundsException if an id is not in [0, V) or {@code target} is too short;
   *     nothing is written then
   */
  public void lookup(Ids ids, float[] target, int offset) {
    long needed = Math.multiplyExact((long) ids.count(), width);
    if (offset < 0 || target.length - (long) offset < needed) {
      throw new IndexOutOfBoundsException(
          "%,d rows of width %,d need %,d places from %,d but the array has %,d"
              .formatted(ids.count(), width, needed, offset, target.length));
    }
    lookup(ids.values(), MemorySegment.ofArray(target).asSlice(4L * offset));
  }

  private void gather(long[] ids, MemorySegment target) {
    Kernels.best().gather(block(0, rows), ids, target);
  }

  /**
   * Returns norms, the baseline and other figures that need the whole table, computed on the first
   * call by one pass over it and kept.
   *
   * @param workers who computes
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public RowStatistics statistics(Workers workers) {
    RowStatistics known = statistics;
    if (known != null) {
      return known;
    }
    synchronized (statisticsLock) {
      known = statistics;
      if (known == null) {
        known = RowStatistics.of(this, workers);
        statistics = known;
      }
      return known;
    }
  }

  /** Returns a kernel's view of consecutive rows. */
  RowBlock block(long first, long count) {
    return new RowBlock(data, first * rowBytes, first, count, width, format, rowBytes);
  }

  /**
   * Checks an id.
   *
   * @throws IndexOutOfBoundsException if it is not in [0, V)
   */
  public void checkId(long id) {
    if (id < 0 || id >= rows) {
      throw new IndexOutOfBoundsException("id %d is not in [0, %d)".formatted(id, rows));
    }
  }

  private void checkIds(long[] ids) {
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] < 0 || ids[i] >= rows) {
        throw new IndexOutOfBoundsException(
            "id %d at position %d is not in [0, %d)".formatted(ids[i], i, rows));
      }
    }
  }

  @Override
  public String toString() {
    return "Table[%d × %d %s]".formatted(rows, width, format.label());
  }
}
