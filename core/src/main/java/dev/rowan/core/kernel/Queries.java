package dev.rowan.core.kernel;

import org.jspecify.annotations.Nullable;

/**
 * A batch of queries, ready for the kernel that packed it.
 *
 * <p>Immutable after packing; safe for any number of threads.
 */
public final class Queries {
  private final int count;
  private final int width;
  private final float[] values;
  private final @Nullable Object packed;

  /**
   * Makes a batch.
   *
   * @param values count × width numbers, row-major; not copied
   * @param packed the kernel's own rearrangement of them, if it wants one
   */
  Queries(int count, int width, float[] values, @Nullable Object packed) {
    this.count = count;
    this.width = width;
    this.values = values;
    this.packed = packed;
  }

  /** Returns how many queries there are. */
  public int count() {
    return count;
  }

  /** Returns d. */
  public int width() {
    return width;
  }

  /** Returns the numbers, row-major; callers do not write. */
  float[] values() {
    return values;
  }

  /** Returns the kernel's own form, if any. */
  @Nullable Object packed() {
    return packed;
  }
}
