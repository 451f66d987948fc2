package dev.rowan.formats.zip;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes the central directory of an archive whose entries lie one after the other from its first
 * byte on. See {@link ZipDirectory} for the layout; the wide numbers are always used, so there is
 * one form for archives of all sizes.
 */
final class NewDirectory {
  private static final short VERSION = 45; // the first that knows wide numbers
  private static final short UTF_8_NAMES = 1 << 11;
  private static final short FIRST_DAY = 1 << 5 | 1; // 1980-01-01: zip knows no earlier one

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private NewDirectory() {}

  /**
   * Returns a directory.
   *
   * @param entries what is in the archive
   * @param spans as long as each of them is with its local header
   */
  static MemorySegment of(List<ZipEntry> entries, List<ZipPart.Span> spans) {
    NewDirectory directory = new NewDirectory();
    long at = 0;
    for (int i = 0; i < entries.size(); i++) {
      directory.entry(entries.get(i), at);
      at += spans.get(i).to() - spans.get(i).from();
    }
    directory.end(entries.size(), at);
    return MemorySegment.ofArray(directory.out.toByteArray()).asReadOnly();
  }

  private void entry(ZipEntry entry, long offset) {
    byte[] name = entry.name().getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(ZipDirectory.ENTRY_BYTES + name.length + 28)
            .order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(ZipDirectory.ENTRY).putShort(VERSION).putShort(VERSION).putShort(UTF_8_NAMES);
    bytes.putShort((short) (entry.deflated() ? ZipDirectory.DEFLATED : ZipDirectory.STORED));
    bytes.putShort((short) 0).putShort(FIRST_DAY).putInt((int) entry.crc());
    bytes.putInt(-1).putInt(-1).putShort((short) name.length).putShort((short) 28);
    bytes.putShort((short) 0).putShort((short) 0).putShort((short) 0).putInt(0).putInt(-1);
    bytes.put(name).putShort((short) 1).putShort((short) 24);
    bytes.putLong(entry.size()).putLong(entry.stored()).putLong(offset);
    out.writeBytes(bytes.array());
  }

  private void end(long entries, long start) {
    long size = out.size();
    ByteBuffer bytes =
        ByteBuffer.allocate(ZipDirectory.END64_BYTES + 20 + ZipDirectory.END_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(ZipDirectory.END64).putLong(ZipDirectory.END64_BYTES - 12L);
    bytes.putShort(VERSION).putShort(VERSION).putInt(0).putInt(0);
    bytes.putLong(entries).putLong(entries).putLong(size).putLong(start);
    bytes.putInt(ZipDirectory.LOCATOR64).putInt(0).putLong(start + size).putInt(1);
    bytes.putInt(ZipDirectory.END).putShort((short) 0).putShort((short) 0);
    bytes.putShort((short) -1).putShort((short) -1).putInt(-1).putInt(-1).putShort((short) 0);
    out.writeBytes(bytes.array());
  }
}
