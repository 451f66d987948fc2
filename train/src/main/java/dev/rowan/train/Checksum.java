package dev.rowan.train;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.Safetensors;
import dev.rowan.formats.tensor.TensorInfo;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** A CRC-32C (RFC 3720, appendix B.4) over memory, by which damage is noticed. One pass. */
final class Checksum {
  /** What the names of texts begin with that hold those of tensors. */
  static final String PREFIX = "rowan.crc32c.";

  /** The name of the text that holds the one over all other texts. */
  static final String TEXTS = "rowan.crc32c";

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
   * Refuses a tensor whose bytes were changed.
   *
   * @throws FormatException if they are not those that were written
   */
  static void check(Path path, Safetensors file, TensorInfo tensor) {
    if (!of(file.data(tensor)).equals(file.metadata().get(PREFIX + tensor.name()))) {
      throw damaged(path, "tensor \"%s\" does".formatted(tensor.name()));
    }
  }

  /**
   * Refuses texts that were changed: how far a training is, its settings, and the checksums of
   * tensors.
   *
   * @throws FormatException if they are not those that were written
   */
  static void checkTexts(Path path, Map<String, String> texts) {
    if (!of(texts).equals(texts.get(TEXTS))) {
      throw damaged(path, "the texts of its header do");
    }
  }

  private static FormatException damaged(Path path, String what) {
    return new FormatException(
        path,
        what
            + " not hold what was written, so the file is damaged; use a copy of it, or delete it to begin anew");
  }

  /** Returns the checksum of texts and their names, each ended by a NUL, in the order of names. */
  static String of(Map<String, String> texts) {
    Checksum sum = new Checksum();
    new TreeMap<>(texts)
        .forEach((name, text) -> {
          if (!name.equals(TEXTS)) {
            byte[] both = (name + '\0' + text + '\0').getBytes(StandardCharsets.UTF_8);
            sum.add(MemorySegment.ofArray(both));
          }
        });
    return sum.text();
  }

  /** Returns the checksum of bytes. */
  static String of(MemorySegment bytes) {
    Checksum sum = new Checksum();
    sum.add(bytes);
    return sum.text();
  }
}
