package dev.rowan.formats.tensorflow;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.protobuf.Wire;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * LevelDB's table of sorted keys (google/leveldb, doc/table_format.md), as TensorFlow writes it.
 *
 * <pre>
 *   file     blocks …  footer
 *   block    entries  u32 restart[n]  u32 n
 *   entry    varint shared  varint own  varint length  byte[own] key  byte[length] value
 *            a key starts with the first {@code shared} bytes of the one before
 *   behind a block   u8 compression (0 none, 1 snappy)  u32 masked CRC-32C of block and compression
 *   footer   varint offset, size of a block of meta data  varint offset, size of the index block
 *            zeros up to 40 bytes  u64 0xdb4775248b80fb57
 *   the index block's values are varint offset, size of the data blocks, in order
 * </pre>
 *
 * <p>Keys must rise and blocks follow one another, as every writer does: so the work is bounded by
 * the size of the file, whatever the file claims.
 */
final class SortedTable {
  /** The last eight bytes of a table. */
  static final long MAGIC = 0xdb4775248b80fb57L;

  /** The bytes of the footer. */
  static final int FOOTER = 48;

  private static final int TRAILER = 5;
  private static final int LONGEST_KEY = 1 << 16;
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Path path;
  private final MemorySegment file;
  private long keyBytes; // of all keys made so far
  private long blocksEnd;

  /** Takes entries in order. */
  interface Visitor {
    /**
     * Takes an entry.
     *
     * @param at the byte of the file near which it stands
     */
    void entry(byte[] key, Wire value, long at);
  }

  private SortedTable(Path path, MemorySegment file) {
    this.path = path;
    this.file = file;
  }

  /** Returns whether a file ends as a table does. */
  static boolean isOne(MemorySegment file) {
    return file.byteSize() >= FOOTER && file.get(LONG, file.byteSize() - 8) == MAGIC;
  }

  /**
   * Visits all entries.
   *
   * @throws FormatException if the file is no table, or damaged
   */
  static void visit(Path path, MemorySegment file, Visitor visitor) {
    if (!isOne(file)) {
      throw new FormatException(
          path,
          Math.max(0, file.byteSize() - 8),
          "does not end as the index of a TensorFlow checkpoint does; the file looks cut off, copy it again");
    }
    new SortedTable(path, file).read(visitor);
  }

  private void read(Visitor visitor) {
    long start = file.byteSize() - FOOTER;
    Wire footer = Wire.over(path, "checkpoint index", file).over(start, start + 40);
    block(footer.varint(), footer.varint(), start); // of meta data: TensorFlow leaves it empty
    long offset = footer.varint();
    long size = footer.varint();
    MemorySegment index = block(offset, size, start);
    entries(
        index,
        offset,
        (_, handle, at) -> {
          long from = handle.varint();
          long length = handle.varint();
          if (from < blocksEnd) {
            throw new FormatException(
                path, at, "a block at byte %d overlaps the one before".formatted(from));
          }
          MemorySegment block = block(from, length, start);
          blocksEnd = from + length;
          entries(block, from, visitor);
        });
  }

  /** Returns the bytes of a block, uncompressed. */
  private MemorySegment block(long offset, long size, long limit) {
    if (offset < 0 || size < 4 || offset > limit - TRAILER || size > limit - TRAILER - offset) {
      throw new FormatException(
          path,
          limit,
          "names a block of %s bytes at byte %s, beyond the %,d bytes in front of its footer"
              .formatted(Long.toUnsignedString(size), Long.toUnsignedString(offset), limit));
    }
    MemorySegment block = file.asSlice(offset, size);
    CRC32C crc = new CRC32C();
    crc.update(file.asSlice(offset, size + 1).asByteBuffer());
    int sum = (int) crc.getValue();
    int masked =
        ((sum >>> 15) | (sum << 17)) + 0xa282ead8; // LevelDB's way to keep sums of sums apart
    if (masked != file.get(INT, offset + size + 1)) {
      throw new FormatException(
          path, offset, "a block's checksum is wrong; the file is damaged, copy it again");
    }
    byte compression = file.get(ValueLayout.JAVA_BYTE, offset + size);
    return switch (compression) {
      case 0 -> block;
      case 1 -> MemorySegment.ofArray(Snappy.decompress(path, offset, block));
      default ->
          throw new FormatException(
              path,
              offset + size,
              "a block has compression %d; 0, none, and 1, snappy, are known"
                  .formatted(compression));
    };
  }

  /**
   * Visits the entries of a block.
   *
   * @param at where the block starts in the file
   */
  private void entries(MemorySegment block, long at, Visitor visitor) {
    if (block.byteSize() < 4) { // only a compressed one: others are checked where they lie
      throw new FormatException(
          path, at, "a block of %d bytes is too short; 4 is the least".formatted(block.byteSize()));
    }
    long restarts = Integer.toUnsignedLong(block.get(INT, block.byteSize() - 4));
    long end = block.byteSize() - 4 - 4 * restarts;
    if (end < 0) {
      throw new FormatException(
          path,
          at,
          "a block of %,d bytes claims %,d restarts".formatted(block.byteSize(), restarts));
    }
    Wire wire = Wire.over(path, "checkpoint index", block).over(0, end);
    byte[] key = new byte[0];
    boolean first = true;
    while (!wire.atEnd()) {
      long shared = wire.varint();
      long own = wire.varint();
      long length = wire.varint();
      long left = end - wire.position();
      if (shared < 0 || shared > key.length || own < 0 || own > left) {
        throw new FormatException(
            path, at, "a key claims %s + %s bytes".formatted(unsigned(shared), unsigned(own)));
      }
      if (length < 0 || length > left - own) {
        throw new FormatException(
            path, at, "a value claims %s bytes but %,d are left".formatted(unsigned(length), left));
      }
      byte[] next = key(key, (int) shared, block.asSlice(wire.position(), own), at);
      if (!first && Arrays.compareUnsigned(key, next) >= 0) {
        throw new FormatException(path, at, "the keys of a block do not rise");
      }
      first = false;
      key = next;
      wire.advance(own);
      visitor.entry(key, wire.over(wire.position(), wire.position() + length), at);
      wire.advance(length);
    }
  }

  /** Few bytes of the file may spell long keys, so their sum is bounded. */
  private byte[] key(byte[] before, int shared, MemorySegment own, long at) {
    long length = shared + own.byteSize();
    keyBytes += length;
    if (length > LONGEST_KEY || keyBytes > 64 * file.byteSize() + (1 << 20)) {
      throw new FormatException(path, at, "the keys are unreasonably long");
    }
    byte[] key = Arrays.copyOf(before, (int) length);
    MemorySegment.copy(own, ValueLayout.JAVA_BYTE, 0, key, shared, (int) own.byteSize());
    return key;
  }

  private static String unsigned(long number) {
    return Long.toUnsignedString(number);
  }
}
