package dev.rowan.core.kernel;

import static dev.rowan.core.kernel.ByteLanes.floats;
import static dev.rowan.core.kernel.ByteLanes.ints;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import org.jspecify.annotations.Nullable;

/**
 * SIMD twins of the decoders in {@link SmallBlocks}, {@link SuperBlocks} and {@link
 * CodebookBlocks}, equal to them to the last bit. Layouts stand there.
 *
 * <p>All of these formats mean y = scale · q − least, with a small whole number q and factors that
 * 16 or more neighbours share. So a row is decoded in two steps. The first, {@link SmallUnpackers}
 * or {@link SuperUnpackers}, unpacks the q of a row to signed bytes, sixteen at a time, which every
 * CPU can, and writes scale and least for each sixteen. The second, the same for all formats, turns
 * bytes into floats, as many as a vector has. The two commonest go a shorter way: {@link
 * PlainBlocks}.
 *
 * <p>An instance is scratch space for one thread.
 */
final class VectorBlocks {
  private static final int LANES = Lanes.COUNT;

  private final BlockFormat format;
  private final int stride;
  private final int blocks; // in a row
  private final int rowBytes;
  private final @Nullable PlainBlocks plain;
  private final Unpacked unpacked;

  /**
   * Makes scratch space for rows of a width.
   *
   * @param most rows at a time
   * @param stride numbers from a decoded row to the next
   */
  VectorBlocks(BlockFormat format, int width, int most, int stride) {
    this.format = format;
    this.stride = stride;
    this.blocks = width / format.blockSize();
    this.rowBytes = Math.toIntExact(format.rowBytes(width));
    if (PlainBlocks.supports(format)) {
      this.plain = new PlainBlocks(format, most, blocks, stride);
      this.unpacked = new Unpacked(0, 0);
    } else {
      this.plain = null;
      this.unpacked = new Unpacked(width, Math.multiplyExact(most, rowBytes));
    }
  }

  int rowBytes() {
    return rowBytes;
  }

  /**
   * Decodes rows that lie one behind the other.
   *
   * @param count 1 to the most that this was made for
   * @param target receives the first row from {@code to} on
   */
  void decode(MemorySegment data, long offset, int count, float[] target, int to) {
    if (plain != null) {
      plain.decode(data, offset, count, target, to);
      return;
    }
    // array reads are cheaper to check than reads of a segment
    MemorySegment.copy(data, JAVA_BYTE, offset, unpacked.row, 0, count * rowBytes);
    for (int r = 0; r < count; r++) {
      unpack(r * rowBytes);
      expand(target, to + r * stride);
    }
  }

  private void unpack(int from) {
    Unpacked u = unpacked;
    for (int b = 0; b < blocks; b++) {
      int at = from + b * format.blockBytes();
      int to = b * format.blockSize();
      switch (format) {
        case Q4_0 -> SmallUnpackers.q4p0(u, at, to);
        case Q4_1 -> SmallUnpackers.q4p1(u, at, to);
        case Q5_0 -> SmallUnpackers.q5p0(u, at, to);
        case Q5_1 -> SmallUnpackers.q5p1(u, at, to);
        case IQ4_NL -> SmallUnpackers.iq4nl(u, at, to);
        case MXFP4 -> SmallUnpackers.mxfp4(u, at, to);
        case Q2_K -> {
          SuperUnpackers.q2k(u.row, at, u.quants, to);
          SuperUnpackers.factorsQ2(u, at, to);
        }
        case Q3_K -> {
          SuperUnpackers.q3k(u.row, at, u.quants, to);
          SuperUnpackers.factorsQ3(u, at, to);
        }
        case Q4_K -> {
          SuperUnpackers.q4k(u.row, at, u.quants, to);
          SuperUnpackers.factorsQ4(u, at, to);
        }
        case Q5_K -> {
          SuperUnpackers.q5k(u.row, at, u.quants, to);
          SuperUnpackers.factorsQ4(u, at, to);
        }
        case IQ4_XS -> SuperUnpackers.iq4xs(u, at, to);
        case IQ3_S -> SuperUnpackers.iq3s(u, at, to);
        case Q6_K, Q8_0 -> throw new IllegalStateException("not packed: " + format);
      }
    }
  }

  private void expand(float[] target, int to) {
    Unpacked u = unpacked;
    switch (format) {
      case Q4_0, Q5_0, IQ4_NL, Q3_K, IQ4_XS, IQ3_S -> expand(u.quants, u.scales, target, to);
      case Q4_1, Q5_1, Q2_K, Q4_K, Q5_K -> expand(u.quants, u.scales, u.least, target, to);
      case MXFP4 -> expandSigned(u.quants, u.scales, target, to);
      case Q6_K, Q8_0 -> throw new IllegalStateException("not packed: " + format);
    }
  }

  private static void expand(byte[] quants, float[] scales, float[] target, int to) {
    for (int group = 0; group < scales.length; group++) {
      float scale = scales[group];
      for (int j = 0; j < 16; j += LANES) {
        int at = 16 * group + j;
        floats(quants, at).mul(scale).intoArray(target, to + at);
      }
    }
  }

  private static void expand(byte[] quants, float[] scales, float[] least, float[] target, int to) {
    for (int group = 0; group < scales.length; group++) {
      float scale = scales[group];
      float low = least[group];
      for (int j = 0; j < 16; j += LANES) {
        int at = 16 * group + j;
        floats(quants, at).mul(scale).sub(low).intoArray(target, to + at);
      }
    }
  }

  /** The sign of a quant becomes the sign of the float, also of zero. */
  private static void expandSigned(byte[] quants, float[] scales, float[] target, int to) {
    for (int group = 0; group < scales.length; group++) {
      float scale = scales[group];
      for (int j = 0; j < 16; j += LANES) {
        int at = 16 * group + j;
        IntVector quant = ints(quants, at);
        FloatVector number =
            (FloatVector) quant.and(0x7F).convertShape(VectorOperators.I2F, Lanes.FLOATS, 0);
        number
            .mul(scale)
            .reinterpretAsInts()
            .or(quant.and(Integer.MIN_VALUE))
            .reinterpretAsFloats()
            .intoArray(target, to + at);
      }
    }
  }
}
