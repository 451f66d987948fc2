package dev.rowan.core.kernel;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Many queries at once: lanes run over queries, each number of a row is broadcast, and no sum ever
 * crosses lanes. A score is one chain of fused multiply-adds over i = 0 … d−1, whatever the number
 * of queries or the vector width.
 *
 * <p>Queries are packed in blocks of 4, 2 or 1 vectors:
 *
 * <pre>
 *   block: d × [ v vectors: number i of each of the block's queries ]    v · LANES · 4 · d bytes
 * </pre>
 *
 * <p>A block is read once for each tile of six rows and streams from the second-level cache, while
 * the rows stay in the first. 6 × 4 = 24 accumulators, 4 vectors of queries and a broadcast fit the
 * 32 registers of AVX-512; more spill. CPUs with narrower vectors have 16 registers: 6 × 2.
 */
final class PackedQueries {
  /** Rows of one call. */
  static final int ROWS = 6;

  private static final VectorSpecies<Float> FLOATS = Lanes.FLOATS;
  private static final int LANES = Lanes.COUNT;
  private static final long BYTES = 4L * LANES;
  private static final int WIDEST = LANES == 16 ? 4 : 2;
  private static final ValueLayout.OfFloat LITTLE_ENDIAN_FLOAT =
      JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final MemorySegment packed;
  private final int count;
  private final int width;

  private PackedQueries(MemorySegment packed, int count, int width) {
    this.packed = packed;
    this.count = count;
    this.width = width;
  }

  /** Packs queries; the rest of the last vector is zero. */
  static PackedQueries of(float[] values, int count, int width) {
    int vectors = Math.ceilDiv(count, LANES);
    // 64: a vector that straddles two cache lines costs two reads
    MemorySegment packed = Arena.ofAuto().allocate(vectors * BYTES * width, 64);
    for (int vector = 0; vector < vectors; ) {
      int v = blockOf(vectors - vector);
      long block = vector * BYTES * width;
      int first = vector * LANES;
      int last = Math.min(count, first + v * LANES);
      for (int q = first; q < last; q++) {
        for (int i = 0; i < width; i++) {
          long at = block + (long) i * v * BYTES + 4L * (q - first);
          packed.set(ValueLayout.JAVA_FLOAT, at, values[q * width + i]);
        }
      }
      vector += v;
    }
    return new PackedQueries(packed, count, width);
  }

  /** Returns how many of the remaining vectors the next block takes. */
  private static int blockOf(int remaining) {
    return remaining >= WIDEST ? WIDEST : remaining >= 2 ? 2 : 1;
  }

  /** What a call needs to know about its rows; reused from call to call. */
  static final class Tile {
    final int width;
    final long rowBytes;
    final float[] scale = new float[ROWS];
    final float[] bias = new float[ROWS];
    private final float[] scores = new float[LANES];
    private long firstId;

    Tile(int width, long rowBytes) {
      this.width = width;
      this.rowBytes = rowBytes;
    }

    /** Takes the weights of rows {@code from} to {@code to} of six; the others never pass. */
    void start(long firstId, int from, int to, RowWeights weights) {
      this.firstId = firstId;
      for (int r = 0; r < ROWS; r++) {
        boolean wanted = from <= r && r < to;
        scale[r] = wanted ? weights.scale().get(firstId + r) : Float.NaN;
        bias[r] = wanted ? weights.bias().get(firstId + r) : 0;
      }
    }

    private void offer(int r, FloatVector dots, int query, Candidates found) {
      FloatVector scores = dots.mul(scale[r]).add(bias[r]);
      FloatVector thresholds = FloatVector.fromArray(FLOATS, found.thresholds(), query);
      if (scores.compare(VectorOperators.GT, thresholds).anyTrue()) {
        insert(scores, query, firstId + r, found);
      }
    }

    private void insert(FloatVector passing, int query, long id, Candidates found) {
      passing.intoArray(scores, 0);
      for (int lane = 0; lane < LANES; lane++) {
        found.offer(query + lane, id, scores[lane]);
      }
    }
  }

  /**
   * Scores six rows against all queries.
   *
   * @param offset the byte at which the first row starts
   * @param tile started for these rows
   */
  void score(MemorySegment data, long offset, Tile tile, Candidates found) {
    int vectors = Math.ceilDiv(count, LANES);
    for (int vector = 0; vector < vectors; ) {
      int v = blockOf(vectors - vector);
      long block = vector * BYTES * width;
      int query = vector * LANES;
      switch (v) {
        case 4 -> sixByFour(data, offset, tile, packed, block, query, found);
        case 2 -> sixByTwo(data, offset, tile, packed, block, query, found);
        default -> sixByOne(data, offset, tile, packed, block, query, found);
      }
      vector += v;
    }
  }

  private static FloatVector queries(MemorySegment packed, long at) {
    return FloatVector.fromMemorySegment(FLOATS, packed, at, ByteOrder.nativeOrder());
  }

  private static FloatVector number(MemorySegment data, long at) {
    return FloatVector.broadcast(FLOATS, data.get(LITTLE_ENDIAN_FLOAT, at));
  }

  /** Six rows, four vectors of queries: 24 accumulators. */
  private static void sixByFour(
      MemorySegment data,
      long offset,
      Tile tile,
      MemorySegment packed,
      long block,
      int query,
      Candidates found) {
    FloatVector s00 = FloatVector.zero(FLOATS);
    FloatVector s01 = s00;
    FloatVector s02 = s00;
    FloatVector s03 = s00;
    FloatVector s10 = s00;
    FloatVector s11 = s00;
    FloatVector s12 = s00;
    FloatVector s13 = s00;
    FloatVector s20 = s00;
    FloatVector s21 = s00;
    FloatVector s22 = s00;
    FloatVector s23 = s00;
    FloatVector s30 = s00;
    FloatVector s31 = s00;
    FloatVector s32 = s00;
    FloatVector s33 = s00;
    FloatVector s40 = s00;
    FloatVector s41 = s00;
    FloatVector s42 = s00;
    FloatVector s43 = s00;
    FloatVector s50 = s00;
    FloatVector s51 = s00;
    FloatVector s52 = s00;
    FloatVector s53 = s00;
    int width = tile.width;
    long r0 = offset;
    long r1 = offset + tile.rowBytes;
    long r2 = offset + 2 * tile.rowBytes;
    long r3 = offset + 3 * tile.rowBytes;
    long r4 = offset + 4 * tile.rowBytes;
    long r5 = offset + 5 * tile.rowBytes;
    for (int i = 0; i < width; i++) {
      long at = block + (long) i * 4 * BYTES;
      FloatVector q0 = queries(packed, at);
      FloatVector q1 = queries(packed, at + BYTES);
      FloatVector q2 = queries(packed, at + 2 * BYTES);
      FloatVector q3 = queries(packed, at + 3 * BYTES);
      FloatVector x = number(data, r0 + 4L * i);
      s00 = x.fma(q0, s00);
      s01 = x.fma(q1, s01);
      s02 = x.fma(q2, s02);
      s03 = x.fma(q3, s03);
      x = number(data, r1 + 4L * i);
      s10 = x.fma(q0, s10);
      s11 = x.fma(q1, s11);
      s12 = x.fma(q2, s12);
      s13 = x.fma(q3, s13);
      x = number(data, r2 + 4L * i);
      s20 = x.fma(q0, s20);
      s21 = x.fma(q1, s21);
      s22 = x.fma(q2, s22);
      s23 = x.fma(q3, s23);
      x = number(data, r3 + 4L * i);
      s30 = x.fma(q0, s30);
      s31 = x.fma(q1, s31);
      s32 = x.fma(q2, s32);
      s33 = x.fma(q3, s33);
      x = number(data, r4 + 4L * i);
      s40 = x.fma(q0, s40);
      s41 = x.fma(q1, s41);
      s42 = x.fma(q2, s42);
      s43 = x.fma(q3, s43);
      x = number(data, r5 + 4L * i);
      s50 = x.fma(q0, s50);
      s51 = x.fma(q1, s51);
      s52 = x.fma(q2, s52);
      s53 = x.fma(q3, s53);
    }
    tile.offer(0, s00, query, found);
    tile.offer(0, s01, query + LANES, found);
    tile.offer(0, s02, query + 2 * LANES, found);
    tile.offer(0, s03, query + 3 * LANES, found);
    tile.offer(1, s10, query, found);
    tile.offer(1, s11, query + LANES, found);
    tile.offer(1, s12, query + 2 * LANES, found);
    tile.offer(1, s13, query + 3 * LANES, found);
    tile.offer(2, s20, query, found);
    tile.offer(2, s21, query + LANES, found);
    tile.offer(2, s22, query + 2 * LANES, found);
    tile.offer(2, s23, query + 3 * LANES, found);
    tile.offer(3, s30, query, found);
    tile.offer(3, s31, query + LANES, found);
    tile.offer(3, s32, query + 2 * LANES, found);
    tile.offer(3, s33, query + 3 * LANES, found);
    tile.offer(4, s40, query, found);
    tile.offer(4, s41, query + LANES, found);
    tile.offer(4, s42, query + 2 * LANES, found);
    tile.offer(4, s43, query + 3 * LANES, found);
    tile.offer(5, s50, query, found);
    tile.offer(5, s51, query + LANES, found);
    tile.offer(5, s52, query + 2 * LANES, found);
    tile.offer(5, s53, query + 3 * LANES, found);
  }

  /** Six rows, two vectors of queries: 12 accumulators. */
  private static void sixByTwo(
      MemorySegment data,
      long offset,
      Tile tile,
      MemorySegment packed,
      long block,
      int query,
      Candidates found) {
    FloatVector s00 = FloatVector.zero(FLOATS);
    FloatVector s01 = s00;
    FloatVector s10 = s00;
    FloatVector s11 = s00;
    FloatVector s20 = s00;
    FloatVector s21 = s00;
    FloatVector s30 = s00;
    FloatVector s31 = s00;
    FloatVector s40 = s00;
    FloatVector s41 = s00;
    FloatVector s50 = s00;
    FloatVector s51 = s00;
    int width = tile.width;
    long r0 = offset;
    long r1 = offset + tile.rowBytes;
    long r2 = offset + 2 * tile.rowBytes;
    long r3 = offset + 3 * tile.rowBytes;
    long r4 = offset + 4 * tile.rowBytes;
    long r5 = offset + 5 * tile.rowBytes;
    for (int i = 0; i < width; i++) {
      long at = block + (long) i * 2 * BYTES;
      FloatVector q0 = queries(packed, at);
      FloatVector q1 = queries(packed, at + BYTES);
      FloatVector x = number(data, r0 + 4L * i);
      s00 = x.fma(q0, s00);
      s01 = x.fma(q1, s01);
      x = number(data, r1 + 4L * i);
      s10 = x.fma(q0, s10);
      s11 = x.fma(q1, s11);
      x = number(data, r2 + 4L * i);
      s20 = x.fma(q0, s20);
      s21 = x.fma(q1, s21);
      x = number(data, r3 + 4L * i);
      s30 = x.fma(q0, s30);
      s31 = x.fma(q1, s31);
      x = number(data, r4 + 4L * i);
      s40 = x.fma(q0, s40);
      s41 = x.fma(q1, s41);
      x = number(data, r5 + 4L * i);
      s50 = x.fma(q0, s50);
      s51 = x.fma(q1, s51);
    }
    tile.offer(0, s00, query, found);
    tile.offer(0, s01, query + LANES, found);
    tile.offer(1, s10, query, found);
    tile.offer(1, s11, query + LANES, found);
    tile.offer(2, s20, query, found);
    tile.offer(2, s21, query + LANES, found);
    tile.offer(3, s30, query, found);
    tile.offer(3, s31, query + LANES, found);
    tile.offer(4, s40, query, found);
    tile.offer(4, s41, query + LANES, found);
    tile.offer(5, s50, query, found);
    tile.offer(5, s51, query + LANES, found);
  }

  /** Six rows, one vector of queries: 6 accumulators. */
  private static void sixByOne(
      MemorySegment data,
      long offset,
      Tile tile,
      MemorySegment packed,
      long block,
      int query,
      Candidates found) {
    FloatVector s00 = FloatVector.zero(FLOATS);
    FloatVector s10 = s00;
    FloatVector s20 = s00;
    FloatVector s30 = s00;
    FloatVector s40 = s00;
    FloatVector s50 = s00;
    int width = tile.width;
    long r0 = offset;
    long r1 = offset + tile.rowBytes;
    long r2 = offset + 2 * tile.rowBytes;
    long r3 = offset + 3 * tile.rowBytes;
    long r4 = offset + 4 * tile.rowBytes;
    long r5 = offset + 5 * tile.rowBytes;
    for (int i = 0; i < width; i++) {
      long at = block + (long) i * BYTES;
      FloatVector q0 = queries(packed, at);
      FloatVector x = number(data, r0 + 4L * i);
      s00 = x.fma(q0, s00);
      x = number(data, r1 + 4L * i);
      s10 = x.fma(q0, s10);
      x = number(data, r2 + 4L * i);
      s20 = x.fma(q0, s20);
      x = number(data, r3 + 4L * i);
      s30 = x.fma(q0, s30);
      x = number(data, r4 + 4L * i);
      s40 = x.fma(q0, s40);
      x = number(data, r5 + 4L * i);
      s50 = x.fma(q0, s50);
    }
    tile.offer(0, s00, query, found);
    tile.offer(1, s10, query, found);
    tile.offer(2, s20, query, found);
    tile.offer(3, s30, query, found);
    tile.offer(4, s40, query, found);
    tile.offer(5, s50, query, found);
  }
}
