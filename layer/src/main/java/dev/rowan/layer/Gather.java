package dev.rowan.layer;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.core.kernel.RowKernels;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Copies looked-up rows as float32 into a buffer, split among workers where it is large. */
final class Gather {
  // 256 KiB a chunk: some 20 µs of copying, well above the cost of handing a chunk to a worker
  private static final long CHUNK_BYTES = 256 << 10;
  private static final ValueLayout.OfShort SHORT =
      JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Gather() {}

  static void rows(WeightTable weights, long[] ids, MemorySegment target, float scale) {
    int chunk = chunkRows(weights.width());
    if (ids.length <= chunk) {
      part(weights, ids, 0, ids.length, target, scale);
      return;
    }
    Parallel.run(
        weights.workers(),
        Parallel.chunks(ids.length, chunk),
        () ->
            c -> {
              int from = (int) c * chunk;
              part(weights, ids, from, Math.min(ids.length, from + chunk), target, scale);
            });
  }

  static void rows(WeightTable weights, int[] ids, MemorySegment target, float scale) {
    int chunk = chunkRows(weights.width());
    if (ids.length <= chunk) {
      part(weights, ids, 0, ids.length, target, scale);
      return;
    }
    Parallel.run(
        weights.workers(),
        Parallel.chunks(ids.length, chunk),
        () ->
            c -> {
              int from = (int) c * chunk;
              part(weights, ids, from, Math.min(ids.length, from + chunk), target, scale);
            });
  }

  private static int chunkRows(int width) {
    return (int) Math.max(8, CHUNK_BYTES / (4L * width) / 8 * 8); // kernels take 8 rows at a time
  }

  private static void part(
      WeightTable weights, long[] ids, int from, int to, MemorySegment target, float scale) {
    int width = weights.width();
    float[] array = arrayOf(target);
    if (weights.format() != FloatFormat.F32) {
      for (int p = from; p < to; p++) {
        decode(weights, ids[p], target, 4L * p * width);
      }
    } else if (array != null) {
      RowKernels.best().copyRows(weights.data(), width, ids, from, to, array);
    } else {
      RowKernels.best().copyRows(weights.data(), width, ids, from, to, target);
    }
    scale(target, (long) from * width, (long) to * width, scale);
  }

  private static void part(
      WeightTable weights, int[] ids, int from, int to, MemorySegment target, float scale) {
    int width = weights.width();
    float[] array = arrayOf(target);
    if (weights.format() != FloatFormat.F32) {
      for (int p = from; p < to; p++) {
        decode(weights, ids[p], target, 4L * p * width);
      }
    } else if (array != null) {
      RowKernels.best().copyRows(weights.data(), width, ids, from, to, array);
    } else {
      RowKernels.best().copyRows(weights.data(), width, ids, from, to, target);
    }
    scale(target, (long) from * width, (long) to * width, scale);
  }

  /**
   * Returns the array behind a segment that begins with its first place. The kernels take arrays
   * and outside memory by different methods: one that sees both kinds of segment is slow for each.
   */
  private static float @Nullable [] arrayOf(MemorySegment target) {
    return target.heapBase().orElse(null) instanceof float[] array
            && MemorySegment.ofArray(array).equals(target)
        ? array
        : null;
  }

  /** Decodes a 16-bit row straight into the buffer, so that no scratch row is needed. */
  private static void decode(WeightTable weights, long id, MemorySegment target, long at) {
    int width = weights.width();
    MemorySegment data = weights.data();
    long from = id * weights.format().rowBytes(width);
    if (weights.format() == FloatFormat.BF16) {
      for (int i = 0; i < width; i++) {
        int bits = data.get(SHORT, from + 2L * i) << 16;
        target.set(JAVA_FLOAT_UNALIGNED, at + 4L * i, Float.intBitsToFloat(bits));
      }
    } else {
      for (int i = 0; i < width; i++) {
        float value = Float.float16ToFloat(data.get(SHORT, from + 2L * i));
        target.set(JAVA_FLOAT_UNALIGNED, at + 4L * i, value);
      }
    }
  }

  private static void scale(MemorySegment target, long from, long to, float scale) {
    if (scale == 1) {
      return;
    }
    for (long i = from; i < to; i++) {
      target.set(JAVA_FLOAT_UNALIGNED, 4 * i, scale * target.get(JAVA_FLOAT_UNALIGNED, 4 * i));
    }
  }
}
