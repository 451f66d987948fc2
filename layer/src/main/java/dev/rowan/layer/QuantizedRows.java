package dev.rowan.layer;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.rowan.core.Table;
import dev.rowan.core.kernel.RowFormat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Rows of small integers with a scale and a bias of their own, in the layout of FBGEMM's fused
 * row-wise formats. Value = bias + scale · code; codes are rounded to nearest, ties to even.
 *
 * <pre>
 *   int8:  d codes (1 byte each), scale (f32), bias (f32)
 *   int4:  ⌈d/2⌉ bytes of codes, the even column in the low half; scale (f16), bias (f16)
 * </pre>
 *
 * <p>For serving a trained table; training itself needs a float format.
 */
public enum QuantizedRows implements RowFormat {
  /** 256 levels between a row's least and largest number; a constant row is exact. */
  INT8("int8-row", 255) {
    @Override
    public long rowBytes(int width) {
      return width + 8L;
    }

    @Override
    public void encode(float[] source, int from, int count, MemorySegment data, long offset) {
      float least = least(source, from, count);
      float range = largest(source, from, count) - least;
      float scale = range / 255f;
      float inverse = 255f / (range + 1e-8f); // the 1e-8 keeps a constant row from dividing by 0
      for (int i = 0; i < count; i++) {
        data.set(
            JAVA_BYTE, offset + i, (byte) code((source[from + i] - least) * inverse, levels()));
      }
      data.set(FLOAT, offset + count, scale);
      data.set(FLOAT, offset + count + 4L, least);
    }

    @Override
    public void decode(MemorySegment data, long offset, int count, float[] target, int to) {
      float scale = data.get(FLOAT, offset + count);
      float bias = data.get(FLOAT, offset + count + 4L);
      for (int i = 0; i < count; i++) {
        int code = data.get(JAVA_BYTE, offset + i) & 0xFF;
        target[to + i] = scale * code + bias;
      }
    }
  },

  /** 16 levels; scale and bias are rounded to f16 first, then the codes are chosen. */
  INT4("int4-row", 15) {
    @Override
    public long rowBytes(int width) {
      return (width + 1L) / 2 + 4;
    }

    @Override
    public void encode(float[] source, int from, int count, MemorySegment data, long offset) {
      short biasBits = Float.floatToFloat16(least(source, from, count));
      float bias = Float.float16ToFloat(biasBits);
      float range = largest(source, from, count) - bias;
      short scaleBits = Float.floatToFloat16(range / 15f);
      if (!Float.isFinite(1 / Float.float16ToFloat(scaleBits))) {
        scaleBits = Float.floatToFloat16(1f); // a range of 0, or too small for f16
      }
      float inverse = 1 / Float.float16ToFloat(scaleBits);
      long bytes = rowBytes(count);
      for (int i = 0; i < count; i += 2) {
        int low = code((source[from + i] - bias) * inverse, levels());
        int high = i + 1 < count ? code((source[from + i + 1] - bias) * inverse, levels()) : 0;
        data.set(JAVA_BYTE, offset + i / 2, (byte) (low | high << 4));
      }
      data.set(SHORT, offset + bytes - 4, scaleBits);
      data.set(SHORT, offset + bytes - 2, biasBits);
    }

    @Override
    public void decode(MemorySegment data, long offset, int count, float[] target, int to) {
      long bytes = rowBytes(count);
      float scale = Float.float16ToFloat(data.get(SHORT, offset + bytes - 4));
      float bias = Float.float16ToFloat(data.get(SHORT, offset + bytes - 2));
      for (int i = 0; i < count; i++) {
        int both = data.get(JAVA_BYTE, offset + i / 2);
        int code = ((i & 1) == 0 ? both : both >> 4) & 0xF;
        target[to + i] = scale * code + bias;
      }
    }
  };

  private static final ValueLayout.OfFloat FLOAT =
      JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final String label;
  private final int levels;

  QuantizedRows(String label, int levels) {
    this.label = label;
    this.levels = levels;
  }

  @Override
  public String label() {
    return label;
  }

  int levels() {
    return levels;
  }

  /**
   * Writes one row of {@code count} finite numbers.
   *
   * @throws IndexOutOfBoundsException if either side is too short
   */
  public abstract void encode(float[] source, int from, int count, MemorySegment data, long offset);

  /**
   * Returns a copy of a table in this format.
   *
   * @throws IllegalArgumentException if a number is not finite; the message names its row
   */
  public Table quantize(Table table) {
    long rowBytes = rowBytes(table.width());
    MemorySegment data = WeightTable.zeros(table.rows(), rowBytes);
    float[] row = new float[table.width()];
    for (long id = 0; id < table.rows(); id++) {
      table.copyRow(id, row, 0);
      for (float value : row) {
        if (!Float.isFinite(value)) {
          throw new IllegalArgumentException(
              "row %d holds %s; only finite numbers have a place between least and largest"
                  .formatted(id, value));
        }
      }
      encode(row, 0, row.length, data, id * rowBytes);
    }
    return Table.over(data, table.rows(), table.width(), this);
  }

  private static int code(float place, int levels) {
    return (int) Math.clamp(Math.rint(place), 0, levels);
  }

  private static float least(float[] source, int from, int count) {
    float found = source[from];
    for (int i = 1; i < count; i++) {
      found = Math.min(found, source[from + i]);
    }
    return found;
  }

  private static float largest(float[] source, int from, int count) {
    float found = source[from];
    for (int i = 1; i < count; i++) {
      found = Math.max(found, source[from + i]);
    }
    return found;
  }
}
