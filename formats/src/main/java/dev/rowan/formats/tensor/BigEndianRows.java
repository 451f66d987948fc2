package dev.rowan.formats.tensor;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.rowan.core.kernel.RowFormat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Locale;

/**
 * The float formats with the most significant byte first, as big-endian machines write them. They
 * are read in place; reading is exact but for {@link #F64}, each number of which is rounded to
 * float32.
 */
public enum BigEndianRows implements RowFormat {
  /** IEEE 754 binary64. */
  F64(8) {
    @Override
    float read(MemorySegment data, long at) {
      return (float) data.get(DOUBLE, at);
    }
  },
  /** IEEE 754 binary32. */
  F32(4) {
    @Override
    float read(MemorySegment data, long at) {
      return Float.intBitsToFloat(data.get(INT, at));
    }
  },
  /** IEEE 754 binary16. */
  F16(2) {
    @Override
    float read(MemorySegment data, long at) {
      return Float.float16ToFloat(data.get(SHORT, at));
    }
  },
  /** The upper half of a binary32. */
  BF16(2) {
    @Override
    float read(MemorySegment data, long at) {
      return Float.intBitsToFloat(data.get(SHORT, at) << 16);
    }
  };

  private static final ValueLayout.OfDouble DOUBLE =
      JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt INT = JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final int bytes;

  BigEndianRows(int bytes) {
    this.bytes = bytes;
  }

  abstract float read(MemorySegment data, long at);

  @Override
  public String label() {
    return littleEndianLabel() + " big-endian";
  }

  /** Returns the label of the same numbers with the least significant byte first. */
  public String littleEndianLabel() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the bytes of one number. */
  public int numberBytes() {
    return bytes;
  }

  @Override
  public long rowBytes(int width) {
    return (long) bytes * width;
  }

  @Override
  public void decode(MemorySegment data, long offset, int count, float[] target, int targetOffset) {
    for (int i = 0; i < count; i++) {
      target[targetOffset + i] = read(data, offset + (long) bytes * i);
    }
  }
}
