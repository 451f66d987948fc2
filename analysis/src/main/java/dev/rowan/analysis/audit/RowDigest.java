package dev.rowan.analysis.audit;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.rowan.core.Table;
import dev.rowan.core.kernel.FloatFormat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Hashes one row at a time and tells whether its numbers are constant or denormal. Rows in a float
 * format are read as words of eight bytes, others decoded.
 *
 * <p>Not thread-safe.
 */
abstract sealed class RowDigest {
  private static final ValueLayout.OfLong LONG =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final float LEAST_NORMAL_F16 = 0x1p-14f;

  long hash;
  boolean constant;
  boolean denormal;

  /** Returns a digest for the rows of a table. */
  static RowDigest of(Table table) {
    return table.format() instanceof FloatFormat format
        ? new Words(table, format)
        : new Decoded(table);
  }

  /** Reads the row that starts at a byte of the table. */
  abstract void read(long offset);

  final long hash() {
    return hash;
  }

  final boolean isConstant() {
    return constant;
  }

  final boolean isDenormal() {
    return denormal;
  }

  private static long mixed(long h) {
    h ^= h >>> 32;
    h *= MIX;
    return h ^ (h >>> 29);
  }

  /** Of f32, f16 and bf16. */
  private static final class Words extends RowDigest {
    private final MemorySegment data;
    private final int width;
    private final int bytes; // of a row
    private final FloatFormat format;
    private final long exponents; // the exponent bits of each number in a word
    private final long ones; // the lowest exponent bit of each
    private final long signs;
    private final float[] row;

    Words(Table table, FloatFormat format) {
      this.data = table.data();
      this.width = table.width();
      this.bytes = Math.toIntExact(format.rowBytes(width));
      this.format = format;
      this.row = new float[width];
      exponents =
          everyNumber(
              switch (format) {
                case F32 -> 0x7F80_0000L;
                case BF16 -> 0x7F80L;
                case F16 -> 0x7C00L;
              });
      ones =
          everyNumber(
              switch (format) {
                case F32 -> 0x0080_0000L;
                case BF16 -> 0x0080L;
                case F16 -> 0x0400L;
              });
      signs = everyNumber(1L << (8 * format.bytes() - 1));
    }

    /** Returns a word that holds the same bits in each of its numbers. */
    private long everyNumber(long bits) {
      return format.bytes() == 4 ? bits * 0x1_0000_0001L : bits * 0x0001_0001_0001_0001L;
    }

    @Override
    void read(long offset) {
      long a = MIX;
      long b = ~MIX;
      long small = 0;
      int i = 0;
      for (; i + 16 <= bytes; i += 16) {
        long x = data.get(LONG, offset + i);
        long y = data.get(LONG, offset + i + 8);
        a = Long.rotateLeft((a ^ x) * MIX, 29);
        b = Long.rotateLeft((b ^ y) * MIX, 31);
        // an exponent of 0 borrows from its sign bit; a lane above it may too, so rows are looked
        // at
        // again
        small |= ((x & exponents) - ones) | ((y & exponents) - ones);
      }
      for (; i < bytes; i++) {
        a = Long.rotateLeft((a ^ data.get(JAVA_BYTE, offset + i)) * MIX, 29);
        small = signs; // too few to be clever with
      }
      hash = mixed(a + Long.rotateLeft(b, 17));
      constant = startsConstant(offset) && isDecodedConstant(offset);
      denormal = (small & signs) != 0 && isDecodedDenormal(offset);
    }

    private boolean startsConstant(long offset) {
      int size = format.bytes();
      return width == 1
          || MemorySegment.mismatch(
                  data, offset, offset + size, data, offset + size, offset + 2L * size)
              < 0;
    }

    private boolean isDecodedConstant(long offset) {
      format.decode(data, offset, width, row, 0);
      return width > 1 && allSame(row);
    }

    private boolean isDecodedDenormal(long offset) {
      format.decode(data, offset, width, row, 0);
      if (format != FloatFormat.F16) {
        return anyDenormal(row);
      }
      for (float x : row) {
        if (Math.abs(x) >= LEAST_NORMAL_F16) {
          return false;
        }
      }
      return true; // a zero row is another rule's
    }
  }

  /** Of any other format. */
  private static final class Decoded extends RowDigest {
    private final Table table;
    private final float[] row;

    Decoded(Table table) {
      this.table = table;
      this.row = new float[table.width()];
    }

    @Override
    void read(long offset) {
      table.format().decode(table.data(), offset, row.length, row, 0);
      long h = MIX;
      for (float x : row) {
        h = Long.rotateLeft((h ^ Float.floatToIntBits(x)) * MIX, 29);
      }
      hash = mixed(h);
      constant = row.length > 1 && allSame(row);
      denormal = anyDenormal(row);
    }
  }

  private static boolean allSame(float[] row) {
    for (float x : row) {
      if (x != row[0]) {
        return false;
      }
    }
    return true;
  }

  private static boolean anyDenormal(float[] row) {
    for (float x : row) {
      if (x != 0 && Math.abs(x) < Float.MIN_NORMAL) {
        return true;
      }
    }
    return false;
  }
}
