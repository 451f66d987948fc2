package dev.rowan.core.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Copies and adds rows picked at random, which cache misses bound. Wide rows: several rows side by
 * side, so that several streams of misses are under way. Narrow rows: one after the other with few
 * instructions each, so that the CPU itself reaches far ahead into the next rows.
 *
 * <p>Only whole vectors are added; the caller adds the rest of a row.
 */
final class RowStreams {
  /**
   * Rows up to this many bytes count as narrow: at 256 one row after the other copied a quarter
   * faster than four side by side, at 3,072 it was a quarter slower.
   */
  static final int NARROW_BYTES = 512;

  private static final VectorSpecies<Float> S = Lanes.FLOATS;
  private static final int LANES = S.length();
  private static final long STEP = S.vectorByteSize();

  /**
   * How many rows ahead narrow rows are asked for: 16 took a seventh off the time, 8 and 32 less.
   */
  private static final int AHEAD = 16;

  private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED;

  /** Written so that the compiler keeps the loads that ask for rows ahead; means nothing. */
  private static int lastTouched;

  private RowStreams() {}

  /** Returns a number without meaning; see {@link #lastTouched}. */
  static int lastTouched() {
    return lastTouched;
  }

  private static FloatVector load(MemorySegment data, long at) {
    return FloatVector.fromMemorySegment(S, data, at, LITTLE_ENDIAN);
  }

  private static FloatVector load(float[] data, int at) {
    return FloatVector.fromArray(S, data, at);
  }

  /**
   * Copies one narrow row. Without a loop: a loop of one or two turns costs as much as the copy,
   * and keeps the CPU from reaching the next rows.
   */
  static void copyNarrow(
      MemorySegment data, long from, long rowBytes, MemorySegment target, long to) {
    long i = 0;
    if (rowBytes >= 8 * STEP) {
      copyQuad(data, from, target, to);
      copyQuad(data, from + 4 * STEP, target, to + 4 * STEP);
      i = 8 * STEP;
    }
    if (rowBytes - i >= 4 * STEP) {
      copyQuad(data, from + i, target, to + i);
      i += 4 * STEP;
    }
    if (rowBytes == i) {
      return;
    }
    for (; i + STEP <= rowBytes; i += STEP) {
      load(data, from + i).intoMemorySegment(target, to + i, LITTLE_ENDIAN);
    }
    if (i < rowBytes) {
      MemorySegment.copy(data, from + i, target, to + i, rowBytes - i);
    }
  }

  private static void copyQuad(MemorySegment data, long from, MemorySegment target, long to) {
    FloatVector a = load(data, from);
    FloatVector b = load(data, from + STEP);
    FloatVector c = load(data, from + 2 * STEP);
    FloatVector d = load(data, from + 3 * STEP);
    a.intoMemorySegment(target, to, LITTLE_ENDIAN);
    b.intoMemorySegment(target, to + STEP, LITTLE_ENDIAN);
    c.intoMemorySegment(target, to + 2 * STEP, LITTLE_ENDIAN);
    d.intoMemorySegment(target, to + 3 * STEP, LITTLE_ENDIAN);
  }

  /** Copies narrow row {@code id} into an array; see the one for outside memory. */
  static void copyNarrow(MemorySegment data, long id, int width, float[] target, int to) {
    long from = 4L * width * id;
    int i = 0;
    if (width >= 8 * LANES) {
      copyQuad(data, from, target, to);
      copyQuad(data, from + 4 * STEP, target, to + 4 * LANES);
      i = 8 * LANES;
    }
    if (width - i >= 4 * LANES) {
      copyQuad(data, from + 4L * i, target, to + i);
      i += 4 * LANES;
    }
    if (width == i) {
      return;
    }
    for (; i + LANES <= width; i += LANES) {
      load(data, from + 4L * i).intoArray(target, to + i);
    }
    copyRest(data, from, i, width, target, to);
  }

  private static void copyQuad(MemorySegment data, long from, float[] target, int to) {
    FloatVector a = load(data, from);
    FloatVector b = load(data, from + STEP);
    FloatVector c = load(data, from + 2 * STEP);
    FloatVector d = load(data, from + 3 * STEP);
    a.intoArray(target, to);
    b.intoArray(target, to + LANES);
    c.intoArray(target, to + 2 * LANES);
    d.intoArray(target, to + 3 * LANES);
  }

  private static void copyRest(
      MemorySegment data, long row, int from, int width, float[] target, int to) {
    for (int i = from; i < width; i++) {
      target[to + i] = data.get(ScalarRowKernels.FLOAT, row + 4L * i);
    }
  }

  /** Copies eight wide rows, which start at a … h, to consecutive places of an array. */
  static void copyEight(
      MemorySegment data,
      long a,
      long b,
      long c,
      long d,
      long e,
      long f,
      long g,
      long h,
      int width,
      float[] target,
      int t) {
    for (int next = 0; next < width; next += LANES) {
      int i = Math.min(next, width - LANES); // the last vector may overlap the one before
      long at = 4L * i;
      FloatVector x0 = load(data, a + at);
      FloatVector x1 = load(data, b + at);
      FloatVector x2 = load(data, c + at);
      FloatVector x3 = load(data, d + at);
      FloatVector x4 = load(data, e + at);
      FloatVector x5 = load(data, f + at);
      FloatVector x6 = load(data, g + at);
      FloatVector x7 = load(data, h + at);
      x0.intoArray(target, t + i);
      x1.intoArray(target, t + width + i);
      x2.intoArray(target, t + 2 * width + i);
      x3.intoArray(target, t + 3 * width + i);
      x4.intoArray(target, t + 4 * width + i);
      x5.intoArray(target, t + 5 * width + i);
      x6.intoArray(target, t + 6 * width + i);
      x7.intoArray(target, t + 7 * width + i);
    }
  }

  /** Adds a multiple of a summand to each of four rows side by side. */
  static void addScaledFour(
      float[] factors,
      float[][] summands,
      int[] from,
      MemorySegment table,
      long[] rows,
      int count) {
    float[] x0 = summands[0];
    float[] x1 = summands[1];
    float[] x2 = summands[2];
    float[] x3 = summands[3];
    int at0 = from[0];
    int at1 = from[1];
    int at2 = from[2];
    int at3 = from[3];
    long row0 = rows[0];
    long row1 = rows[1];
    long row2 = rows[2];
    long row3 = rows[3];
    FloatVector a0 = FloatVector.broadcast(S, factors[0]);
    FloatVector a1 = FloatVector.broadcast(S, factors[1]);
    FloatVector a2 = FloatVector.broadcast(S, factors[2]);
    FloatVector a3 = FloatVector.broadcast(S, factors[3]);
    for (int i = 0; i < count; i += LANES) {
      long at = 4L * i;
      FloatVector y0 = a0.fma(load(x0, at0 + i), load(table, row0 + at));
      FloatVector y1 = a1.fma(load(x1, at1 + i), load(table, row1 + at));
      FloatVector y2 = a2.fma(load(x2, at2 + i), load(table, row2 + at));
      FloatVector y3 = a3.fma(load(x3, at3 + i), load(table, row3 + at));
      y0.intoMemorySegment(table, row0 + at, LITTLE_ENDIAN);
      y1.intoMemorySegment(table, row1 + at, LITTLE_ENDIAN);
      y2.intoMemorySegment(table, row2 + at, LITTLE_ENDIAN);
      y3.intoMemorySegment(table, row3 + at, LITTLE_ENDIAN);
    }
  }

  /** Adds a row. */
  static void addOne(MemorySegment data, long row, float[] y, int yFrom, int count) {
    int whole = S.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      load(y, yFrom + i).add(load(data, row + 4L * i)).intoArray(y, yFrom + i);
    }
  }

  /** Adds eight rows side by side, each number in the order of the positions. */
  static void addEight(MemorySegment data, long[] ids, int p, float[] y, int yFrom, int count) {
    long rowBytes = 4L * count;
    long a = rowBytes * ids[p];
    long b = rowBytes * ids[p + 1];
    long c = rowBytes * ids[p + 2];
    long d = rowBytes * ids[p + 3];
    long e = rowBytes * ids[p + 4];
    long f = rowBytes * ids[p + 5];
    long g = rowBytes * ids[p + 6];
    long h = rowBytes * ids[p + 7];
    int whole = S.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      long at = 4L * i;
      load(y, yFrom + i)
          .add(load(data, a + at))
          .add(load(data, b + at))
          .add(load(data, c + at))
          .add(load(data, d + at))
          .add(load(data, e + at))
          .add(load(data, f + at))
          .add(load(data, g + at))
          .add(load(data, h + at))
          .intoArray(y, yFrom + i);
    }
  }

  /** Adds narrow rows: columns outside, positions inside, sums in registers. */
  static void addNarrow(
      MemorySegment data, long[] ids, int from, int to, float[] y, int yFrom, int count) {
    int i = 0;
    for (; i + 4 * LANES <= count; i += 4 * LANES) {
      addFourColumns(data, ids, from, to, y, yFrom + i, 4L * i, 4L * count);
    }
    for (; i + LANES <= count; i += LANES) {
      FloatVector a = load(y, yFrom + i);
      for (int p = from; p < to; p++) {
        a = a.add(load(data, ids[p] * 4L * count + 4L * i));
      }
      a.intoArray(y, yFrom + i);
    }
  }

  private static void addFourColumns(
      MemorySegment data,
      long[] ids,
      int from,
      int to,
      float[] y,
      int yFrom,
      long column,
      long rowBytes) {
    FloatVector a = load(y, yFrom);
    FloatVector b = load(y, yFrom + LANES);
    FloatVector c = load(y, yFrom + 2 * LANES);
    FloatVector d = load(y, yFrom + 3 * LANES);
    int touched = 0;
    int last = ids.length - 1;
    for (int p = from; p < to; p++) {
      touched ^= data.get(WORD, ids[Math.min(p + AHEAD, last)] * rowBytes + column);
      long row = ids[p] * rowBytes + column;
      a = a.add(load(data, row));
      b = b.add(load(data, row + STEP));
      c = c.add(load(data, row + 2 * STEP));
      d = d.add(load(data, row + 3 * STEP));
    }
    a.intoArray(y, yFrom);
    b.intoArray(y, yFrom + LANES);
    c.intoArray(y, yFrom + 2 * LANES);
    d.intoArray(y, yFrom + 3 * LANES);
    lastTouched = touched;
  }
}
