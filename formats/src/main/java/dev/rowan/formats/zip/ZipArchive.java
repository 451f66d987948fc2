package dev.rowan.formats.zip;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.Stretches;
import dev.rowan.formats.file.UnsupportedFormatException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The entries of a zip archive. Stored entries are views of the file; deflated ones are inflated
 * into memory when asked for, within limits.
 *
 * <p>Safe for any number of threads while the file is open; does not own it.
 */
public final class ZipArchive {
  /** No table worth its name shrinks to a hundredth, but a bomb does: refused above this size. */
  private static final long FREE_BYTES = 64L << 20;

  private static final long MOST_RATIO = 100;
  private static final int CHUNK = 1 << 16;

  /** What bytes that do not compress take more when they are deflated, block headers and all. */
  private static final int DEFLATED_MORE = 2048;

  private final Path path;
  private final Stretches file;
  private final Map<String, ZipEntry> entries;
  private final Map<ZipEntry, Long> offsets = new HashMap<>();

  private ZipArchive(Stretches file) {
    this.path = file.path();
    this.file = file;
    this.entries = ZipDirectory.read(file);
  }

  /**
   * Reads an archive's directory, and where each entry starts.
   *
   * @throws FormatException if it is wrong or does not fit the file
   * @throws UnsupportedFormatException if an entry is encrypted or packed in a rare way
   */
  public static ZipArchive of(MappedFile file) {
    ZipArchive archive = new ZipArchive(file);
    archive.entries.values().forEach(entry -> archive.offsets.put(entry, archive.offset(entry)));
    return archive;
  }

  /**
   * Reads an archive's directory alone, at the end of the file.
   *
   * @throws FormatException if it is wrong or does not fit the file
   * @throws UnsupportedFormatException if an entry is encrypted or packed in a rare way
   */
  public static ZipArchive listed(Stretches file) {
    return new ZipArchive(file);
  }

  /** Returns the entries by name, in the order of the directory, without folders. */
  public Map<String, ZipEntry> entries() {
    return Collections.unmodifiableMap(entries);
  }

  /** Returns the entry of a name. */
  public Optional<ZipEntry> find(String name) {
    return Optional.ofNullable(entries.get(name));
  }

  /**
   * Returns the byte of the archive at which an entry's stored bytes start, or if only the
   * directory was read, the first at which they can start: no two entries have the same.
   */
  public long least(ZipEntry entry) {
    Long known = offsets.get(entry);
    return known == null ? entry.header() + ZipDirectory.LOCAL_BYTES : known;
  }

  /**
   * Returns the byte of the archive at which an entry's stored bytes start, which its local header
   * tells.
   *
   * @throws FormatException if there is no such header, or the bytes do not lie in the file
   */
  public long offset(ZipEntry entry) {
    Long known = offsets.get(entry);
    return known == null ? ZipDirectory.offset(file, entry) : known;
  }

  /**
   * Returns an entry's bytes: a view if they are stored, else inflated into memory and checked.
   *
   * @throws FormatException if they do not inflate to what the directory says
   * @throws UnsupportedFormatException if they would inflate to more than 64 MiB and a hundredfold
   */
  public MemorySegment bytes(ZipEntry entry) {
    MemorySegment stored = file.stretch(offset(entry), entry.stored());
    if (!entry.deflated()) {
      return stored;
    }
    if (entry.size() > FREE_BYTES && entry.size() / MOST_RATIO > entry.stored()) {
      throw new UnsupportedFormatException(
          path,
          "\"%s\" in the archive would inflate from %,d bytes to %,d, as zip bombs do; unpack it first if you trust it"
              .formatted(entry.name(), entry.stored(), entry.size()));
    }
    MemorySegment bytes = Arena.ofAuto().allocate(entry.size());
    if (inflate(entry, stored, bytes) < entry.size()) {
      throw broken(entry, "ends too early");
    }
    return bytes.asReadOnly();
  }

  /**
   * Returns the first of an entry's bytes, as many as there are up to a count. They are not checked
   * against the checksum.
   */
  public MemorySegment start(ZipEntry entry, int count) {
    long offset = offset(entry);
    if (!entry.deflated()) {
      return file.stretch(offset, Math.min(count, entry.stored()));
    }
    MemorySegment bytes = MemorySegment.ofArray(new byte[(int) Math.min(count, entry.size())]);
    long some = Math.min((long) count + DEFLATED_MORE, entry.stored());
    long there = inflate(entry, file.stretch(offset, some), bytes);
    if (there < bytes.byteSize() && some < entry.stored()) {
      there = inflate(entry, file.stretch(offset, entry.stored()), bytes);
    }
    return bytes.asSlice(0, there).asReadOnly();
  }

  /**
   * Returns where some entries lie, and a directory of them alone: these bytes, one after the
   * other, are an archive.
   *
   * @param names those of the entries
   * @throws FormatException if a local header is wrong
   */
  public ZipPart part(Collection<String> names) {
    List<ZipEntry> kept =
        entries.values().stream()
            .filter(entry -> names.contains(entry.name()))
            .sorted(Comparator.comparingLong(ZipEntry::header))
            .toList();
    List<ZipPart.Span> spans =
        kept.stream()
            .map(entry -> new ZipPart.Span(entry.header(), offset(entry) + entry.stored()))
            .toList();
    return new ZipPart(spans, NewDirectory.of(kept, spans));
  }

  /** Inflates until the target is full or the entry ends; checks an entry that is read whole. */
  private long inflate(ZipEntry entry, MemorySegment stored, MemorySegment target) {
    CRC32 crc = new CRC32();
    byte[] in = new byte[CHUNK];
    byte[] out = new byte[CHUNK];
    long from = 0;
    long to = 0;
    try (Inflater inflater = new Inflater(true)) {
      while (!inflater.finished()) {
        if (inflater.needsInput()) {
          int count = (int) Math.min(CHUNK, stored.byteSize() - from);
          if (count == 0 && stored.byteSize() < entry.stored()) {
            return to; // the start of what is stored ends here
          }
          if (count == 0) {
            throw broken(entry, "is cut off");
          }
          MemorySegment.copy(stored, JAVA_BYTE, from, in, 0, count);
          inflater.setInput(in, 0, count);
          from += count;
        }
        int count = inflater.inflate(out);
        if (inflater.needsDictionary()) {
          throw broken(entry, "asks for a dictionary");
        }
        long room = target.byteSize() - to;
        if (count > room && target.byteSize() == entry.size()) {
          throw broken(entry, "has more bytes than the directory says");
        }
        int kept = (int) Math.min(count, room);
        MemorySegment.copy(out, 0, target, JAVA_BYTE, to, kept);
        crc.update(out, 0, kept);
        to += kept;
        if (kept < count || (to == target.byteSize() && to < entry.size())) {
          return to; // the start was asked for
        }
      }
    } catch (DataFormatException e) {
      FormatException wrong = broken(entry, "is damaged (%s)".formatted(e.getMessage()));
      wrong.initCause(e);
      throw wrong;
    }
    if (to == entry.size() && crc.getValue() != entry.crc()) {
      throw broken(entry, "does not match its checksum");
    }
    return to;
  }

  private FormatException broken(ZipEntry entry, String how) {
    return new FormatException(
        path,
        entry.header(),
        "\"%s\" in the archive %s; the file looks damaged, copy it again"
            .formatted(entry.name(), how));
  }
}
