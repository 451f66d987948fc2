package dev.rowan.formats.hdf5;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.Hdf5Clues;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * The first bytes of a file, which say where it ends; the library stumbles over what is missing.
 */
final class Superblock {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Superblock() {}

  /**
   * Checks that a file is as long as it says.
   *
   * @throws FormatException if it is not
   */
  static void checkWhole(Path path, MemorySegment bytes) {
    long start = Math.max(0, Hdf5Clues.start(bytes));
    if (bytes.byteSize() - start < 64) {
      return; // too short for a superblock, which the library says
    }
    int version = bytes.get(ValueLayout.JAVA_BYTE, start + 8);
    long offsetsAt = start + (version < 2 ? 13 : 9);
    long baseAt = start + (version == 0 ? 24 : version == 1 ? 28 : 12);
    boolean known =
        version >= 0 && version <= 3 && bytes.get(ValueLayout.JAVA_BYTE, offsetsAt) == 8;
    if (!known) {
      return;
    }
    long end = bytes.get(LONG, baseAt + 16);
    if (Long.compareUnsigned(end, bytes.byteSize()) > 0) {
      throw new FormatException(
          path,
          "is cut off: %,d bytes are there, and its superblock says that it has %s; copy it again"
              .formatted(bytes.byteSize(), Long.toUnsignedString(end)));
    }
  }
}
