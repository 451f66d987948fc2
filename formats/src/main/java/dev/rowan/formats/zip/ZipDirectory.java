package dev.rowan.formats.zip;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.Stretches;
import dev.rowan.formats.file.UnsupportedFormatException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
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
  static final int END = 0x0605_4B50;
  static final int END64 = 0x0606_4B50;
  static final int LOCATOR64 = 0x0706_4B50;
  static final int ENTRY = 0x0201_4B50;
  private static final int LOCAL = 0x0403_4B50;
  static final int END_BYTES = 22;
  static final int END64_BYTES = 56;
  static final int ENTRY_BYTES = 46;
  static final int LOCAL_BYTES = 30;
  private static final int ENCRYPTED = 1;
  static final int STORED = 0;
  static final int DEFLATED = 8;

  private static final ValueLayout.OfShort SHORT =
      JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** What the end of an archive can take: the records and the longest comment. */
  private static final int MOST_END = END64_BYTES + 20 + END_BYTES + 0xFFFF;

  private final Path path;
  private final Stretches file;
  private final long size;
  private MemorySegment window;
  private long windowStart;

  private ZipDirectory(Stretches file) {
    this.path = file.path();
    this.file = file;
    this.size = file.size();
    this.windowStart = Math.max(0, size - MOST_END);
    this.window = file.stretch(windowStart, size - windowStart);
  }

  /** Returns the entries by name, in the order of the directory; folders are left out. */
  static Map<String, ZipEntry> read(Stretches file) {
    return new ZipDirectory(file).entries();
  }

  /** Returns the byte at which an entry's stored bytes start, as its local header says. */
  static long offset(Stretches file, ZipEntry entry) {
    MemorySegment header = file.stretch(entry.header(), LOCAL_BYTES);
    if (header.get(INT, 0) != LOCAL) {
      throw new FormatException(
          file.path(),
          entry.header(),
          "\"%s\" in the archive does not start here; the file looks damaged"
              .formatted(entry.name()));
    }
    int name = header.get(SHORT, 26) & 0xFFFF;
    int extra = header.get(SHORT, 28) & 0xFFFF;
    long start = entry.header() + LOCAL_BYTES + name + extra;
    require(file, start, entry.stored(), "\"" + entry.name() + "\" in the archive");
    return start;
  }

  /** Looks at another part of the file. */
  private void look(long from, long count) {
    window = file.stretch(from, count);
    windowStart = from;
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
    look(place.offset(), size - place.offset());
    Map<String, ZipEntry> entries = new LinkedHashMap<>();
    long at = place.offset();
    for (long i = 0; i < place.entries(); i++) {
      require(at, ENTRY_BYTES, "the archive's directory");
      if (i32(at) != ENTRY) {
        throw new FormatException(
            path, at, "the archive's directory is damaged: entry %,d does not start".formatted(i));
      }
      long nameBytes = u16(at + 28);
      long extraBytes = u16(at + 30);
      long next = at + ENTRY_BYTES + nameBytes + extraBytes + u16(at + 32);
      require(at, next - at, "the archive's directory");
      byte[] letters = window.asSlice(at + ENTRY_BYTES - windowStart, nameBytes).toArray(JAVA_BYTE);
      String name = new String(letters, StandardCharsets.UTF_8);
      if (!name.endsWith("/")
          && entries.put(name, entry(at, name, nameBytes, extraBytes)) != null) {
        throw new FormatException(
            path, at, "duplicate name: \"%s\" occurs twice in the archive".formatted(name));
      }
      at = next;
    }
    checkApart(entries.values(), place.offset());
    return entries;
  }

  /** No two entries may share bytes: a small archive could hold any number of large ones then. */
  private void checkApart(Collection<ZipEntry> entries, long directory) {
    List<ZipEntry> ordered = new ArrayList<>(entries);
    ordered.sort(Comparator.comparingLong(ZipEntry::header));
    long end = 0;
    for (ZipEntry entry : ordered) {
      if (entry.header() < end) {
        throw new FormatException(
            path,
            entry.header(),
            "\"%s\" in the archive starts within another entry; the file looks damaged"
                .formatted(entry.name()));
      }
      end = entry.header() + LOCAL_BYTES + entry.stored();
    }
    if (end > directory && directory < size) {
      throw new FormatException(
          path,
          directory,
          "the archive's directory starts within the last entry; the file looks damaged");
    }
  }

  private Place place() {
    // the comment behind it has at most 65,535 bytes
    long first = Math.max(0, size - END_BYTES - 0xFFFF);
    for (long at = size - END_BYTES; at >= first; at--) {
      if (i32(at) == END && at + END_BYTES + u16(at + 20) == size) {
        Place place = new Place(u32(at + 16), u16(at + 10));
        boolean is64 = at - 20 >= windowStart && i32(at - 20) == LOCATOR64;
        return checked(is64 ? place64(at - 20) : place);
      }
    }
    throw new FormatException(
        path, "the zip archive has no directory at its end; the file looks cut off, copy it again");
  }

  private Place place64(long locator) {
    long at = i64(locator + 8);
    if (at >= 0 && at <= locator - END64_BYTES) {
      look(at, END64_BYTES);
      if (i32(at) == END64) {
        return new Place(i64(at + 48), i64(at + 32));
      }
    }
    throw new FormatException(
        path,
        locator,
        "the archive's zip64 directory is not where this says; the file looks damaged");
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
    require(local + LOCAL_BYTES, stored, what);
    if (bytes < 0) {
      throw new FormatException(path, at, what + " has more than 2^63 bytes");
    }
    return new ZipEntry(name, local, stored, bytes, deflated, u32(at + 16));
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
      return i64(at - 8);
    }
  }

  private void require(long at, long count, String what) {
    require(file, at, count, what);
  }

  private static void require(Stretches file, long at, long count, String what) {
    long size = file.size();
    if (at < 0 || at > size || count < 0 || count > size - at) {
      throw new FormatException(
          file.path(),
          "%s lies past the end of the file (%,d bytes); the file looks cut off, copy it again"
              .formatted(what, size));
    }
  }

  private int u16(long at) {
    return window.get(SHORT, at - windowStart) & 0xFFFF;
  }

  private int i32(long at) {
    return window.get(INT, at - windowStart);
  }

  private long u32(long at) {
    return i32(at) & 0xFFFF_FFFFL;
  }

  private long i64(long at) {
    return window.get(LONG, at - windowStart);
  }
}
