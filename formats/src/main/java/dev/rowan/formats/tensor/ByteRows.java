package dev.rowan.formats.tensor;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.core.kernel.RowFormat;
import java.lang.foreign.MemorySegment;

/** Signed bytes without a scale, each read as the whole number it is: directions, not lengths. */
public enum ByteRows implements RowFormat {
  /** The only one. */
  I8;

  @Override
  public String label() {
    return "i8";
  }

  @Override
  public long rowBytes(int width) {
    return width;
  }

  @Override
  public void decode(MemorySegment data, long offset, int count, float[] target, int targetOffset) {
    for (int i = 0; i < count; i++) {
      target[targetOffset + i] = data.get(JAVA_BYTE, offset + i);
    }
  }
}
