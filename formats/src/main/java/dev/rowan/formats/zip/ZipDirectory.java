package dev.rowan.formats.zip;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads the central directory of a zip archive (PKWARE APPNOTE 6.3.10, sections 4.3 and 4.5.3). All
 * numbers are little-endian.
 *
 * <pre>
 *   end of central directory, the last thing in the file
 *      0 u32 PK\5\6   4 u16 disk   6 u16 disk   8 u16 entries here   10 u16 entries
 *     12 u32 directory bytes   16 u32 directory offset   20 u16 comment bytes   22 comment
 *   zip64 locator, 20 bytes in front of it, where a field above is all ones
 *      0 u32 PK\6\7   4 u32 disk   8 u64 offset of the zip64 end   16 u32 disks
 *   zip64 end of central directory
 *      0 u32 PK\6\6   4 u64 bytes that follow   12 …   24 u64 entries here   32 u64 entries
 *     40 u64 directory bytes   48 u64 directory offset
 *   directory entry
 *      0 u32 PK\1\2   4 …   8 u16 flags   10 u16 method   12 …   16 u32 crc   20 u32 stored bytes
 *     24 u32 bytes   28 u16 name bytes   30 u16 extra bytes   32 u16 comment bytes   34 …
 *     42 u32 offset of the local header   46 name, extra, comment
 *     extra field 1 holds, as u64, those of bytes, stored bytes, offset that are all ones above
 *   local header
 *      0 u32 PK\3\4   4 …   26 u16 name bytes   28 u16 extra bytes   30 name, extra, stored bytes
 * </pre>
 */
final class ZipDirectory {
  private static final int END = 0x0605_4B50;
  private static final int END64 = 0x0606_4B50;
  private static final int LOCATOR64 = 0x0706_4B50;
  private static final int ENTRY = 0x0201_4B50;
  private static final int LOCAL = 0x0403_4B50;
  private static final int END_BYTES = 22;
  private static final int ENTRY_BYTES = 46;
  private static final int LOCAL_BYTES = 30;
  private static final int ENCRYPTED = 1;
  private static final int STORED = 0;
  private static final int DEFLATED = 8;

  private static final ValueLayout.OfShort SHORT =
      JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Path path;
  private final MemorySegment file;
  private final long size;

  private ZipDirectory(Path path, MemorySegment file) {
    this.path = path;
    this.file = file;
    this.size = file.byteSize();
  }

  /** Returns the entries by name, in the order of the directory; folders are left out. */
  static Map<String, ZipEntry> read(Path path, MemorySegment file) {
    return new ZipDirectory(path, file).entries();
  }

  private record Place(long offset, long entries) {}

  private Map<String, ZipEntry> entries() {
    Place place = place();
    if (place.entries() < 0 || place.entries() > (size - place.offset()) / ENTRY_BYTES) {
      throw new FormatException(
          path,
          place.offset(),
          "the archive claims %s entries but only %,d bytes are left for its directory; the file looks damaged"
              .formatted(Long.toUnsignedString(place.entries()), size - place.offset()));
    }
    Map<String, ZipEntry> entries = new LinkedHashMap<>();
    long at = place.offset();
    for (long i = 0; i < place.entries(); i++) {
      require(at, ENTRY_BYTES, "the archive's directory");
      if (file.get(INT, at) != ENTRY) {
        throw new FormatException(
            path, at, "the archive's directory is damaged: entry %,d does not start".formatted(i));
      }
      long nameBytes = u16(at + 28);
      long extraBytes = u16(at + 30);
      long next = at + ENTRY_BYTES + nameBytes + extraBytes + u16(at + 32);
      require(at, next - at, "the archive's directory");
      String name =
          new String(
              file.asSlice(at + ENTRY_BYTES, nameBytes).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
      if (!name.endsWith("/")
          && entries.put(name, entry(at, name, nameBytes, extraBytes)) != null) {
        throw new FormatException(
            path, at, "duplicate name: \"%s\" occurs twice in the archive".formatted(name));
      }
      at = next;
    }
    return entries;
  }

  private Place place() {
    // the comment behind it has at most 65,535 bytes
    long first = Math.max(0, size - END_BYTES - 0xFFFF);
    for (long at = size - END_BYTES; at >= first; at--) {
      if (file.get(INT, at) == END && at + END_BYTES + u16(at + 20) == size) {
        Place place = new Place(u32(at + 16), u16(at + 10));
        boolean is64 = at >= 20 && file.get(INT, at - 20) == LOCATOR64;
        return checked(is64 ? place64(at - 20) : place);
      }
    }
    throw new FormatException(
        path, "the zip archive has no directory at its end; the file looks cut off, copy it again");
  }

  private Place place64(long locator) {
    long at = file.get(LONG, locator + 8);
    if (at < 0 || at > locator - 56 || file.get(INT, at) != END64) {
      throw new FormatException(
          path,
          locator,
          "the archive's zip64 directory is not where this says; the file looks damaged");
    }
    return new Place(file.get(LONG, at + 48), file.get(LONG, at + 32));
  }

  private Place checked(Place place) {
    if (place.offset() < 0 || place.offset() > size) {
      throw new FormatException(
          path,
          "the archive's directory should start at byte %s but the file has %,d; it looks cut off or damaged"
              .formatted(Long.toUnsignedString(place.offset()), size));
    }
    return place;
  }

  private ZipEntry entry(long at, String name, long nameBytes, long extraBytes) {
    int flags = u16(at + 8);
    int method = u16(at + 10);
    if ((flags & ENCRYPTED) != 0) {
      throw new UnsupportedFormatException(
          path, "\"%s\" in the archive is encrypted; unpack it first".formatted(name));
    }
    if (method != STORED && method != DEFLATED) {
      throw new UnsupportedFormatException(
          path,
          "\"%s\" in the archive is packed with method %d; stored (0) and deflated (8) can be read"
              .formatted(name, method));
    }
    Wide wide = new Wide(at + ENTRY_BYTES + nameBytes, extraBytes);
    long bytes = wide.orWide(u32(at + 24));
    long stored = wide.orWide(u32(at + 20));
    long local = wide.orWide(u32(at + 42));
    boolean deflated = method == DEFLATED;
    if (!deflated && stored != bytes) {
      throw new FormatException(
          path,
          at,
          "\"%s\" in the archive is stored as it is but has %,d bytes and takes %,d"
              .formatted(name, bytes, stored));
    }
    String what = "\"" + name + "\" in the archive";
    require(local, LOCAL_BYTES, what);
    if (file.get(INT, local) != LOCAL) {
      throw new FormatException(path, local, what + " does not start here; the file looks damaged");
    }
    long data = local + LOCAL_BYTES + u16(local + 26) + u16(local + 28);
    require(data, stored, what);
    if (bytes < 0) {
      throw new FormatException(path, at, what + " has more than 2^63 bytes");
    }
    return new ZipEntry(name, data, stored, bytes, deflated, u32(at + 16));
  }

  /** The wide numbers of an entry, which stand for those that are all ones, in a fixed order. */
  private final class Wide {
    private long at;
    private long end;

    Wide(long extra, long bytes) {
      long limit = extra + bytes;
      long field = extra;
      while (field + 4 <= limit) {
        long length = u16(field + 2);
        if (u16(field) == 1 && field + 4 + length <= limit) {
          at = field + 4;
          end = at + length;
          return;
        }
        field += 4 + length;
      }
    }

    long orWide(long narrow) {
      if (narrow != 0xFFFF_FFFFL || end - at < 8) {
        return narrow;
      }
      at += 8;
      return file.get(LONG, at - 8);
    }
  }

  private void require(long at, long count, String what) {
    if (at < 0 || at > size || count < 0 || count > size - at) {
      throw new FormatException(
          path,
          "%s lies past the end of the file (%,d bytes); the file looks cut off, copy it again"
              .formatted(what, size));
    }
  }

  private int u16(long at) {
    return file.get(SHORT, at) & 0xFFFF;
  }

  private long u32(long at) {
    return file.get(INT, at) & 0xFFFF_FFFFL;
  }
}
