package dev.rowan.core.kernel;

import static dev.rowan.core.kernel.ByteLanes.SIXTEEN;
import static dev.rowan.core.kernel.ByteLanes.high;
import static dev.rowan.core.kernel.ByteLanes.left;
import static dev.rowan.core.kernel.ByteLanes.low;
import static dev.rowan.core.kernel.ByteLanes.sixteen;
import static dev.rowan.core.kernel.SmallBlocks.half;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorMask;

/**
 * Unpackers of the blocks of 32 numbers, whose layouts stand in {@link SmallBlocks}: each writes
 * the quants of the block at {@code at} of the row, and its factors, as numbers {@code to} on.
 */
final class SmallUnpackers {
  /** The levels of the IQ4 formats. */
  static final ByteVector LEVELS = bytes(SmallBlocks.LEVELS, 1);

  /** Twice the values of MXFP4, of which the first eight are the magnitudes. */
  private static final ByteVector MAGNITUDES = bytes(SmallBlocks.FP4, 2);

  private SmallUnpackers() {}

  private static ByteVector bytes(float[] values, int factor) {
    byte[] bytes = new byte[16];
    for (int i = 0; i < 16; i++) {
      bytes[i] = (byte) (factor * values[i]);
    }
    return ByteVector.fromArray(SIXTEEN, bytes, 0);
  }

  static void q4p0(Unpacked u, int at, int to) {
    ByteVector q = sixteen(u.row, at + 2);
    low(q).sub((byte) 8).intoArray(u.quants, to);
    high(q).sub((byte) 8).intoArray(u.quants, to + 16);
    u.factors(to, 32, half(u.row, at), 0);
  }

  static void q4p1(Unpacked u, int at, int to) {
    ByteVector q = sixteen(u.row, at + 4);
    low(q).intoArray(u.quants, to);
    high(q).intoArray(u.quants, to + 16);
    u.factors(to, 32, half(u.row, at), -half(u.row, at + 2));
  }

  /** Returns 16 where the bit of a number is set, else 0. */
  private static ByteVector fifthBits(int bits) {
    return ByteVector.zero(SIXTEEN).blend(16, VectorMask.fromLong(SIXTEEN, bits & 0xFFFF));
  }

  static void q5p0(Unpacked u, int at, int to) {
    ByteVector q = sixteen(u.row, at + 6);
    int bits = SmallBlocks.word(u.row, at + 2);
    low(q).or(fifthBits(bits)).sub((byte) 16).intoArray(u.quants, to);
    high(q).or(fifthBits(bits >>> 16)).sub((byte) 16).intoArray(u.quants, to + 16);
    u.factors(to, 32, half(u.row, at), 0);
  }

  static void q5p1(Unpacked u, int at, int to) {
    ByteVector q = sixteen(u.row, at + 8);
    int bits = SmallBlocks.word(u.row, at + 4);
    low(q).or(fifthBits(bits)).intoArray(u.quants, to);
    high(q).or(fifthBits(bits >>> 16)).intoArray(u.quants, to + 16);
    u.factors(to, 32, half(u.row, at), -half(u.row, at + 2));
  }

  static void iq4nl(Unpacked u, int at, int to) {
    ByteVector q = sixteen(u.row, at + 2);
    low(q).selectFrom(LEVELS).intoArray(u.quants, to);
    high(q).selectFrom(LEVELS).intoArray(u.quants, to + 16);
    u.factors(to, 32, half(u.row, at), 0);
  }

  /** A quant's highest bit is a sign of its own: a byte knows no negative zero. */
  static void mxfp4(Unpacked u, int at, int to) {
    ByteVector q = sixteen(u.row, at + 1);
    signed(low(q)).intoArray(u.quants, to);
    signed(high(q)).intoArray(u.quants, to + 16);
    u.factors(to, 32, SmallBlocks.powerOfTwo(u.row[at]) / 2, 0);
  }

  private static ByteVector signed(ByteVector q) {
    return q.and((byte) 7).selectFrom(MAGNITUDES).or(left(q.and((byte) 8), 4));
  }
}
