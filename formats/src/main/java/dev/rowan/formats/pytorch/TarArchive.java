package dev.rowan.formats.pytorch;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.file.FormatException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The members of a tar archive (POSIX ustar), by name.
 *
 * <pre>
 *   blocks of 512 bytes: a header, then the member's bytes, padded to a whole block
 *     0 name, 100 bytes   124 size, 12 octal digits   156 type: '0' or NUL a file, others passed over
 *   a block of zeros ends the archive
 * </pre>
 */
final class TarArchive {
  private static final int BLOCK = 512;

  private final Map<String, Member> members = new HashMap<>();

  /**
   * A member.
   *
   * @param offset the byte of the archive at which it starts
   * @param size its bytes
   */
  record Member(long offset, long size) {}

  private TarArchive() {}

  static TarArchive read(Path path, MemorySegment file) {
    TarArchive archive = new TarArchive();
    long at = 0;
    while (at + BLOCK <= file.byteSize() && file.get(JAVA_BYTE, at) != 0) {
      String name = text(file, at, 100);
      long size = size(path, file, at);
      byte type = file.get(JAVA_BYTE, at + 156);
      long start = at + BLOCK;
      if (size > file.byteSize() - start) {
        throw new FormatException(
            path,
            at,
            "\"%s\" in the tar archive claims %,d bytes but only %,d are left; the file looks cut off"
                .formatted(name, size, file.byteSize() - start));
      }
      if (type == '0' || type == 0) {
        archive.members.putIfAbsent(
            name.startsWith("./") ? name.substring(2) : name, new Member(start, size));
      }
      at = start + (size + BLOCK - 1) / BLOCK * BLOCK;
    }
    return archive;
  }

  Optional<Member> find(String name) {
    return Optional.ofNullable(members.get(name));
  }

  private static long size(Path path, MemorySegment file, long header) {
    String digits = text(file, header + 124, 12).strip();
    try {
      return Long.parseUnsignedLong(digits, 8);
    } catch (NumberFormatException e) {
      throw new FormatException(
          path,
          header + 124,
          "is no tar archive that can be read: a size is \"%s\"".formatted(digits),
          e);
    }
  }

  private static String text(MemorySegment file, long at, int most) {
    byte[] bytes = file.asSlice(at, most).toArray(JAVA_BYTE);
    int length = 0;
    while (length < most && bytes[length] != 0) {
      length++;
    }
    return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
  }
}
