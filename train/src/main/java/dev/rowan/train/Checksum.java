package dev.rowan.train;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.Safetensors;
import dev.rowan.formats.tensor.TensorInfo;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** A CRC-32C (RFC 3720, appendix B.4) over memory, by which damage is noticed. One pass. */
final class Checksum {
  /** What the names of texts begin with that hold those of tensors. */
  static final String PREFIX = "rowan.crc32c.";

  private final CRC32C crc = new CRC32C();
  private final byte[] piece = new byte[1 << 16]; // numbers on the heap are no byte buffers

  /** Goes on over more bytes. */
  void add(MemorySegment bytes) {
    for (long at = 0; at < bytes.byteSize(); at += piece.length) {
      int count = (int) Math.min(piece.length, bytes.byteSize() - at);
      MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, piece, 0, count);
      crc.update(piece, 0, count);
    }
  }

  /** Returns the checksum so far, eight hexadecimal digits. */
  String text() {
    return "%08x".formatted(crc.getValue());
  }

  /**
   * Refuses a tensor whose bytes were changed; earlier files have nothing to tell by.
   *
   * @throws FormatException if they are not those that were written
   */
  static void check(Path path, Safetensors file, TensorInfo tensor) {
    String written = file.metadata().get(PREFIX + tensor.name());
    if (written != null && !written.equals(of(file.data(tensor)))) {
      throw new FormatException(
          path,
          "is damaged: tensor \"%s\" does not hold what was written; use a copy of the file, or delete it to begin anew"
              .formatted(tensor.name()));
    }
  }

  /** Returns the checksum of bytes. */
  static String of(MemorySegment bytes) {
    Checksum sum = new Checksum();
    sum.add(bytes);
    return sum.text();
  }
}
