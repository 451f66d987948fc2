package dev.rowan.layer;

import dev.rowan.core.kernel.FloatFormat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What an optimizer remembers: up to two V × d arrays (velocity, squares, moments) and up to one
 * number a row, float32 outside the heap, with 64-bit offsets.
 */
public final class OptimizerState {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final int width;
  private final int vectors;
  private final boolean scalar;
  private final float initial;
  private MemorySegment[] parts; // the vectors, then the scalars
  private long rows;

  OptimizerState(WeightTable weights, RowUpdate update, float initial) {
    this.width = weights.width();
    this.vectors = update.vectors();
    this.scalar = update.scalar();
    this.initial = initial;
    this.parts = new MemorySegment[vectors + (scalar ? 1 : 0)];
    for (int part = 0; part < parts.length; part++) {
      parts[part] = WeightTable.zeros(0, 4);
    }
    follow(weights.rows());
  }

  /** Returns the bytes of all state. */
  public long bytes() {
    long bytes = 0;
    for (MemorySegment part : parts) {
      bytes += part.byteSize();
    }
    return bytes;
  }

  /**
   * Returns a copy of a row's first vector: the velocity of momentum, Adagrad's sum of squares,
   * Adam's m.
   *
   * @throws IllegalStateException if the rule has none
   */
  public float[] first(long row) {
    return vector(0, row);
  }

  /**
   * Returns a copy of a row's second vector: Adam's v.
   *
   * @throws IllegalStateException if the rule has none
   */
  public float[] second(long row) {
    return vector(1, row);
  }

  /**
   * Returns a row's own number: the mean of squares of a row-wise rule.
   *
   * @throws IllegalStateException if the rule has none
   */
  public float scalar(long row) {
    Objects.checkIndex(row, rows);
    if (!scalar) {
      throw new IllegalStateException("this rule keeps no number a row");
    }
    return parts[vectors].get(FLOAT, 4 * row);
  }

  private float[] vector(int which, long row) {
    Objects.checkIndex(row, rows);
    if (which >= vectors) {
      throw new IllegalStateException("this rule keeps %d vectors a row".formatted(vectors));
    }
    float[] copy = new float[width];
    FloatFormat.F32.decode(parts[which], 4L * width * row, width, copy, 0);
    return copy;
  }

  void read(long id, RowUpdate.Scratch s) {
    if (vectors > 0) {
      FloatFormat.F32.decode(parts[0], 4L * width * id, width, s.first, 0);
    }
    if (vectors > 1) {
      FloatFormat.F32.decode(parts[1], 4L * width * id, width, s.second, 0);
    }
    if (scalar) {
      s.scalar = parts[vectors].get(FLOAT, 4 * id);
    }
  }

  void write(long id, RowUpdate.Scratch s) {
    if (vectors > 0) {
      FloatFormat.F32.encode(s.first, 0, width, parts[0], 4L * width * id);
    }
    if (vectors > 1) {
      FloatFormat.F32.encode(s.second, 0, width, parts[1], 4L * width * id);
    }
    if (scalar) {
      parts[vectors].set(FLOAT, 4 * id, s.scalar);
    }
  }

  /** Takes the size of a table that was resized; new rows start fresh. */
  void follow(long newRows) {
    if (newRows == rows) {
      return;
    }
    long kept = Math.min(rows, newRows);
    for (int part = 0; part < parts.length; part++) {
      long rowBytes = part < vectors ? 4L * width : 4;
      MemorySegment next = WeightTable.zeros(newRows, rowBytes);
      MemorySegment.copy(parts[part], 0, next, 0, kept * rowBytes);
      if (initial != 0) {
        for (long at = kept * rowBytes; at < next.byteSize(); at += 4) {
          next.set(FLOAT, at, initial);
        }
      }
      parts[part] = next;
    }
    rows = newRows;
  }

  long rows() {
    return rows;
  }

  int width() {
    return width;
  }

  /**
   * Returns the arrays themselves, little-endian float32: the vectors in order, V × d each, then
   * the numbers a row, V. So that a training can keep all it needs in one file: filling them sets
   * the state.
   */
  public List<MemorySegment> parts() {
    return new ArrayList<>(List.of(parts));
  }
}
