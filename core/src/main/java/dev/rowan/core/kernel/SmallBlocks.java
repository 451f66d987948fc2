package dev.rowan.core.kernel;

/**
 * Decoders of the GGUF blocks of 32 numbers (ggml, {@code ggml-common.h}). d and m are f16; byte
 * offsets are from the start of the block.
 *
 * <pre>
 *   Q4_0    d@0  q[16]@2              y = d·(q − 8)
 *   Q4_1    d@0  m@2   q[16]@4        y = d·q + m
 *   Q5_0    d@0  h u32@2  q[16]@6     y = d·(q − 16)
 *   Q5_1    d@0  m@2  h u32@4  q@8    y = d·q + m
 *   Q8_0    d@0  q int8[32]@2         y = d·q
 *   IQ4_NL  d@0  q[16]@2              y = d·LEVELS[q]
 *   MXFP4   e u8@0  q[16]@1           y = 2^(e − 127)·FP4[q]
 * </pre>
 *
 * <p>A nibble array holds number j in the low half of byte j and number j + 16 in the high half;
 * bit i of h is the fifth bit of number i.
 */
final class SmallBlocks {
  /** The uneven levels of the IQ4 formats. */
  static final float[] LEVELS = {
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113
  };

  // the values of an E2M1 float: sign, 2 bits of exponent, 1 of fraction
  static final float[] FP4 = {
    0, 0.5f, 1, 1.5f, 2, 3, 4, 6, -0.0f, -0.5f, -1, -1.5f, -2, -3, -4, -6
  };

  private SmallBlocks() {}

  /** Returns the f16 number at a byte offset. */
  static float half(byte[] b, int at) {
    return Float.float16ToFloat((short) ((b[at] & 0xFF) | (b[at + 1] << 8)));
  }

  static void q4p0(byte[] b, int at, float[] y, int to) {
    float d = half(b, at);
    for (int j = 0; j < 16; j++) {
      int q = b[at + 2 + j];
      y[to + j] = d * ((q & 15) - 8);
      y[to + j + 16] = d * (((q >> 4) & 15) - 8);
    }
  }

  static void q4p1(byte[] b, int at, float[] y, int to) {
    float d = half(b, at);
    float m = half(b, at + 2);
    for (int j = 0; j < 16; j++) {
      int q = b[at + 4 + j];
      y[to + j] = d * (q & 15) + m;
      y[to + j + 16] = d * ((q >> 4) & 15) + m;
    }
  }

  static void q5p0(byte[] b, int at, float[] y, int to) {
    float d = half(b, at);
    int high = word(b, at + 2);
    for (int j = 0; j < 16; j++) {
      int q = b[at + 6 + j];
      y[to + j] = d * (((q & 15) | ((high >>> j) & 1) << 4) - 16);
      y[to + j + 16] = d * ((((q >> 4) & 15) | ((high >>> (j + 16)) & 1) << 4) - 16);
    }
  }

  static void q5p1(byte[] b, int at, float[] y, int to) {
    float d = half(b, at);
    float m = half(b, at + 2);
    int high = word(b, at + 4);
    for (int j = 0; j < 16; j++) {
      int q = b[at + 8 + j];
      y[to + j] = d * ((q & 15) | ((high >>> j) & 1) << 4) + m;
      y[to + j + 16] = d * (((q >> 4) & 15) | ((high >>> (j + 16)) & 1) << 4) + m;
    }
  }

  static void q8p0(byte[] b, int at, float[] y, int to) {
    float d = half(b, at);
    for (int j = 0; j < 32; j++) {
      y[to + j] = d * b[at + 2 + j];
    }
  }

  static void iq4nl(byte[] b, int at, float[] y, int to) {
    float d = half(b, at);
    for (int j = 0; j < 16; j++) {
      int q = b[at + 2 + j];
      y[to + j] = d * LEVELS[q & 15];
      y[to + j + 16] = d * LEVELS[(q >> 4) & 15];
    }
  }

  static void mxfp4(byte[] b, int at, float[] y, int to) {
    float scale = powerOfTwo(b[at]);
    for (int j = 0; j < 16; j++) {
      int q = b[at + 1 + j];
      y[to + j] = scale * FP4[q & 15];
      y[to + j + 16] = scale * FP4[(q >> 4) & 15];
    }
  }

  /** Returns the number of E8M0: 255 is NaN, 0 is 2^-127, subnormal and exact like its half. */
  static float powerOfTwo(byte b) {
    int exponent = b & 0xFF;
    return exponent == 255 ? Float.NaN : Math.scalb(1f, exponent - 127);
  }

  static int word(byte[] b, int at) {
    return (b[at] & 0xFF)
        | (b[at + 1] & 0xFF) << 8
        | (b[at + 2] & 0xFF) << 16
        | (b[at + 3] & 0xFF) << 24;
  }
}
