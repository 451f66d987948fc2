package dev.rowan.formats.tensor;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import dev.rowan.core.kernel.RowFormat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Little-endian IEEE 754 binary64; each number is rounded to float32 when it is read. */
public enum DoubleRows implements RowFormat {
  /** The only one. */
  F64;

  private static final ValueLayout.OfDouble DOUBLE =
      JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  @Override
  public String label() {
    return "f64";
  }

  @Override
  public long rowBytes(int width) {
    return 8L * width;
  }

  @Override
  public void decode(MemorySegment data, long offset, int count, float[] target, int targetOffset) {
    for (int i = 0; i < count; i++) {
      target[targetOffset + i] = (float) data.get(DOUBLE, offset + 8L * i);
    }
  }
}
