package dev.rowan.core.kernel;

import static jdk.incubator.vector.VectorOperators.GT;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Many queries at once: lanes run over queries, each number of a row is broadcast, and no sum ever
 * crosses lanes. A dot product is one chain of fused multiply-adds over i = 0 … d−1, whatever the
 * number of queries or the vector width.
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
 *
 * <p>A tile hands its sums over in an array. Offering them where they are, or unrolling the loop by
 * two, outgrows the compiler's inlining budget, and every vector becomes an object: 15 times
 * slower.
 *
 * <p>The queries lie in an array, not in outside memory: a vector load from a segment asks in every
 * step which kind of segment it is once the process has met two kinds, 8 % of the time.
 */
final class PackedQueries {
  /** Rows of a tile. */
  static final int ROWS = 6;

  private static final VectorSpecies<Float> FLOATS = Lanes.FLOATS;

  private static final int LANES = Lanes.COUNT;

  private static final int WIDEST = LANES == 16 ? 4 : 2;

  private final float[] packed;

  private final int count;

  private final int width;

  private PackedQueries(float[] packed, int count, int width) {
    this.packed = packed;
    this.count = count;
    this.width = width;
  }

  /** Packs queries; the rest of the last vector is zero. */
  static PackedQueries of(float[] values, int count, int width) {
    int vectors = Math.ceilDiv(count, LANES);
    float[] packed = new float[Math.multiplyExact(vectors * LANES, width)];
    for (int vector = 0; vector < vectors; ) {
      int v = blockOf(vectors - vector);
      int block = vector * LANES * width;
      int first = vector * LANES;
      int last = Math.min(count, first + v * LANES);
      for (int q = first; q < last; q++) {
        for (int i = 0; i < width; i++) {
          packed[block + i * v * LANES + q - first] = values[q * width + i];
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

  /**
   * Scores f32 rows and offers what passes. While a tile of four vectors multiplies it touches the
   * rows of the next tile, each block of queries its share, so that they come from memory in time:
   * 4 % of 64 queries, 1 % of 256.
   *
   * @param rows {@link #ROWS} rows or more
   */
  void scan(RowBlock rows, RowWeights weights, Candidates found) {
    float[] dots = new float[ROWS * WIDEST * LANES + 1];
    float[] scale = new float[ROWS];
    float[] bias = new float[ROWS];
    int vectors = Math.ceilDiv(count, LANES);
    int stride = ROWS * Float.BYTES / Math.max(1, vectors / WIDEST); // bytes between two touches
    for (long next = 0; next < rows.count(); next += ROWS) {
      long first = Math.min(next, rows.count() - ROWS);
      long id = rows.firstId() + first;
      weigh(weights, id, (int) (next - first), ROWS, scale, bias);
      long offset = rows.offset() + first * rows.rowBytes();
      long ahead = rows.offset() + Math.min(first + ROWS, rows.count() - ROWS) * rows.rowBytes();
      for (int vector = 0; vector < vectors; ) {
        int v = blockOf(vectors - vector);
        multiply(rows, offset, v, vector * LANES * width, dots, ahead, stride);
        offer(dots, v, scale, bias, id, vector * LANES, found);
        vector += v;
        ahead += (long) stride * width;
      }
    }
  }

  /**
   * Decodes the rows of one tile at a time, so that they are in the first cache when it reads them,
   * scores them and offers what passes. Rows wider than a tile are cut in pieces.
   */
  void scanDecoded(RowBlock rows, RowWeights weights, Candidates found) {
    int vectors = Math.ceilDiv(count, LANES);
    float[][] dots = new float[vectors][]; // of the block of queries that begins with a vector
    for (int vector = 0; vector < vectors; vector += blockOf(vectors - vector)) {
      dots[vector] = new float[ROWS * blockOf(vectors - vector) * LANES + 1];
    }
    float[] scale = new float[ROWS];
    float[] bias = new float[ROWS];
    DecodedTile tile = new DecodedTile(rows);
    for (long next = 0; next < rows.count(); next += ROWS) {
      int here = (int) Math.min(ROWS, rows.count() - next);
      long id = rows.firstId() + next;
      weigh(weights, id, 0, here, scale, bias);
      tile.decode(next, here);
      for (int from = 0; from < width; from += PanelTiles.STRIDE) {
        tile.turnTo(from);
        for (int vector = 0; vector < vectors; ) {
          int v = blockOf(vectors - vector);
          int query = (vector * width + from * v) * LANES;
          tile.multiply(packed, query, v, dots[vector]);
          vector += v;
        }
      }
      for (int vector = 0; vector < vectors; ) {
        int v = blockOf(vectors - vector);
        offer(dots[vector], v, scale, bias, id, vector * LANES, found);
        vector += v;
      }
    }
  }

  /**
   * Fetches the weights of a tile's rows.
   *
   * @param from the first of its rows that is new: those before belong to a tile that it overlaps
   * @param to the row behind the last that there is
   */
  private static void weigh(
      RowWeights weights, long id, int from, int to, float[] scale, float[] bias) {
    for (int r = 0; r < scale.length; r++) {
      boolean counts = r >= from && r < to;
      scale[r] = counts ? weights.scale().get(id + r) : Float.NaN; // NaN keeps a row out
      bias[r] = counts ? weights.bias().get(id + r) : 0;
    }
  }

  private void multiply(
      RowBlock rows, long offset, int v, int block, float[] dots, long ahead, int stride) {
    switch (v) {
      case 4 ->
          SegmentTiles.sixByFour(
              rows.data(), offset, rows.rowBytes(), width, packed, block, dots, ahead, stride);
      case 2 ->
          SegmentTiles.sixByTwo(rows.data(), offset, rows.rowBytes(), width, packed, block, dots);
      default ->
          SegmentTiles.sixByOne(rows.data(), offset, rows.rowBytes(), width, packed, block, dots);
    }
  }

  /** Offers a tile: a row for each scale, {@code v} vectors of queries each. */
  private static void offer(
      float[] dots, int v, float[] scale, float[] bias, long id, int query, Candidates found) {
    for (int b = 0; b < v; b++) {
      int q = query + b * LANES;
      FloatVector threshold = FloatVector.fromArray(FLOATS, found.thresholds(), q);
      VectorMask<Float> passes = FLOATS.maskAll(false);
      for (int r = 0; r < scale.length; r++) {
        passes = passes.or(scores(dots, r * v + b, scale[r], bias[r]).compare(GT, threshold));
      }
      if (passes.anyTrue()) {
        offerPassed(dots, v, b, scale, bias, id, q, found);
      }
    }
  }

  private static FloatVector scores(float[] dots, int vector, float scale, float bias) {
    return FloatVector.fromArray(FLOATS, dots, vector * LANES).mul(scale).add(bias);
  }

  private static void offerPassed(
      float[] dots, int v, int b, float[] scale, float[] bias, long id, int q, Candidates found) {
    for (int r = 0; r < scale.length; r++) {
      FloatVector threshold = FloatVector.fromArray(FLOATS, found.thresholds(), q);
      int vector = r * v + b;
      long passed = scores(dots, vector, scale[r], bias[r]).compare(GT, threshold).toLong();
      for (; passed != 0; passed &= passed - 1) {
        int lane = Long.numberOfTrailingZeros(passed);
        found.offer(q + lane, id + r, dots[vector * LANES + lane] * scale[r] + bias[r]);
      }
    }
  }
}
