package dev.rowan.core.kernel;

import static dev.rowan.core.kernel.SmallBlocks.half;

/**
 * Decoders of the GGUF blocks of 256 numbers (ggml, {@code ggml-common.h}). d and dmin are f16;
 * byte offsets are from the start of the block; number i lies in half n = i / 128, quarter s = (i %
 * 128) / 32, lane l = i % 32.
 *
 * <pre>
 *   Q2_K    scales[16]@0  q[64]@16  d@80  dmin@82
 *           q = (q[32n+l] &gt;&gt; 2s) &amp; 3, c = scales[i/16]       y = d·(c &amp; 15)·q − dmin·(c &gt;&gt; 4)
 *   Q3_K    h[32]@0  q[64]@32  s[12]@96  d@108
 *           q as Q2_K, less 4 if bit i/32 of h[l] is 0        y = d·(scale − 32)·q
 *   Q4_K    d@0  dmin@2  s[12]@4  q[128]@16
 *           nibble i%32 of 32-byte run i/64, k = i/32          y = d·scale_k·q − dmin·min_k
 *   Q5_K    d@0  dmin@2  s[12]@4  h[32]@16  q[128]@48
 *           as Q4_K with bit k of h[l] as the fifth bit
 *   Q6_K    ql[128]@0  qh[64]@128  int8 s[16]@192  d@208
 *           low 4 bits from ql, high 2 from qh                 y = d·s[i/16]·(q − 32)
 *   IQ4_XS  d@0  sh u16@2  sl[4]@4  q[128]@8                   y = d·(scale_k − 32)·LEVELS[q]
 * </pre>
 */
final class SuperBlocks {
  private SuperBlocks() {}

  static void q2k(byte[] b, int at, float[] y, int to) {
    float d = half(b, at + 80);
    float least = half(b, at + 82);
    for (int i = 0; i < 256; i++) {
      int q = (b[at + 16 + 32 * (i >> 7) + (i & 31)] >> (2 * ((i & 127) >> 5))) & 3;
      int c = b[at + (i >> 4)];
      y[to + i] = d * (c & 15) * q - least * ((c >> 4) & 15);
    }
  }

  static void q3k(byte[] b, int at, float[] y, int to) {
    float d = half(b, at + 108);
    for (int k = 0; k < 16; k++) {
      float scale = d * scaleQ3(b, at, k);
      for (int i = 16 * k; i < 16 * k + 16; i++) {
        int l = i & 31;
        int q = (b[at + 32 + 32 * (i >> 7) + l] >> (2 * ((i & 127) >> 5))) & 3;
        int above = (b[at + l] >> (i >> 5)) & 1;
        y[to + i] = scale * (q - 4 * (1 - above));
      }
    }
  }

  /** Returns the signed 6-bit scale of sub-block k of a Q3_K block. */
  static int scaleQ3(byte[] b, int at, int k) {
    int low = k < 8 ? b[at + 96 + k] & 15 : (b[at + 96 + k - 8] >> 4) & 15;
    int high = (b[at + 96 + 8 + (k & 3)] >> (2 * (k >> 2))) & 3;
    return (low | high << 4) - 32;
  }

  static void q4k(byte[] b, int at, float[] y, int to) {
    float d = half(b, at);
    float least = half(b, at + 2);
    for (int k = 0; k < 8; k++) {
      float scale = d * scale(b, at + 4, k);
      float min = least * min(b, at + 4, k);
      for (int l = 0; l < 32; l++) {
        int q = (b[at + 16 + 32 * (k >> 1) + l] >> (4 * (k & 1))) & 15;
        y[to + 32 * k + l] = scale * q - min;
      }
    }
  }

  static void q5k(byte[] b, int at, float[] y, int to) {
    float d = half(b, at);
    float least = half(b, at + 2);
    for (int k = 0; k < 8; k++) {
      float scale = d * scale(b, at + 4, k);
      float min = least * min(b, at + 4, k);
      for (int l = 0; l < 32; l++) {
        int q = (b[at + 48 + 32 * (k >> 1) + l] >> (4 * (k & 1))) & 15;
        q |= ((b[at + 16 + l] >> k) & 1) << 4;
        y[to + 32 * k + l] = scale * q - min;
      }
    }
  }

  /** Returns the 6-bit scale of sub-block k from the 12 packed bytes of Q4_K and Q5_K. */
  static int scale(byte[] b, int s, int k) {
    return k < 4 ? b[s + k] & 63 : (b[s + k + 4] & 15) | ((b[s + k - 4] >> 6) & 3) << 4;
  }

  /** Returns the 6-bit minimum of sub-block k from the 12 packed bytes of Q4_K and Q5_K. */
  static int min(byte[] b, int s, int k) {
    return k < 4 ? b[s + k + 4] & 63 : ((b[s + k + 4] >> 4) & 15) | ((b[s + k] >> 6) & 3) << 4;
  }

  static void q6k(byte[] b, int at, float[] y, int to) {
    float d = half(b, at + 208);
    for (int i = 0; i < 256; i++) {
      int n = i >> 7;
      int g = (i & 127) >> 5;
      int l = i & 31;
      int low = (b[at + 64 * n + 32 * (g & 1) + l] >> (g < 2 ? 0 : 4)) & 15;
      int high = (b[at + 128 + 32 * n + l] >> (2 * g)) & 3;
      y[to + i] = d * b[at + 192 + (i >> 4)] * ((low | high << 4) - 32);
    }
  }

  static void iq4xs(byte[] b, int at, float[] y, int to) {
    float d = half(b, at);
    for (int k = 0; k < 8; k++) {
      float scale = d * scaleIq4(b, at, k);
      for (int l = 0; l < 32; l++) {
        int q = (b[at + 8 + 16 * k + (l & 15)] >> (l < 16 ? 0 : 4)) & 15;
        y[to + 32 * k + l] = scale * SmallBlocks.LEVELS[q];
      }
    }
  }

  /** Returns the signed 6-bit scale of sub-block k of an IQ4_XS block. */
  static int scaleIq4(byte[] b, int at, int k) {
    int sh = (b[at + 2] & 0xFF) | (b[at + 3] & 0xFF) << 8;
    int low = (b[at + 4 + (k >> 1)] >> (4 * (k & 1))) & 15;
    int high = (sh >> (2 * k)) & 3;
    return (low | high << 4) - 32;
  }
}
