package dev.rowan.formats.file;

import java.lang.foreign.MemorySegment;

/**
 * Finds where HDF5 starts in a file: at its first byte, or behind a user block of 512 bytes, 1024,
 * 2048 and so on, in which other programs keep what they like. MATLAB's files have one.
 */
public final class Hdf5Clues {
  private static final long SIGNATURE = 0x0A1A_0A0D_4644_4889L; // \x89 HDF \r \n \x1a \n
  private static final long LARGEST_USER_BLOCK = 1 << 26;

  private Hdf5Clues() {}

  /** Returns the byte at which the signature stands, −1 if it is nowhere. */
  public static long start(MemorySegment bytes) {
    ByteWindow window = new ByteWindow(bytes);
    for (long at = 0; at <= Math.min(LARGEST_USER_BLOCK, bytes.byteSize() - 8); ) {
      if (window.littleEndian(at, 8) == SIGNATURE) {
        return at;
      }
      at = at == 0 ? 512 : 2 * at;
    }
    return -1;
  }
}
