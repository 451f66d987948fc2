package dev.rowan.core.kernel;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * One float for each row of a table, or the same float for all of them. Off-heap and freed when
 * unreachable, so that a table of any number of rows fits.
 *
 * <p>Reading is safe for any number of threads; distinct rows may be written by distinct threads.
 */
public final class Column {
  private final MemorySegment values;
  private final long step; // 4, or 0 where all rows share the value

  private Column(MemorySegment values, long step) {
    this.values = values;
    this.step = step;
  }

  /** Returns a column of zeros. */
  public static Column ofSize(long rows) {
    return new Column(Arena.ofAuto().allocate(Math.max(4, Math.multiplyExact(rows, 4L)), 64), 4);
  }

  /** Returns a column in which every row has the same value. */
  public static Column constant(float value) {
    MemorySegment one = Arena.ofAuto().allocate(4, 64);
    one.set(JAVA_FLOAT, 0, value);
    return new Column(one, 0);
  }

  /** Returns the value of a row. */
  public float get(long id) {
    return values.get(JAVA_FLOAT, id * step);
  }

  /** Sets the value of a row. */
  public void set(long id, float value) {
    values.set(JAVA_FLOAT, id * step, value);
  }
}
