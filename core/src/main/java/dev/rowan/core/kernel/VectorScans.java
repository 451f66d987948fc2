package dev.rowan.core.kernel;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Float scores of rows against queries, the scan of {@link VectorKernels}.
 *
 * <p>The compiler keeps vectors in registers only inside one small static method, so each shape of
 * kernel is one: {@link RowDot} for one query or a few, {@link PackedQueries} for many. This class
 * chooses among them and walks over the rows. What is not read in place, that is, heap rows and
 * formats without a kernel of their own, is decoded to a {@link Panel} of f32 rows first, once for
 * all queries.
 *
 * <p>Rows narrower than two vectors go to the scalar kernels.
 */
final class VectorScans {
  /** From this many queries on, lanes run over queries: fewer leave too many of 16 lanes idle. */
  private static final int PACK_FROM = 12;

  private VectorScans() {}

  /** Queries laid out for kernels whose lanes run along the row. */
  private static final class LaidOut {
    final int count;
    final float[] values;
    final int length; // numbers a query

    LaidOut(float[] values, int count, int width) {
      this.count = count;
      this.length = RowDot.laidLength(width, Lanes.COUNT);
      if (length == width) {
        this.values = values;
        return;
      }
      this.values = new float[Math.multiplyExact(count, length)];
      for (int q = 0; q < count; q++) {
        RowDot.overlapped(values, q * width, width, Lanes.COUNT, this.values, q * length);
      }
    }
  }

  /** One query laid out for each format that is read in place. */
  private static final class OneQuery {
    final LaidOut f32;
    final float[] bf16;
    final float @Nullable [] f16; // null where the scale would overflow

    OneQuery(float[] values, int width) {
      this.f32 = new LaidOut(values, 1, width);
      this.bf16 = RowDot.evenOdd(values, width);
      this.f16 = RowDot.scaledForF16(bf16);
    }
  }

  static Queries pack(float[] values, int count, int width) {
    if (width < 2 * Lanes.COUNT) {
      return new Queries(count, width, values, null);
    }
    Object packed =
        count == 1
            ? new OneQuery(values, width)
            : count < PACK_FROM
                ? new LaidOut(values, count, width)
                : PackedQueries.of(values, count, width);
    return new Queries(count, width, values, packed);
  }

  static void scan(RowBlock rows, RowWeights weights, Queries queries, Candidates found) {
    Objects.checkFromIndexSize(
        rows.offset(), rows.count() * rows.rowBytes(), rows.data().byteSize());
    boolean inPlace = rows.data().isNative();
    switch (queries.packed()) {
      case OneQuery query when inPlace && rows.format() == FloatFormat.BF16 ->
          scanBf16(rows, weights, query.bf16, found);
      case OneQuery query when inPlace && rows.format() == FloatFormat.F16 && query.f16 != null ->
          scanF16(rows, weights, query.f16, found);
      case OneQuery query
          when rows.format() instanceof BlockFormat format && PlainBlocks.supports(format) ->
          scanPlain(rows, weights, format, query.f32.values, found);
      case OneQuery query -> scanFew(rows, weights, query.f32, found);
      case LaidOut few -> scanFew(rows, weights, few, found);
      case PackedQueries many -> scanMany(rows, weights, many, found);
      case null, default -> Kernels.scalar().scan(rows, weights, queries, found);
    }
  }

  private static void scanBf16(RowBlock rows, RowWeights weights, float[] query, Candidates found) {
    for (long r = 0; r < rows.count(); r++) {
      long offset = rows.offset() + r * rows.rowBytes();
      float dot = RowDot.bf16(rows.data(), offset, rows.width(), query);
      offer(dot, rows.firstId() + r, weights, 0, found);
    }
  }

  private static void scanF16(RowBlock rows, RowWeights weights, float[] query, Candidates found) {
    for (long r = 0; r < rows.count(); r++) {
      long offset = rows.offset() + r * rows.rowBytes();
      float dot = RowDot.f16(rows.data(), offset, rows.width(), query);
      offer(dot, rows.firstId() + r, weights, 0, found);
    }
  }

  private static void scanPlain(
      RowBlock rows, RowWeights weights, BlockFormat format, float[] query, Candidates found) {
    int width = rows.width();
    PlainBlocks blocks = new PlainBlocks(format, 1, width / format.blockSize(), width);
    for (long r = 0; r < rows.count(); r++) {
      float dot = blocks.dot(rows.data(), rows.offset() + r * rows.rowBytes(), query);
      offer(dot, rows.firstId() + r, weights, 0, found);
    }
  }

  private static void offer(float dot, long id, RowWeights weights, int query, Candidates found) {
    float score = dot * weights.scale().get(id) + weights.bias().get(id);
    if (score > found.thresholds()[query]) {
      found.offer(query, id, score);
    }
  }

  private static void scanFew(
      RowBlock rows, RowWeights weights, LaidOut queries, Candidates found) {
    if (isReadInPlace(rows)) {
      scanFewF32(rows, weights, queries, found);
    } else {
      Panel.forEach(rows, panel -> scanFew(panel, weights, queries, found));
    }
  }

  /** Four queries at a time on tiles of four rows, then what is left one by one. */
  private static void scanFewF32(
      RowBlock rows, RowWeights weights, LaidOut queries, Candidates found) {
    int fours = queries.count / 4 * 4;
    float[] dots = new float[16];
    for (long next = 0; next < rows.count(); next += 4) {
      int here = (int) Math.min(4, rows.count() - next);
      long offset = rows.offset() + next * rows.rowBytes();
      long id = rows.firstId() + next;
      int q = 0;
      for (; here == 4 && q < fours; q += 4) {
        RowDot.fourByFour(
            rows.data(),
            offset,
            rows.rowBytes(),
            rows.width(),
            queries.values,
            q * queries.length,
            queries.length,
            dots);
        for (int i = 0; i < 16; i++) {
          float dot = dots[i];
          if (queries.length > rows.width()) {
            long row = offset + i % 4 * rows.rowBytes();
            int query = (q + i / 4) * queries.length;
            dot += RowDot.rest(rows.data(), row, rows.width(), queries.values, query);
          }
          offer(dot, id + i % 4, weights, q + i / 4, found);
        }
      }
      for (; q < queries.count; q++) {
        for (int r = 0; r < here; r++) {
          float dot =
              RowDot.f32(
                  rows.data(),
                  offset + r * rows.rowBytes(),
                  rows.width(),
                  queries.values,
                  q * queries.length);
          offer(dot, id + r, weights, q, found);
        }
      }
    }
  }

  /** As {@link #scanFewF32}, of decoded rows. */
  private static void scanFew(
      Panel.Rows rows, RowWeights weights, LaidOut queries, Candidates found) {
    int fours = queries.count / 4 * 4;
    int width = rows.width;
    float[] dots = new float[16];
    for (int first = 0; first < rows.count; first += 4) {
      int here = Math.min(4, rows.count - first);
      long id = rows.firstId + first;
      int q = 0;
      for (; here == 4 && q < fours; q += 4) {
        int from = q * queries.length;
        PanelDot.fourByFour(rows.values, first, width, queries.values, from, queries.length, dots);
        for (int i = 0; i < 16; i++) {
          float dot = dots[i];
          if (queries.length > width) {
            int query = (q + i / 4) * queries.length;
            dot += PanelDot.rest(rows.values[first + i % 4], width, queries.values, query);
          }
          offer(dot, id + i % 4, weights, q + i / 4, found);
        }
      }
      for (; q < queries.count; q++) {
        for (int r = 0; r < here; r++) {
          float[] row = rows.values[first + r];
          float dot = PanelDot.one(row, width, queries.values, q * queries.length);
          offer(dot, id + r, weights, q, found);
        }
      }
    }
  }

  private static void scanMany(
      RowBlock rows, RowWeights weights, PackedQueries queries, Candidates found) {
    if (isReadInPlace(rows) && rows.count() >= PackedQueries.ROWS) {
      queries.scan(rows, weights, found);
    } else {
      queries.scanDecoded(rows, weights, found);
    }
  }

  private static boolean isReadInPlace(RowBlock rows) {
    return rows.data().isNative() && rows.format() == FloatFormat.F32;
  }
}
