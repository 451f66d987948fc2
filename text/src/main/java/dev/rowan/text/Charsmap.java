package dev.rowan.text;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/**
 * A table of replacements that SentencePiece compiled: at each place the longest of its keys is
 * replaced. Immutable.
 *
 * <pre>
 *   u32    size of the trie in bytes
 *   trie   a double array of u32 units (s-yata/darts-clone):
 *            bit 31 and bits 0–7   the byte that leads here, or, at a leaf, bit 31 and the value
 *            bit 8                 a key ends here; its leaf is at the offset
 *            bit 9                 the offset is in units of 256
 *            bits 10–30            offset, to be xored with the place of the unit
 *   text   the values: where a replacement starts; it ends with a zero byte
 * </pre>
 *
 * <p>Places that lie outside the table end a key, so a damaged table replaces wrongly but reads
 * nothing else.
 */
final class Charsmap {
  private static final int NONE = -1;

  private final int[] units;
  private final byte[] replacements;

  private Charsmap(int[] units, byte[] replacements) {
    this.units = units;
    this.replacements = replacements;
  }

  /** Reads a table, whose size has been checked. */
  static Charsmap of(MemorySegment table) {
    if (table.byteSize() == 0) {
      return new Charsmap(new int[0], new byte[0]);
    }
    var number = JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    long size = table.get(number, 0) & 0xFFFF_FFFFL;
    int[] units = table.asSlice(4, size).toArray(number);
    return new Charsmap(units, table.asSlice(4 + size).toArray(JAVA_BYTE));
  }

  boolean isEmpty() {
    return units.length == 0;
  }

  /**
   * Looks for the longest key that text starts with.
   *
   * @return its length in the upper half and the start of its replacement in the lower, or −1
   */
  long longest(byte[] text, int from, int to) {
    int place = 0;
    long best = NONE;
    int unit = units.length == 0 ? 0 : units[0];
    for (int i = from; i < to; i++) {
      place ^= offset(unit) ^ (text[i] & 0xFF);
      if (place < 0 || place >= units.length) {
        return best;
      }
      unit = units[place];
      if ((unit & 0x8000_00FF) != (text[i] & 0xFF)) {
        return best;
      }
      int leaf = place ^ offset(unit);
      if ((unit >>> 8 & 1) == 1 && leaf >= 0 && leaf < units.length) {
        best = (long) (i + 1 - from) << 32 | (units[leaf] & 0x7FFF_FFFF);
      }
    }
    return best;
  }

  /** Returns where a replacement ends. */
  int end(int start) {
    int end = Math.min(start, replacements.length);
    while (end < replacements.length && replacements[end] != 0) {
      end++;
    }
    return end;
  }

  /** Returns a byte of the replacements. */
  byte octet(int at) {
    return replacements[at];
  }

  private static int offset(int unit) {
    return (unit >>> 10) << ((unit & 0x200) >>> 6);
  }
}
