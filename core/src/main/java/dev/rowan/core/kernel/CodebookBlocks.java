package dev.rowan.core.kernel;

import static dev.rowan.core.kernel.SmallBlocks.half;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Decoder of the GGUF blocks that choose groups of four numbers from a codebook (ggml, {@code
 * ggml-common.h}).
 *
 * <pre>
 *   IQ3_S  d@0  q[64]@2  h[8]@66  signs[32]@74  s[4]@106
 *          group g = i / 4: entry = CODEBOOK[q[g] | bit g mod 8 of h[g/8] &lt;&lt; 8]
 *          y = d·(1 + 2·nibble i/32 of s)·entry[i mod 4], minus where bit i mod 8 of signs[i/8] is 1
 * </pre>
 */
final class CodebookBlocks {
  // Each entry is four odd numbers 1, 3 … 15, written as four octal digits (2x + 1), the first
  // number lowest. The 512 entries ascend; a character holds the step from one to the next, '0'
  // for none.
  private static final String STEPS =
      "01132111222146523222527331112414334247=456142133343463222=386432"
          + "723642=243;4236636?:2<245642?5;32>A?722<245=4D1124122212732>2396"
          + "12324573672>62:3214663:3:7331366145A6;252=27424E73672?W43=2K2527"
          + "<4A68122212223241272232=13232634334367H33:2572:4:34234925276>;69"
          + "3734I3759=1;=825:L4D4=2;5J722237225232:6822752=@:42:6:2<I7452419"
          + "246>86547A64=72;5::=CCP2=2;S46643377@:522765664D2554:5?36<525274"
          + "S2B;1I<2:QIADH5;;6I646>433<6522579P69:56=G51?=5<663<:<T<C2gP2>g2"
          + "2<2E@@7MFB6;568<5?e>?>3IDEKY2e4392<2<6@7;?2L34637AIH3>F465HZ@PGW";

  private static final byte[] CODEBOOK = codebook();

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private CodebookBlocks() {}

  private static byte[] codebook() {
    byte[] entries = new byte[4 * STEPS.length()];
    int octal = 0;
    for (int e = 0; e < STEPS.length(); e++) {
      octal += STEPS.charAt(e) - '0';
      for (int i = 0; i < 4; i++) {
        entries[4 * e + i] = (byte) (2 * ((octal >> (3 * i)) & 7) + 1);
      }
    }
    return entries;
  }

  static void iq3s(byte[] b, int at, float[] y, int to) {
    float d = half(b, at);
    for (int g = 0; g < 64; g++) {
      int entry = entry(b, at, g);
      float scale = d * scale(b, at, g >> 3);
      int signs = b[at + 74 + (g >> 1)] >> (4 * (g & 1));
      for (int i = 0; i < 4; i++) {
        float magnitude = scale * CODEBOOK[4 * entry + i];
        y[to + 4 * g + i] = ((signs >> i) & 1) == 0 ? magnitude : -magnitude;
      }
    }
  }

  private static int entry(byte[] b, int at, int g) {
    return (b[at + 2 + g] & 0xFF) | ((b[at + 66 + (g >> 3)] >> (g & 7)) & 1) << 8;
  }

  /** Returns the odd scale of sub-block k of an IQ3_S block. */
  static int scale(byte[] b, int at, int k) {
    return 1 + 2 * ((b[at + 106 + (k >> 1)] >> (4 * (k & 1))) & 15);
  }

  /** Writes the 256 odd magnitudes of an IQ3_S block. */
  static void magnitudes(byte[] b, int at, byte[] target, int to) {
    for (int g = 0; g < 64; g++) {
      INT.set(target, to + 4 * g, (int) INT.get(CODEBOOK, 4 * entry(b, at, g)));
    }
  }
}
