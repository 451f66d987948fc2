package dev.rowan.formats.numpy;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tensor.Dtype;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * The header of an array (numpy, lib/format.py), version 1, 2 or 3.
 *
 * <pre>
 *   6 bytes   \x93NUMPY
 *   u8, u8    version, the second 0
 *   u16       bytes of header; u32 from version 2 on; little-endian
 *   header    a Python dictionary as text, Latin-1 (version 3: UTF-8), spaces and \n at its end:
 *               {'descr': '&lt;f4', 'fortran_order': False, 'shape': (V, d), }
 *   data      the numbers, row-major, or column-major where fortran_order is True
 * </pre>
 *
 * <p>Headers need not end at a multiple of 64 bytes, as old ones do not.
 *
 * @param dtype the number format
 * @param fortranOrder whether the first dimension is the fastest
 * @param shape the dimensions, slowest first whatever the order; empty for a single number
 * @param dataStart the byte at which the numbers start
 */
record NpyHeader(Dtype dtype, boolean fortranOrder, List<Long> shape, long dataStart) {
  /** The longest header that NumPy itself reads without being told to. */
  private static final int MOST_HEADER = 10_000;

  /** The bytes that hold any header that is read. */
  static final int MOST_BYTES = 12 + MOST_HEADER;

  private static final String MAGIC = "\u0093NUMPY";

  /**
   * Reads a header.
   *
   * @param what the array, for messages
   * @param bytes its first bytes, {@link #MOST_BYTES} or all there are
   * @param start the byte of the file at which they start, for messages
   * @throws FormatException if it is wrong or cut off
   */
  static NpyHeader read(Path path, String what, MemorySegment bytes, long start) {
    long size = bytes.byteSize();
    if (size < 10 || !latin1(bytes, 0, 6).equals(MAGIC)) {
      throw new FormatException(
          path,
          start,
          "%s does not start with \"\\x93NUMPY\" and a header; it looks cut off or damaged"
              .formatted(what));
    }
    int version = u8(bytes, 6);
    if (version < 1 || version > 3 || u8(bytes, 7) != 0) {
      throw new UnsupportedFormatException(
          path,
          "%s has version %d.%d of the format; 1.0, 2.0 and 3.0 can be read"
              .formatted(what, version, u8(bytes, 7)));
    }
    int lengthBytes = version == 1 ? 2 : 4;
    if (size < 8 + lengthBytes) {
      throw cutOff(path, what, start);
    }
    long length = 0;
    for (int i = 0; i < lengthBytes; i++) {
      length |= (long) u8(bytes, 8 + i) << (8 * i);
    }
    if (length > MOST_HEADER) {
      throw new FormatException(
          path,
          start + 8,
          "%s has a header of %,d bytes; %,d are the most".formatted(what, length, MOST_HEADER));
    }
    long headerStart = 8L + lengthBytes;
    if (length > size - headerStart) {
      throw cutOff(path, what, start);
    }
    String text = latin1(bytes, headerStart, length);
    return new HeaderText(path, what, text, start + headerStart).header(headerStart + length);
  }

  private static FormatException cutOff(Path path, String what, long start) {
    return new FormatException(
        path, start, what + " ends within its header; the file looks cut off, copy it again");
  }

  private static int u8(MemorySegment bytes, long at) {
    return bytes.get(JAVA_BYTE, at) & 0xFF;
  }

  private static String latin1(MemorySegment bytes, long at, long length) {
    return new String(bytes.asSlice(at, length).toArray(JAVA_BYTE), StandardCharsets.ISO_8859_1);
  }
}
