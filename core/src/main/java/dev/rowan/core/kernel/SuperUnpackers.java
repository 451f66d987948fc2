package dev.rowan.core.kernel;

import static dev.rowan.core.kernel.ByteLanes.RUN;
import static dev.rowan.core.kernel.ByteLanes.SIXTEEN;
import static dev.rowan.core.kernel.ByteLanes.field;
import static dev.rowan.core.kernel.ByteLanes.high;
import static dev.rowan.core.kernel.ByteLanes.left;
import static dev.rowan.core.kernel.ByteLanes.low;
import static dev.rowan.core.kernel.ByteLanes.run;
import static dev.rowan.core.kernel.ByteLanes.sixteen;
import static dev.rowan.core.kernel.SmallBlocks.half;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorMask;

/**
 * Unpackers of the blocks of 256 numbers, whose layouts stand in {@link SuperBlocks} and {@link
 * CodebookBlocks}: each writes the quants of the block at {@code at} of the row, and its factors,
 * as numbers {@code to} on.
 */
final class SuperUnpackers {
  private SuperUnpackers() {}

  static void q2k(byte[] row, int at, byte[] quants, int to) {
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

  static void factorsQ2(Unpacked u, int at, int to) {
    float d = half(u.row, at + 80);
    float m = half(u.row, at + 82);
    for (int k = 0; k < 16; k++) {
      int c = u.row[at + k];
      u.scales[to / 16 + k] = d * (c & 15);
      u.least[to / 16 + k] = m * ((c >> 4) & 15);
    }
  }

  static void q3k(byte[] row, int at, byte[] quants, int to) {
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

  static void factorsQ3(Unpacked u, int at, int to) {
    float d = half(u.row, at + 108);
    for (int k = 0; k < 16; k++) {
      u.scales[to / 16 + k] = d * SuperBlocks.scaleQ3(u.row, at, k);
    }
  }

  static void q4k(byte[] row, int at, byte[] quants, int to) {
    for (int l = 0; l < 32; l += RUN.length()) {
      for (int n = 0; n < 4; n++) {
        ByteVector q = run(row, at + 16 + 32 * n + l);
        low(q).intoArray(quants, to + 64 * n + l);
        high(q).intoArray(quants, to + 64 * n + 32 + l);
      }
    }
  }

  static void q5k(byte[] row, int at, byte[] quants, int to) {
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

  static void factorsQ4(Unpacked u, int at, int to) {
    float d = half(u.row, at);
    float m = half(u.row, at + 2);
    for (int k = 0; k < 8; k++) {
      float scale = d * SuperBlocks.scale(u.row, at + 4, k);
      u.factors(to + 32 * k, 32, scale, m * SuperBlocks.min(u.row, at + 4, k));
    }
  }

  static void iq4xs(Unpacked u, int at, int to) {
    float d = half(u.row, at);
    for (int k = 0; k < 8; k++) {
      ByteVector q = sixteen(u.row, at + 8 + 16 * k);
      low(q).selectFrom(SmallUnpackers.LEVELS).intoArray(u.quants, to + 32 * k);
      high(q).selectFrom(SmallUnpackers.LEVELS).intoArray(u.quants, to + 32 * k + 16);
      u.factors(to + 32 * k, 32, d * SuperBlocks.scaleIq4(u.row, at, k), 0);
    }
  }

  /** Looks four numbers up at a time, one group after the other: as fast as the rest. */
  static void iq3s(Unpacked u, int at, int to) {
    CodebookBlocks.magnitudes(u.row, at, u.quants, to);
    float d = half(u.row, at);
    for (int k = 0; k < 16; k++) {
      int signs = (u.row[at + 74 + 2 * k] & 0xFF) | (u.row[at + 75 + 2 * k] & 0xFF) << 8;
      ByteVector q = sixteen(u.quants, to + 16 * k);
      q.blend(q.neg(), VectorMask.fromLong(SIXTEEN, signs)).intoArray(u.quants, to + 16 * k);
    }
    for (int k = 0; k < 8; k++) {
      u.factors(to + 32 * k, 32, d * CodebookBlocks.scale(u.row, at, k), 0);
    }
  }
}
