package dev.rowan.layer;

import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * V × d numbers that training changes, row-major, as f32, f16 or bf16.
 *
 * <p>Layers that share one {@code WeightTable} are tied: an {@link Embedding} and a {@link
 * TiedOutput} over the same object read the same rows, receive one update, and see the same size
 * after {@link Embedding#resize}. Arithmetic is done in float32 (norms in double); a row is rounded
 * once, to nearest with ties to even, when it is stored.
 *
 * <p>The rows live outside the heap, so V × d may exceed 2³¹ numbers; the memory is freed when
 * neither this object nor a view of it is reachable any more. (Its size is bounded by the JVM's
 * {@code -XX:MaxDirectMemorySize}, by default the maximum heap.)
 *
 * <p>Reading is safe for any number of threads as long as none writes.
 */
public final class WeightTable {
  private static final int FILL_ROWS = 256; // rows a worker fills at a time

  private final int width;
  private final FloatFormat format;
  private MemorySegment data;
  private long rows;
  private boolean frozen;
  private @Nullable Workers workers;

  private WeightTable(MemorySegment data, long rows, int width, FloatFormat format) {
    this.data = data;
    this.rows = rows;
    this.width = width;
    this.format = format;
  }

  /**
   * Returns a fresh table.
   *
   * @param rows V, 1 or more
   * @param width d, 1 or more
   * @param format how rows are stored
   * @param initializer fills each row
   * @throws IllegalArgumentException if a size is out of range
   */
  public static WeightTable fresh(
      long rows, int width, FloatFormat format, Initializer initializer) {
    Objects.requireNonNull(initializer, "initializer");
    WeightTable weights = allocate(rows, width, format);
    float[] values = new float[width];
    for (long row = 0; row < rows; row++) {
      java.util.Arrays.fill(values, 0);
      initializer.fill(row, rows, values);
      weights.write(row, values, 0);
    }
    return weights;
  }

  /** As {@link #fresh(long, int, FloatFormat, Initializer)}, the rows filled by workers. */
  public static WeightTable fresh(
      long rows, int width, FloatFormat format, Initializer initializer, Workers workers) {
    Objects.requireNonNull(initializer, "initializer");
    WeightTable weights = allocate(rows, width, format);
    weights.workers = workers;
    Parallel.run(
        workers,
        Parallel.chunks(rows, FILL_ROWS),
        () -> {
          float[] values = new float[width];
          return chunk -> {
            long end = Math.min(rows, (chunk + 1) * FILL_ROWS);
            for (long row = chunk * FILL_ROWS; row < end; row++) {
              java.util.Arrays.fill(values, 0);
              initializer.fill(row, rows, values);
              weights.write(row, values, 0);
            }
          };
        });
    return weights;
  }

  /**
   * Returns a copy of a table's rows in a format of one's choice, each number rounded once.
   *
   * @throws IllegalArgumentException if the table has no rows
   */
  public static WeightTable copyOf(Table table, FloatFormat format) {
    WeightTable weights = allocate(table.rows(), table.width(), format);
    if (table.format() == format) {
      MemorySegment.copy(table.data(), 0, weights.data, 0, weights.data.byteSize());
      return weights;
    }
    float[] values = new float[table.width()];
    for (long row = 0; row < table.rows(); row++) {
      table.copyRow(row, values, 0);
      weights.write(row, values, 0);
    }
    return weights;
  }

  /** Returns an f32 table of the given rows, copied. */
  public static WeightTable of(int width, float... values) {
    return copyOf(Table.of(width, values), FloatFormat.F32);
  }

  /**
   * Returns a table over somebody else's bytes, such as a mapped file, which training changes in
   * place. {@link Embedding#resize} moves the rows to memory of the table's own.
   *
   * @param data at least V × d numbers, little-endian, of any alignment; must stay usable as long
   *     as this table
   * @throws IllegalArgumentException if a size is out of range, {@code data} is too short or
   *     read-only
   */
  public static WeightTable over(MemorySegment data, long rows, int width, FloatFormat format) {
    if (data.isReadOnly()) {
      throw new IllegalArgumentException("the bytes are read-only; training needs to write them");
    }
    requireSize(rows, width);
    Table view = Table.over(data, rows, width, format); // checks that the bytes suffice
    return new WeightTable(data.asSlice(0, view.bytes()), rows, width, format);
  }

  private static void requireSize(long rows, int width) {
    if (rows < 1) {
      throw new IllegalArgumentException("a layer cannot have " + rows + " rows; 1 is the least");
    }
    if (width < 1) {
      throw new IllegalArgumentException("a layer cannot have width " + width + "; 1 is the least");
    }
  }

  private static WeightTable allocate(long rows, int width, FloatFormat format) {
    requireSize(rows, width);
    return new WeightTable(zeros(rows, format.rowBytes(width)), rows, width, format);
  }

  /** Returns zeroed memory outside the heap, on a cache line, freed when unreachable. */
  static MemorySegment zeros(long rows, long rowBytes) {
    long bytes;
    try {
      bytes = Math.multiplyExact(rows, rowBytes);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "%,d rows of %,d bytes are more than 2^63 bytes".formatted(rows, rowBytes), e);
    }
    // automatic: views of the rows may outlive this object, and must never dangle
    return Arena.ofAuto().allocate(bytes, 64);
  }

  /** Returns V, the number of rows. */
  public long rows() {
    return rows;
  }

  /** Returns d, the numbers in a row. */
  public int width() {
    return width;
  }

  /** Returns how rows are stored. */
  public FloatFormat format() {
    return format;
  }

  /**
   * Returns a read-only view of the rows as they are and as training changes them. Take a new one
   * after training where {@link Table#statistics} matter: a table keeps them.
   */
  public Table table() {
    return Table.over(data, rows, width, format);
  }

  /** Returns a copy of one row as float32. */
  public float[] row(long id) {
    return table().row(id);
  }

  /**
   * Overwrites one row, each number rounded once to the format.
   *
   * @throws IndexOutOfBoundsException if {@code id} is not in [0, V)
   * @throws IllegalArgumentException if {@code values} are not d numbers
   */
  public void setRow(long id, float... values) {
    Objects.checkIndex(id, rows);
    Checks.length("the row", values, 1, width);
    write(id, values, 0);
  }

  /** Makes optimizers refuse this table until {@link #unfreeze}. */
  public void freeze() {
    frozen = true;
  }

  /** Lets optimizers change this table again. */
  public void unfreeze() {
    frozen = false;
  }

  /** Returns whether optimizers must not change this table. */
  public boolean frozen() {
    return frozen;
  }

  /**
   * Lets workers share large lookups, gradients and steps over this table. Without them, the
   * calling thread does all. Results are the same to the last bit either way.
   *
   * @return this table
   */
  public WeightTable on(Workers workers) {
    this.workers = workers;
    return this;
  }

  @Nullable Workers workers() {
    return workers;
  }

  void requireTrainable() {
    if (frozen) {
      throw new IllegalStateException(
          "the table is frozen, so nothing was changed; call unfreeze() to train it");
    }
  }

  MemorySegment data() {
    return data;
  }

  void read(long id, float[] target, int offset) {
    format.decode(data, id * format.rowBytes(width), width, target, offset);
  }

  void write(long id, float[] source, int offset) {
    format.encode(source, offset, width, data, id * format.rowBytes(width));
  }

  /** Replaces the rows by a table of another size that begins with the same bytes. */
  void replace(long newRows) {
    long rowBytes = format.rowBytes(width);
    MemorySegment bigger = zeros(newRows, rowBytes);
    MemorySegment.copy(data, 0, bigger, 0, Math.min(rows, newRows) * rowBytes);
    data = bigger;
    rows = newRows;
  }

  @Override
  public String toString() {
    return "WeightTable[%d × %d %s]".formatted(rows, width, format.label());
  }
}
