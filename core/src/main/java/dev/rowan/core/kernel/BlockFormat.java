package dev.rowan.core.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * The block-quantised formats of GGUF files: a row is a whole number of blocks, each with its own
 * scale. Decoding is exact: every value is the float32 that the format defines.
 *
 * <p>The layouts stand in {@link SmallBlocks} (32 numbers), {@link SuperBlocks} and {@link
 * CodebookBlocks} (256 numbers).
 */
public enum BlockFormat implements RowFormat {
  /** 4 bits and a scale. */
  Q4_0(32, 18, SmallBlocks::q4p0),
  /** 4 bits, a scale and a minimum. */
  Q4_1(32, 20, SmallBlocks::q4p1),
  /** 5 bits and a scale. */
  Q5_0(32, 22, SmallBlocks::q5p0),
  /** 5 bits, a scale and a minimum. */
  Q5_1(32, 24, SmallBlocks::q5p1),
  /** 8 bits and a scale. */
  Q8_0(32, 34, SmallBlocks::q8p0),
  /** 4 bits that choose from 16 uneven levels, and a scale. */
  IQ4_NL(32, 18, SmallBlocks::iq4nl),
  /** 4-bit floats with a shared power of two (OCP Microscaling MXFP4). */
  MXFP4(32, 17, SmallBlocks::mxfp4),
  /** 2 bits, 16 sub-blocks with 4-bit scales and minima. */
  Q2_K(256, 84, SuperBlocks::q2k),
  /** 3 bits, 16 sub-blocks with 6-bit scales. */
  Q3_K(256, 110, SuperBlocks::q3k),
  /** 3.4 bits: groups of 4 from a codebook of 512, with signs, 8 sub-blocks with 4-bit scales. */
  IQ3_S(256, 110, CodebookBlocks::iq3s),
  /** 4 bits, 8 sub-blocks with 6-bit scales and minima. */
  Q4_K(256, 144, SuperBlocks::q4k),
  /** 5 bits, 8 sub-blocks with 6-bit scales and minima. */
  Q5_K(256, 176, SuperBlocks::q5k),
  /** 6 bits, 16 sub-blocks with 8-bit scales. */
  Q6_K(256, 210, SuperBlocks::q6k),
  /** 4 bits that choose from 16 uneven levels, 8 sub-blocks with 6-bit scales. */
  IQ4_XS(256, 136, SuperBlocks::iq4xs);

  private final int blockSize;
  private final int blockBytes;

  @SuppressWarnings("ImmutableEnumChecker") // a reference to a static method: no state
  private final BlockDecoder decoder;

  BlockFormat(int blockSize, int blockBytes, BlockDecoder decoder) {
    this.blockSize = blockSize;
    this.blockBytes = blockBytes;
    this.decoder = decoder;
  }

  /** Decodes one block. */
  interface BlockDecoder {
    /**
     * Writes the numbers of the block that starts at {@code at}.
     *
     * @param b the bytes of a row
     * @param y receives the numbers from {@code to} on
     */
    void decode(byte[] b, int at, float[] y, int to);
  }

  @Override
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns how many numbers a block holds. */
  public int blockSize() {
    return blockSize;
  }

  /** Returns how many bytes a block takes. */
  public int blockBytes() {
    return blockBytes;
  }

  @Override
  public long rowBytes(int width) {
    if (width % blockSize != 0) {
      throw new IllegalArgumentException(
          "a row of %d numbers is not a whole number of %s blocks of %d"
              .formatted(width, label(), blockSize));
    }
    return (long) (width / blockSize) * blockBytes;
  }

  @Override
  public void decode(MemorySegment data, long offset, int count, float[] target, int targetOffset) {
    // one copy of the row: block fields are then array reads, which the compiler handles far better
    byte[] row = new byte[Math.toIntExact(rowBytes(count))];
    MemorySegment.copy(data, JAVA_BYTE, offset, row, 0, row.length);
    for (int block = 0; block * blockSize < count; block++) {
      decoder.decode(row, block * blockBytes, target, targetOffset + block * blockSize);
    }
  }
}
