package dev.rowan.formats.convention;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.core.Table;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.core.kernel.RowFormat;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.TensorInfo;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * Compares tables number by number, up to the first difference. Numbers of two formats are compared
 * as f32, so only formats count that are read as f32 without rounding: 1.0 in bf16 equals 1.0 in
 * f32. A NaN equals a NaN; 0 and −0 differ.
 */
public final class SameNumbers {
  private SameNumbers() {}

  /** Returns whether tables of one shape have formats, different or not, that can be compared. */
  public static boolean canBeCompared(TensorInfo one, TensorInfo other) {
    return one.shape().equals(other.shape())
        && (one.dtype().equals(other.dtype()) || (isExact(one.dtype()) && isExact(other.dtype())));
  }

  private static boolean isExact(Dtype dtype) {
    return dtype.kind() == Dtype.Kind.FLOAT && dtype.rows().isPresent() && dtype.bits() <= 32;
  }

  /**
   * Returns whether an output table that is stored as width × rows can be compared with an input
   * table.
   */
  public static boolean canBeComparedTurned(TensorInfo input, TensorInfo output) {
    return input.shape().equals(output.shape().reversed())
        && (input.dtype().equals(output.dtype())
            || (hasSingleNumbers(input.dtype()) && hasSingleNumbers(output.dtype())));
  }

  private static boolean hasSingleNumbers(Dtype dtype) {
    return dtype.rows().filter(FloatFormat.class::isInstance).isPresent();
  }

  /** Returns the first row in which two tables of one shape differ. */
  public static OptionalLong firstDifference(Table one, Table other) {
    float[] here = new float[one.width()];
    float[] there = new float[one.width()];
    for (long row = 0; row < one.rows(); row++) {
      one.copyRow(row, here, 0);
      other.copyRow(row, there, 0);
      if (!Arrays.equals(here, there)) {
        return OptionalLong.of(row);
      }
    }
    return OptionalLong.empty();
  }

  /**
   * Numbers one after the other.
   *
   * @param dtype how they are stored
   * @param bytes where
   */
  public record Stored(Dtype dtype, MemorySegment bytes) {
    private float number(long index) {
      RowFormat format = dtype.rows().orElseThrow();
      float[] number = new float[1];
      format.decode(bytes, index * format.rowBytes(1), 1, number, 0);
      return number[0];
    }
  }

  /**
   * Returns whether an output table has, as width × rows, the numbers of an input table.
   *
   * @param shape the input table's: rows, width
   */
  static boolean isTranspose(List<Long> shape, Stored input, Stored output) {
    long rows = shape.get(0);
    long width = shape.get(1);
    for (long row = 0; row < rows; row++) {
      for (long column = 0; column < width; column++) {
        if (!areEqual(input, row * width + column, output, column * rows + row)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Returns whether one number equals another. Their formats are equal, or both are f32, f16 or
   * bf16.
   *
   * @param here the index of the one
   * @param there the index of the other
   */
  public static boolean areEqual(Stored one, long here, Stored other, long there) {
    if (!one.dtype().equals(other.dtype())) {
      return Float.compare(one.number(here), other.number(there)) == 0;
    }
    int size = one.dtype().bits() / 8;
    for (int i = 0; i < size; i++) {
      if (one.bytes().get(JAVA_BYTE, here * size + i)
          != other.bytes().get(JAVA_BYTE, there * size + i)) {
        return false;
      }
    }
    return true;
  }
}
