package dev.rowan.bench;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** What this machine can do at most: reading, copying, multiplying. */
public final class Yardstick {
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
  private static final long BYTES = LONGS.vectorByteSize();
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;

  private Yardstick() {}

  /**
   * Reads bytes at the bandwidth of memory: sums them as longs, eight vectors side by side.
   *
   * @param count a multiple of eight vectors is read; less than that may be left over
   */
  static long read(MemorySegment data, long offset, long count) {
    LongVector s0 = LongVector.zero(LONGS);
    LongVector s1 = s0;
    LongVector s2 = s0;
    LongVector s3 = s0;
    LongVector s4 = s0;
    LongVector s5 = s0;
    LongVector s6 = s0;
    LongVector s7 = s0;
    long end = offset + count - 8 * BYTES;
    for (long at = offset; at <= end; at += 8 * BYTES) {
      s0 = s0.add(longs(data, at));
      s1 = s1.add(longs(data, at + BYTES));
      s2 = s2.add(longs(data, at + 2 * BYTES));
      s3 = s3.add(longs(data, at + 3 * BYTES));
      s4 = s4.add(longs(data, at + 4 * BYTES));
      s5 = s5.add(longs(data, at + 5 * BYTES));
      s6 = s6.add(longs(data, at + 6 * BYTES));
      s7 = s7.add(longs(data, at + 7 * BYTES));
    }
    return s0.add(s1)
        .add(s2.add(s3))
        .add(s4.add(s5).add(s6.add(s7)))
        .reduceLanes(VectorOperators.ADD);
  }

  private static LongVector longs(MemorySegment data, long at) {
    return LongVector.fromMemorySegment(LONGS, data, at, LITTLE_ENDIAN);
  }

  /** Fills a buffer with copies of a table, one bulk copy each; returns the bytes copied. */
  static long copy(MemorySegment table, MemorySegment target) {
    long at = 0;
    for (; at + table.byteSize() <= target.byteSize(); at += table.byteSize()) {
      MemorySegment.copy(table, 0, target, at, table.byteSize());
    }
    return at;
  }

  /** Fills a buffer with the rows of a table in order, one copy a row; returns the bytes copied. */
  static long copyRows(MemorySegment table, long rowBytes, MemorySegment target) {
    long at = 0;
    for (; at + table.byteSize() <= target.byteSize(); at += table.byteSize()) {
      for (long row = 0; row < table.byteSize(); row += rowBytes) {
        MemorySegment.copy(table, row, target, at + row, rowBytes);
      }
    }
    return at;
  }

  /** Floating-point operations of one step of {@link #multiply}. */
  public static long operations() {
    return 2L * 12 * FLOATS.length();
  }

  /** Does nothing but fused multiply-adds, in twelve independent chains; returns a sum of them. */
  public static float multiply(int steps) {
    FloatVector one = FloatVector.broadcast(FLOATS, 1);
    FloatVector half = FloatVector.broadcast(FLOATS, 0.5f);
    FloatVector s0 = one;
    FloatVector s1 = one;
    FloatVector s2 = one;
    FloatVector s3 = one;
    FloatVector s4 = one;
    FloatVector s5 = one;
    FloatVector s6 = one;
    FloatVector s7 = one;
    FloatVector s8 = one;
    FloatVector s9 = one;
    FloatVector s10 = one;
    FloatVector s11 = one;
    for (int i = 0; i < steps; i++) {
      s0 = s0.fma(half, one);
      s1 = s1.fma(half, one);
      s2 = s2.fma(half, one);
      s3 = s3.fma(half, one);
      s4 = s4.fma(half, one);
      s5 = s5.fma(half, one);
      s6 = s6.fma(half, one);
      s7 = s7.fma(half, one);
      s8 = s8.fma(half, one);
      s9 = s9.fma(half, one);
      s10 = s10.fma(half, one);
      s11 = s11.fma(half, one);
    }
    return s0.add(s1)
        .add(s2)
        .add(s3)
        .add(s4)
        .add(s5)
        .add(s6)
        .add(s7)
        .add(s8)
        .add(s9)
        .add(s10)
        .add(s11)
        .lane(0);
  }
}
