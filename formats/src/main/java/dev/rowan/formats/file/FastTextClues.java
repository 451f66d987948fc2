package dev.rowan.formats.file;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Tells fastText models of 2016, which have no magic number, by the twelve settings that they start
 * with: each must lie where a trained model can have it.
 */
final class FastTextClues {
  private static final ValueLayout.OfInt INT =
      JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfDouble DOUBLE =
      JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  // dim ws epoch minCount neg wordNgrams loss model bucket minn maxn lrUpdateRate
  private static final int[] LEAST = {1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0};
  private static final int[] MOST = {
    1 << 16, 1 << 16, 1 << 20, 1 << 24, 1 << 16, 64, 4, 3, Integer.MAX_VALUE, 64, 64, 1 << 30
  };

  private FastTextClues() {}

  static boolean isOldModel(MemorySegment bytes) {
    if (bytes.byteSize() < 4L * LEAST.length + 8) {
      return false;
    }
    for (int i = 0; i < LEAST.length; i++) {
      int setting = bytes.get(INT, 4L * i);
      if (setting < LEAST[i] || setting > MOST[i]) {
        return false;
      }
    }
    double sampling = bytes.get(DOUBLE, 4L * LEAST.length);
    return sampling >= 0 && sampling <= 1;
  }
}
