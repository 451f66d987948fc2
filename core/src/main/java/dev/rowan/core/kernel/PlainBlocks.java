package dev.rowan.core.kernel;

import static dev.rowan.core.kernel.ByteLanes.RUN;
import static dev.rowan.core.kernel.ByteLanes.field;
import static dev.rowan.core.kernel.ByteLanes.floats;
import static dev.rowan.core.kernel.ByteLanes.high;
import static dev.rowan.core.kernel.ByteLanes.left;
import static dev.rowan.core.kernel.ByteLanes.low;
import static dev.rowan.core.kernel.ByteLanes.run;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * SIMD decoders of Q8_0 and Q6_K, read where they are: their factors are plain to see, so nothing
 * is worth a copy, which takes as long as to unpack the numbers. Rows that lie one behind the other
 * are one run of blocks. Layouts stand in {@link SmallBlocks} and {@link SuperBlocks}, to whose
 * results these are equal to the last bit.
 *
 * <p>Only native memory is read in place: code that has met arrays too asks at each load which it
 * is. An instance is scratch space for one thread.
 */
final class PlainBlocks {
  private static final VectorSpecies<Float> FLOATS = Lanes.FLOATS;
  private static final int LANES = Lanes.COUNT;

  /** Blocks of Q6_K that are unpacked before they are multiplied: 1.5 KiB of the first cache. */
  private static final int UNPACKED = 6;

  private static final ValueLayout.OfShort HALF =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final BlockFormat format;
  private final short[] halves; // Q8_0: the scale of each block
  private final float[] scales; // Q8_0: of each block; Q6_K: of each 16 numbers
  private final byte[] quants;
  private final int blocks; // in a row
  private final int stride;
  private final int most;
  private @Nullable MemorySegment copy;

  /**
   * Makes scratch space.
   *
   * @param rows the most at once
   * @param blocks in a row
   * @param stride numbers from a decoded row to the next
   */
  PlainBlocks(BlockFormat format, int rows, int blocks, int stride) {
    boolean bytes = format == BlockFormat.Q8_0;
    this.format = format;
    this.blocks = blocks;
    this.stride = stride;
    this.most = Math.multiplyExact(rows, blocks);
    this.halves = new short[bytes ? most : 0];
    this.scales = new float[bytes ? most : Math.multiplyExact(16, most)];
    int numbers = Math.multiplyExact(most, format.blockSize());
    this.quants = new byte[bytes ? 0 : Math.addExact(numbers, Lanes.COUNT)]; // loads reach beyond
  }

  static boolean supports(BlockFormat format) {
    return format == BlockFormat.Q8_0 || format == BlockFormat.Q6_K;
  }

  /**
   * Decodes rows that lie one behind the other.
   *
   * @param target receives the first row from {@code to} on
   */
  void decode(MemorySegment data, long offset, int rows, float[] target, int to) {
    if (isReadInPlace(data)) {
      decodeNative(data, offset, rows, target, to);
    } else {
      decodeNative(copied(data, offset, rows * blocks), 0, rows, target, to);
    }
  }

  /**
   * Vectors of 128 bits take half of the bytes that they load: theirs reach beyond the last row.
   */
  private static boolean isReadInPlace(MemorySegment data) {
    return data.isNative() && LANES >= 8;
  }

  private MemorySegment copied(MemorySegment data, long offset, int blocks) {
    MemorySegment target = copy;
    if (target == null) {
      target = Arena.ofAuto().allocate((long) most * format.blockBytes() + Lanes.COUNT, 64);
      copy = target;
    }
    MemorySegment.copy(data, offset, target, 0, (long) blocks * format.blockBytes());
    return target;
  }

  private void decodeNative(MemorySegment data, long offset, int rows, float[] target, int to) {
    if (format == BlockFormat.Q8_0) {
      for (int r = 0; r < rows; r++) {
        expandQ8(data, offset + 34L * r * blocks, blocks, target, to + r * stride);
      }
      return;
    }
    unpackQ6(data, offset, rows * blocks, quants);
    scalesQ6(data, offset, rows * blocks, scales);
    int groups = 16 * blocks;
    for (int r = 0; r < rows; r++) {
      expandQ6(quants, scales, r * groups, groups, target, to + r * stride);
    }
  }

  /**
   * Converts a row's scales all at once: one at a time between products they cost half the speed.
   */
  private void scalesQ8(MemorySegment data, long offset, int blocks) {
    halves(data, offset, blocks, halves);
    convert(halves, blocks, scales);
  }

  private static void halves(MemorySegment data, long offset, int count, short[] halves) {
    for (int b = 0; b < count; b++) {
      halves[b] = data.get(HALF, offset + 34L * b);
    }
  }

  /** A loop that the compiler turns into vectors by itself. */
  private static void convert(short[] halves, int count, float[] floats) {
    for (int i = 0; i < count; i++) {
      floats[i] = Float.float16ToFloat(halves[i]);
    }
  }

  private static void expandQ8(
      MemorySegment data, long offset, int blocks, float[] target, int to) {
    for (int b = 0; b < blocks; b++) {
      long block = offset + 34L * b;
      float scale = Float.float16ToFloat(data.get(HALF, block));
      int at = to + 32 * b;
      floats(data, block + 2).mul(scale).intoArray(target, at);
      floats(data, block + 2 + LANES).mul(scale).intoArray(target, at + LANES);
      if (LANES < 16) { // a loop of no turns costs a fifth of the speed
        for (int j = 2 * LANES; j < 32; j += LANES) {
          floats(data, block + 2 + j).mul(scale).intoArray(target, at + j);
        }
      }
    }
  }

  /**
   * Unpacks numbers to signed bytes, four runs at a time: low four bits from two runs of bytes,
   * high two bits from one. More in one method, such as the factors, would outgrow the compiler's
   * inlining budget.
   */
  private static void unpackQ6(MemorySegment data, long offset, int blocks, byte[] quants) {
    for (int b = 0; b < blocks; b++) {
      long block = offset + 210L * b;
      for (int i = 0; i < 64; i += RUN.length()) {
        long nibbles = block + 64L * (i >> 5) + (i & 31);
        ByteVector q0 = run(data, nibbles);
        ByteVector q1 = run(data, nibbles + 32);
        ByteVector h = run(data, block + 128 + i);
        int to = 256 * b + 128 * (i >> 5) + (i & 31);
        number(low(q0), left(h.and((byte) 3), 4)).intoArray(quants, to);
        number(low(q1), left(h.and((byte) 12), 2)).intoArray(quants, to + 32);
        number(high(q0), h.and((byte) 48)).intoArray(quants, to + 64);
        number(high(q1), field(h, 2, 48)).intoArray(quants, to + 96);
      }
    }
  }

  private static ByteVector number(ByteVector low, ByteVector high) {
    return low.or(high).sub((byte) 32);
  }

  private static void scalesQ6(MemorySegment data, long offset, int blocks, float[] scales) {
    for (int b = 0; b < blocks; b++) {
      long block = offset + 210L * b;
      float d = Float.float16ToFloat(data.get(HALF, block + 208));
      for (int k = 0; k < 16; k += LANES) {
        floats(data, block + 192 + k).mul(d).intoArray(scales, 16 * b + k);
      }
    }
  }

  private static void expandQ6(
      byte[] quants, float[] scales, int first, int groups, float[] target, int to) {
    for (int g = 0; g < groups; g++) {
      float scale = scales[first + g];
      int from = 16 * (first + g);
      int at = to + 16 * g;
      floats(quants, from).mul(scale).intoArray(target, at);
      if (LANES < 16) {
        for (int j = LANES; j < 16; j += LANES) {
          floats(quants, from + j).mul(scale).intoArray(target, at + j);
        }
      }
    }
  }

  /**
   * Multiplies one row with one query, number by number as if it were decoded first.
   *
   * @param query d numbers
   */
  float dot(MemorySegment data, long offset, float[] query) {
    if (isReadInPlace(data)) {
      return dotNative(data, offset, query);
    }
    return dotNative(copied(data, offset, blocks), 0, query);
  }

  private float dotNative(MemorySegment data, long offset, float[] query) {
    if (format == BlockFormat.Q8_0) {
      scalesQ8(data, offset, blocks);
      return dotQ8(data, offset, scales, query);
    }
    float sum = 0;
    for (int b = 0; b < blocks; b += UNPACKED) {
      int here = Math.min(UNPACKED, blocks - b);
      long from = offset + 210L * b;
      unpackQ6(data, from, here, quants);
      scalesQ6(data, from, here, scales);
      sum += dotQ6(quants, scales, 16 * here, query, 256 * b);
    }
    return sum;
  }

  private static float dotQ6(byte[] quants, float[] scales, int groups, float[] query, int from) {
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    for (int g = 0; g < groups; g += 4) {
      for (int j = 0; j < 16; j += LANES) {
        int i = 16 * g + j;
        int q = from + i;
        s0 = floats(quants, i).mul(scales[g]).fma(query(query, q), s0);
        s1 = floats(quants, i + 16).mul(scales[g + 1]).fma(query(query, q + 16), s1);
        s2 = floats(quants, i + 32).mul(scales[g + 2]).fma(query(query, q + 32), s2);
        s3 = floats(quants, i + 48).mul(scales[g + 3]).fma(query(query, q + 48), s3);
      }
    }
    return s0.add(s1).add(s2.add(s3)).reduceLanes(VectorOperators.ADD);
  }

  private static float dotQ8(MemorySegment data, long row, float[] scales, float[] query) {
    int width = query.length;
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    int i = 0;
    for (; i <= width - 4 * LANES; i += 4 * LANES) {
      s0 = numbersQ8(data, row, scales, i).fma(query(query, i), s0);
      s1 = numbersQ8(data, row, scales, i + LANES).fma(query(query, i + LANES), s1);
      s2 = numbersQ8(data, row, scales, i + 2 * LANES).fma(query(query, i + 2 * LANES), s2);
      s3 = numbersQ8(data, row, scales, i + 3 * LANES).fma(query(query, i + 3 * LANES), s3);
    }
    for (; i < width; i += LANES) {
      s0 = numbersQ8(data, row, scales, i).fma(query(query, i), s0);
    }
    return s0.add(s1).add(s2.add(s3)).reduceLanes(VectorOperators.ADD);
  }

  private static FloatVector numbersQ8(MemorySegment data, long row, float[] scales, int i) {
    return floats(data, row + 34L * (i >> 5) + 2 + (i & 31)).mul(scales[i >> 5]);
  }

  private static FloatVector query(float[] query, int at) {
    return FloatVector.fromArray(FLOATS, query, at);
  }
}
