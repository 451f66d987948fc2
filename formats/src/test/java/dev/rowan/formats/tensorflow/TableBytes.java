package dev.rowan.formats.tensorflow;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Writes small tables by hand, after LevelDB's doc/table_format.md: one data block, without the
 * prefixes that keys may share, compressed by the caller or not at all.
 */
final class TableBytes {
  private final ByteArrayOutputStream block = new ByteArrayOutputStream();

  /** Adds an entry of fewer than 128 bytes. */
  TableBytes entry(String key, byte... value) {
    block.write(0);
    block.write(key.length());
    block.write(value.length);
    block.writeBytes(key.getBytes(StandardCharsets.ISO_8859_1));
    block.writeBytes(value);
    return this;
  }

  /** Returns the block with its one restart. */
  byte[] block() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(block.toByteArray());
    out.writeBytes(little(0));
    out.writeBytes(little(1));
    return out.toByteArray();
  }

  /** Returns a table of one data block. */
  static byte[] table(byte[] stored, int compression) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    append(out, stored, compression);
    int metaAt = out.size();
    byte[] meta = new TableBytes().block();
    append(out, meta, 0);
    int indexAt = out.size();
    byte[] handle = {0, (byte) ((stored.length & 0x7F) | 0x80), (byte) (stored.length >> 7)};
    byte[] index = new TableBytes().entry("z", handle).block();
    append(out, index, 0);
    ByteArrayOutputStream footer = new ByteArrayOutputStream();
    footer.write((metaAt & 0x7F) | 0x80);
    footer.write(metaAt >> 7);
    footer.write(meta.length);
    footer.write((indexAt & 0x7F) | 0x80);
    footer.write(indexAt >> 7);
    footer.write(index.length);
    out.writeBytes(Arrays.copyOf(footer.toByteArray(), 40));
    out.writeBytes(little(0x8b80fb57));
    out.writeBytes(little(0xdb477524));
    return out.toByteArray();
  }

  private static void append(ByteArrayOutputStream out, byte[] block, int compression) {
    out.writeBytes(block);
    out.write(compression);
    CRC32C crc = new CRC32C();
    crc.update(block);
    crc.update(compression);
    int sum = (int) crc.getValue();
    out.writeBytes(little(Integer.rotateRight(sum, 15) + 0xa282ead8));
  }

  private static byte[] little(int value) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
  }
}
