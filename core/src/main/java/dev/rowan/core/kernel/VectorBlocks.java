package dev.rowan.core.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * SIMD twins of the decoders in {@link SmallBlocks} and {@link SuperBlocks}, equal to them to the
 * last bit. Layouts stand there.
 *
 * <p>All of these formats mean y = scale · q − least, with a small whole number q and factors that
 * 16 or more neighbours share. So a row is decoded in two steps. The first unpacks the q of a row
 * to signed bytes, sixteen at a time, which every CPU can, and writes scale and least for each
 * sixteen. The second, the same for all formats, turns bytes into floats, as many as a vector has.
 *
 * <p>An instance is scratch space for one thread, and holds the bytes of some rows.
 */
final class VectorBlocks {
  private static final VectorSpecies<Byte> SIXTEEN = ByteVector.SPECIES_128;

  /** Runs of 32 bytes, in one vector or in two. */
  private static final VectorSpecies<Byte> RUN =
      Lanes.BITS >= 256 ? ByteVector.SPECIES_256 : SIXTEEN;

  /** Bytes that become one vector of floats; with vectors of 128 bits, two. */
  private static final VectorSpecies<Byte> QUANTS =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(Math.max(64, Lanes.BITS / 4)));

  private static final VectorSpecies<Float> FLOATS = Lanes.FLOATS;
  private static final int LANES = Lanes.COUNT;
  private static final ByteVector LEVELS = levels();

  private static final ValueLayout.OfShort HALF =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private final BlockFormat format;
  private final int width;
  private final int rowBytes;
  private final byte[] row; // several
  private final short[] halves; // Q8_0: the scale of each block
  private final byte[] quants;
  private final float[] scales; // for each 16 numbers
  private final float[] least;

  private VectorBlocks(BlockFormat format, int width) {
    this.format = format;
    this.width = width;
    this.rowBytes = Math.toIntExact(format.rowBytes(width));
    this.row = new byte[Math.multiplyExact(Panel.ROWS, rowBytes) + QUANTS.length()];
    this.halves = new short[format == BlockFormat.Q8_0 ? Panel.ROWS * (width / 32) : 0];
    this.quants = new byte[width + QUANTS.length()]; // a load may reach beyond what it uses
    this.scales = new float[format == BlockFormat.Q8_0 ? halves.length : width / 16];
    this.least = new float[width / 16];
  }

  private static ByteVector levels() {
    byte[] levels = new byte[16];
    for (int i = 0; i < 16; i++) {
      levels[i] = (byte) SmallBlocks.LEVELS[i];
    }
    return ByteVector.fromArray(SIXTEEN, levels, 0);
  }

  /** Returns whether a format has a decoder here. */
  static boolean supports(RowFormat format) {
    return format instanceof BlockFormat block
        && switch (block) {
          case Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, IQ4_NL -> true;
          case Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, IQ4_XS -> true;
          case MXFP4, IQ3_S -> false; // fractions, and look-ups of four at a time
        };
  }

  /** Returns scratch space for rows of a format that is {@linkplain #supports supported}. */
  static VectorBlocks of(BlockFormat format, int width) {
    return new VectorBlocks(format, width);
  }

  int rowBytes() {
    return rowBytes;
  }

  /**
   * Decodes one row.
   *
   * @param target receives d numbers
   */
  void decode(MemorySegment data, long offset, float[] target) {
    load(data, offset, 1);
    decode(0, target);
  }

  /**
   * Decodes rows that lie one behind the other.
   *
   * @param count 1 to {@link Panel#ROWS}
   * @param target an array a row, which receives d numbers
   */
  void decode(MemorySegment data, long offset, int count, float[][] target) {
    load(data, offset, count);
    for (int r = 0; r < count; r++) {
      decode(r, target[r]);
    }
  }

  private void decode(int r, float[] target) {
    int blocks = width / format.blockSize();
    int from = r * rowBytes;
    switch (format) {
      case Q8_0 -> expandQ8(row, from, scales, r * blocks, width, target);
      case Q6_K -> {
        for (int b = 0; b < blocks; b++) {
          q6k(row, from + 210 * b, quants, 256 * b);
          factorsQ6(row, from + 210 * b, scales, 16 * b);
        }
        expand(quants, scales, width, target);
      }
      case Q4_0, IQ4_NL, Q5_0, Q3_K, IQ4_XS -> {
        unpack(from, blocks);
        expand(quants, scales, width, target);
      }
      case Q4_1, Q5_1, Q2_K, Q4_K, Q5_K -> {
        unpack(from, blocks);
        expand(quants, scales, least, width, target);
      }
      case MXFP4, IQ3_S -> throw new IllegalStateException("no SIMD decoder for " + format);
    }
  }

  /**
   * Copies rows that lie one behind the other: array reads are cheaper to check than reads of a
   * segment. The scales of Q8_0 are converted all at once: one at a time between vectors they cost
   * half the speed.
   *
   * @param count 1 to {@link Panel#ROWS}
   */
  private void load(MemorySegment data, long offset, int count) {
    MemorySegment.copy(data, JAVA_BYTE, offset, row, 0, count * rowBytes);
    if (format == BlockFormat.Q8_0) {
      int blocks = count * (width / 32);
      for (int b = 0; b < blocks; b++) {
        halves[b] = (short) SHORT.get(row, 34 * b);
      }
      convert(halves, blocks, scales);
    }
  }

  /** A loop that the compiler turns into vectors by itself. */
  private static void convert(short[] halves, int count, float[] floats) {
    for (int i = 0; i < count; i++) {
      floats[i] = Float.float16ToFloat(halves[i]);
    }
  }

  private void unpack(int from, int blocks) {
    for (int b = 0; b < blocks; b++) {
      int at = from + b * format.blockBytes();
      int to = b * format.blockSize();
      switch (format) {
        case Q4_0 -> q4p0(at, to);
        case Q4_1 -> q4p1(at, to);
        case Q5_0 -> q5p0(at, to);
        case Q5_1 -> q5p1(at, to);
        case IQ4_NL -> iq4nl(at, to);
        case Q2_K -> {
          q2k(row, at, quants, to);
          factorsQ2(at, to);
        }
        case Q3_K -> {
          q3k(row, at, quants, to);
          factorsQ3(at, to);
        }
        case Q4_K -> {
          q4k(row, at, quants, to);
          factorsQ4(at, to);
        }
        case Q5_K -> {
          q5k(row, at, quants, to);
          factorsQ4(at, to);
        }
        case IQ4_XS -> iq4xs(at, to);
        case Q6_K, Q8_0, MXFP4, IQ3_S -> throw new IllegalStateException("not packed: " + format);
      }
    }
  }

  /** Returns the floats of the next quants: {@link #LANES} of them. */
  private static FloatVector floats(byte[] quants, int at) {
    ByteVector bytes = ByteVector.fromArray(QUANTS, quants, at);
    return (FloatVector) bytes.convertShape(VectorOperators.B2F, FLOATS, 0);
  }

  /**
   * Returns whether {@link #decodeQ8} reads these rows. Vectors of 128 bits take half of the bytes
   * that they load, so theirs would reach beyond the last row.
   */
  boolean decodesInPlace() {
    return format == BlockFormat.Q8_0 && LANES >= 8;
  }

  /**
   * Decodes rows of Q8_0 that lie one behind the other, straight from where they are: there is
   * nothing to unpack that would be worth a copy, and memory is read while numbers are computed.
   *
   * @param count 1 to {@link Panel#ROWS}
   * @param target an array a row, which receives d numbers
   */
  void decodeQ8(MemorySegment data, long offset, int count, float[][] target) {
    int blocks = width / 32;
    halves(data, offset, count * blocks, halves);
    convert(halves, count * blocks, scales);
    for (int r = 0; r < count; r++) {
      expandQ8(data, offset + (long) r * rowBytes, scales, r * blocks, width, target[r]);
    }
  }

  private static void halves(MemorySegment data, long offset, int count, short[] halves) {
    for (int b = 0; b < count; b++) {
      halves[b] = data.get(HALF, offset + 34L * b);
    }
  }

  private static void expandQ8(
      MemorySegment data, long row, float[] scales, int firstScale, int width, float[] target) {
    for (int b = 0; b < width / 32; b++) {
      float scale = scales[firstScale + b];
      long from = row + 34L * b + 2;
      for (int j = 0; j < 32; j += LANES) {
        ByteVector bytes =
            ByteVector.fromMemorySegment(QUANTS, data, from + j, ByteOrder.LITTLE_ENDIAN);
        ((FloatVector) bytes.convertShape(VectorOperators.B2F, FLOATS, 0))
            .mul(scale)
            .intoArray(target, 32 * b + j);
      }
    }
  }

  /** Block by block: places that are computed from i by shifts are checked one by one. */
  private static void expandQ8(
      byte[] row, int first, float[] scales, int firstScale, int width, float[] target) {
    for (int b = 0; b < width / 32; b++) {
      float scale = scales[firstScale + b];
      int from = first + 34 * b + 2;
      int to = 32 * b;
      for (int j = 0; j < 32; j += LANES) {
        floats(row, from + j).mul(scale).intoArray(target, to + j);
      }
    }
  }

  private static void expand(byte[] quants, float[] scales, int width, float[] target) {
    for (int group = 0; group < width / 16; group++) {
      float scale = scales[group];
      for (int j = 0; j < 16; j += LANES) {
        floats(quants, 16 * group + j).mul(scale).intoArray(target, 16 * group + j);
      }
    }
  }

  private static void expand(
      byte[] quants, float[] scales, float[] least, int width, float[] target) {
    for (int group = 0; group < width / 16; group++) {
      float scale = scales[group];
      float low = least[group];
      for (int j = 0; j < 16; j += LANES) {
        floats(quants, 16 * group + j).mul(scale).sub(low).intoArray(target, 16 * group + j);
      }
    }
  }

  /**
   * Multiplies one row of Q8_0 with one query, number by number as if it were decoded first.
   *
   * @param query d numbers
   */
  float dotQ8(MemorySegment data, long offset, float[] query) {
    load(data, offset, 1);
    return dotQ8(row, scales, query, width);
  }

  private static float dotQ8(byte[] row, float[] scales, float[] query, int width) {
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    int i = 0;
    for (; i <= width - 4 * LANES; i += 4 * LANES) {
      s0 = numbersQ8(row, scales, i).fma(query(query, i), s0);
      s1 = numbersQ8(row, scales, i + LANES).fma(query(query, i + LANES), s1);
      s2 = numbersQ8(row, scales, i + 2 * LANES).fma(query(query, i + 2 * LANES), s2);
      s3 = numbersQ8(row, scales, i + 3 * LANES).fma(query(query, i + 3 * LANES), s3);
    }
    for (; i < width; i += LANES) {
      s0 = numbersQ8(row, scales, i).fma(query(query, i), s0);
    }
    return s0.add(s1).add(s2.add(s3)).reduceLanes(VectorOperators.ADD);
  }

  private static FloatVector numbersQ8(byte[] row, float[] scales, int i) {
    return floats(row, 34 * (i >> 5) + 2 + (i & 31)).mul(scales[i >> 5]);
  }

  private static FloatVector query(float[] query, int at) {
    return FloatVector.fromArray(FLOATS, query, at);
  }

  private ByteVector bytes(int at) {
    return bytes(row, at);
  }

  private static ByteVector bytes(byte[] row, int at) {
    return ByteVector.fromArray(SIXTEEN, row, at);
  }

  /** Shifts each byte right and keeps its lowest bits: CPUs shift no bytes, but whole ints. */
  private static ByteVector field(ByteVector bytes, int shift, int mask) {
    return bytes
        .reinterpretAsInts()
        .lanewise(VectorOperators.LSHR, shift)
        .reinterpretAsBytes()
        .and((byte) mask);
  }

  /** Moves the lowest bits of each byte left. */
  private static ByteVector left(ByteVector bytes, int shift) {
    return bytes.reinterpretAsInts().lanewise(VectorOperators.LSHL, shift).reinterpretAsBytes();
  }

  private static ByteVector low(ByteVector bytes) {
    return bytes.and((byte) 15);
  }

  private static ByteVector high(ByteVector bytes) {
    return field(bytes, 4, 15);
  }

  private void factors(int to, int count, float scale, float minus) {
    for (int g = to / 16; g < (to + count) / 16; g++) {
      scales[g] = scale;
      least[g] = minus;
    }
  }

  private void q4p0(int at, int to) {
    ByteVector q = bytes(at + 2);
    low(q).sub((byte) 8).intoArray(quants, to);
    high(q).sub((byte) 8).intoArray(quants, to + 16);
    factors(to, 32, SmallBlocks.half(row, at), 0);
  }

  private void q4p1(int at, int to) {
    ByteVector q = bytes(at + 4);
    low(q).intoArray(quants, to);
    high(q).intoArray(quants, to + 16);
    factors(to, 32, SmallBlocks.half(row, at), -SmallBlocks.half(row, at + 2));
  }

  /** Returns 16 where the bit of a number is set, else 0. */
  private static ByteVector fifthBits(int bits) {
    return ByteVector.zero(SIXTEEN).blend(16, VectorMask.fromLong(SIXTEEN, bits & 0xFFFF));
  }

  private void q5p0(int at, int to) {
    ByteVector q = bytes(at + 6);
    int bits = SmallBlocks.word(row, at + 2);
    low(q).or(fifthBits(bits)).sub((byte) 16).intoArray(quants, to);
    high(q).or(fifthBits(bits >>> 16)).sub((byte) 16).intoArray(quants, to + 16);
    factors(to, 32, SmallBlocks.half(row, at), 0);
  }

  private void q5p1(int at, int to) {
    ByteVector q = bytes(at + 8);
    int bits = SmallBlocks.word(row, at + 4);
    low(q).or(fifthBits(bits)).intoArray(quants, to);
    high(q).or(fifthBits(bits >>> 16)).intoArray(quants, to + 16);
    factors(to, 32, SmallBlocks.half(row, at), -SmallBlocks.half(row, at + 2));
  }

  private void iq4nl(int at, int to) {
    ByteVector q = bytes(at + 2);
    low(q).selectFrom(LEVELS).intoArray(quants, to);
    high(q).selectFrom(LEVELS).intoArray(quants, to + 16);
    factors(to, 32, SmallBlocks.half(row, at), 0);
  }

  private static ByteVector run(byte[] row, int at) {
    return ByteVector.fromArray(RUN, row, at);
  }

  private static void q2k(byte[] row, int at, byte[] quants, int to) {
    for (int l = 0; l < 32; l += RUN.length()) {
      for (int n = 0; n < 2; n++) {
        ByteVector q = run(row, at + 16 + 32 * n + l);
        int i = to + 128 * n + l;
        field(q, 0, 3).intoArray(quants, i);
        field(q, 2, 3).intoArray(quants, i + 32);
        field(q, 4, 3).intoArray(quants, i + 64);
        field(q, 6, 3).intoArray(quants, i + 96);
      }
    }
  }

  private void factorsQ2(int at, int to) {
    float d = SmallBlocks.half(row, at + 80);
    float m = SmallBlocks.half(row, at + 82);
    for (int k = 0; k < 16; k++) {
      int c = row[at + k];
      scales[to / 16 + k] = d * (c & 15);
      least[to / 16 + k] = m * ((c >> 4) & 15);
    }
  }

  private static void q3k(byte[] row, int at, byte[] quants, int to) {
    for (int l = 0; l < 32; l += RUN.length()) {
      ByteVector h = run(row, at + l);
      for (int n = 0; n < 2; n++) {
        ByteVector q = run(row, at + 32 + 32 * n + l);
        ByteVector above = field(h, 4 * n, 15);
        int i = to + 128 * n + l;
        lessFour(field(q, 0, 3), above, 0).intoArray(quants, i);
        lessFour(field(q, 2, 3), above, 1).intoArray(quants, i + 32);
        lessFour(field(q, 4, 3), above, 2).intoArray(quants, i + 64);
        lessFour(field(q, 6, 3), above, 3).intoArray(quants, i + 96);
      }
    }
  }

  private static ByteVector lessFour(ByteVector low, ByteVector above, int bit) {
    return low.or(left(field(above, bit, 1), 2)).sub((byte) 4);
  }

  private void factorsQ3(int at, int to) {
    float d = SmallBlocks.half(row, at + 108);
    for (int k = 0; k < 16; k++) {
      scales[to / 16 + k] = d * SuperBlocks.scaleQ3(row, at, k);
    }
  }

  private static void q4k(byte[] row, int at, byte[] quants, int to) {
    for (int l = 0; l < 32; l += RUN.length()) {
      for (int n = 0; n < 4; n++) {
        ByteVector q = run(row, at + 16 + 32 * n + l);
        low(q).intoArray(quants, to + 64 * n + l);
        high(q).intoArray(quants, to + 64 * n + 32 + l);
      }
    }
  }

  private static void q5k(byte[] row, int at, byte[] quants, int to) {
    for (int l = 0; l < 32; l += RUN.length()) {
      ByteVector h = run(row, at + 16 + l);
      for (int n = 0; n < 4; n++) {
        ByteVector q = run(row, at + 48 + 32 * n + l);
        int i = to + 64 * n + l;
        low(q).or(left(field(h, 2 * n, 1), 4)).intoArray(quants, i);
        high(q).or(left(field(h, 2 * n + 1, 1), 4)).intoArray(quants, i + 32);
      }
    }
  }

  private void factorsQ4(int at, int to) {
    float d = SmallBlocks.half(row, at);
    float m = SmallBlocks.half(row, at + 2);
    for (int k = 0; k < 8; k++) {
      float scale = d * SuperBlocks.scale(row, at + 4, k);
      factors(to + 32 * k, 32, scale, m * SuperBlocks.min(row, at + 4, k));
    }
  }

  private static void q6k(byte[] row, int at, byte[] quants, int to) {
    for (int l = 0; l < 32; l += RUN.length()) {
      for (int n = 0; n < 2; n++) {
        ByteVector q0 = run(row, at + 64 * n + l);
        ByteVector q1 = run(row, at + 64 * n + 32 + l);
        ByteVector h = run(row, at + 128 + 32 * n + l);
        int i = to + 128 * n + l;
        low(q0).or(left(h.and((byte) 3), 4)).sub((byte) 32).intoArray(quants, i);
        low(q1).or(left(h.and((byte) 12), 2)).sub((byte) 32).intoArray(quants, i + 32);
        high(q0).or(h.and((byte) 48)).sub((byte) 32).intoArray(quants, i + 64);
        high(q1).or(field(h, 2, 48)).sub((byte) 32).intoArray(quants, i + 96);
      }
    }
  }

  private static void factorsQ6(byte[] row, int at, float[] scales, int to) {
    float d = SmallBlocks.half(row, at + 208);
    for (int k = 0; k < 16; k += LANES) {
      floats(row, at + 192 + k).mul(d).intoArray(scales, to + k);
    }
  }

  private void iq4xs(int at, int to) {
    float d = SmallBlocks.half(row, at);
    for (int k = 0; k < 8; k++) {
      ByteVector q = bytes(at + 8 + 16 * k);
      low(q).selectFrom(LEVELS).intoArray(quants, to + 32 * k);
      high(q).selectFrom(LEVELS).intoArray(quants, to + 32 * k + 16);
      factors(to + 32 * k, 32, d * SuperBlocks.scaleIq4(row, at, k), 0);
    }
  }
}
