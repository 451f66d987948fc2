package dev.rowan.core.kernel;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The three little-endian float formats in which tables are kept at full freedom of value.
 *
 * <pre>
 *          sign exponent fraction
 *   f32      1      8       23     IEEE 754 binary32
 *   f16      1      5       10     IEEE 754 binary16
 *   bf16     1      8        7     the upper half of a binary32
 * </pre>
 *
 * <p>Reading is exact for every bit pattern, subnormals, infinities and NaN included. Writing
 * rounds once, to nearest, ties to even.
 */
public enum FloatFormat implements RowFormat {
  /** IEEE 754 binary32. */
  F32("f32", 4) {
    @Override
    public void decode(
        MemorySegment data, long offset, int count, float[] target, int targetOffset) {
      MemorySegment.copy(data, FLOAT, offset, target, targetOffset, count);
    }

    @Override
    public void encode(
        float[] source, int sourceOffset, int count, MemorySegment data, long offset) {
      MemorySegment.copy(source, sourceOffset, data, FLOAT, offset, count);
    }
  },

  /** IEEE 754 binary16. */
  F16("f16", 2) {
    @Override
    public void decode(
        MemorySegment data, long offset, int count, float[] target, int targetOffset) {
      for (int i = 0; i < count; i++) {
        target[targetOffset + i] = Float.float16ToFloat(data.get(SHORT, offset + 2L * i));
      }
    }

    @Override
    public void encode(
        float[] source, int sourceOffset, int count, MemorySegment data, long offset) {
      for (int i = 0; i < count; i++) {
        data.set(SHORT, offset + 2L * i, Float.floatToFloat16(source[sourceOffset + i]));
      }
    }
  },

  /** The upper half of an IEEE 754 binary32 (bfloat16). */
  BF16("bf16", 2) {
    @Override
    public void decode(
        MemorySegment data, long offset, int count, float[] target, int targetOffset) {
      for (int i = 0; i < count; i++) {
        target[targetOffset + i] = Float.intBitsToFloat(data.get(SHORT, offset + 2L * i) << 16);
      }
    }

    @Override
    public void encode(
        float[] source, int sourceOffset, int count, MemorySegment data, long offset) {
      for (int i = 0; i < count; i++) {
        data.set(SHORT, offset + 2L * i, toBfloat16(source[sourceOffset + i]));
      }
    }
  };

  private static final ValueLayout.OfFloat FLOAT =
      JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final String label;
  private final int bytes;

  FloatFormat(String label, int bytes) {
    this.label = label;
    this.bytes = bytes;
  }

  @Override
  public String label() {
    return label;
  }

  /** Returns the bytes of one number: 4 or 2. */
  public int bytes() {
    return bytes;
  }

  @Override
  public long rowBytes(int width) {
    return (long) width * bytes;
  }

  /**
   * Writes {@code count} floats in this format, each rounded once to nearest, ties to even.
   *
   * @throws IndexOutOfBoundsException if either side is too short
   */
  public abstract void encode(
      float[] source, int sourceOffset, int count, MemorySegment data, long offset);

  /** Rounds a float to bfloat16: to nearest, ties to even; a NaN stays a (quiet) NaN. */
  public static short toBfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return (short) ((bits >>> 16) | 0x40); // keep it a NaN when only low payload bits were set
    }
    // add half of the dropped part, less one where the kept part is even: ties go to even
    return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
  }
}
