package dev.rowan.core.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * The SIMD twin of {@link ScalarKernels}, on the incubating Vector API.
 *
 * <p>The compiler keeps vectors in registers only inside one small static method, so each shape of
 * kernel is one: {@link SegmentDot} for one query on rows read in place, {@link PanelDot} for a few
 * queries or a format that is decoded first, {@link PackedQueries} for many. This class chooses
 * among them and walks over the rows. The last rows of a block that do not fill a tile are covered
 * by a tile that overlaps the one before and offers only what is new.
 *
 * <p>Rows narrower than two vectors go to the scalar kernels.
 */
final class VectorKernels implements Kernels {
  /** From this many queries on, lanes run over queries. */
  private static final int PACK_FROM = 12;

  private VectorKernels() {}

  /** Returns vector kernels of the wanted width, or scalar ones with the reason why. */
  static KernelChoice choose(String wanted) {
    int preferred = Lanes.PREFERRED_BITS;
    String vm = System.getProperty("java.vm.info", "");
    if (vm.contains("emulated-client") || vm.contains("interpreted")) {
      return new KernelChoice(
          Kernels.scalar(), "this JVM runs without its optimising compiler: " + vm);
    }
    if (preferred < 128) {
      return new KernelChoice(
          Kernels.scalar(), "this CPU has no vectors of 128 bits or more, only " + preferred);
    }
    if (wanted.equals("auto")) {
      return new KernelChoice(
          new VectorKernels(), "%d bits is the widest this CPU prefers".formatted(preferred));
    }
    if (Integer.parseInt(wanted) > preferred) {
      return new KernelChoice(
          Kernels.scalar(),
          "rowan.kernels asks for vectors of %s bits but this CPU has %d"
              .formatted(wanted, preferred));
    }
    return new KernelChoice(new VectorKernels(), "asked for by rowan.kernels");
  }

  @Override
  public String name() {
    return "vector-" + Lanes.BITS;
  }

  /** Queries laid out for kernels whose lanes run along the row. */
  private static final class LaidOut {
    final float[] values;
    final int length; // numbers a query
    final float[] evenOdd; // for bf16 rows read in place; empty unless there is one query

    LaidOut(float[] values, int length, float[] evenOdd) {
      this.values = values;
      this.length = length;
      this.evenOdd = evenOdd;
    }
  }

  @Override
  public Queries pack(float[] values, int count, int width) {
    if (width < 2 * Lanes.COUNT) {
      return new Queries(count, width, values, null);
    }
    return new Queries(
        count,
        width,
        values,
        count >= PACK_FROM ? PackedQueries.of(values, count, width) : layOut(values, count, width));
  }

  private static LaidOut layOut(float[] values, int count, int width) {
    float[] evenOdd = count == 1 ? SegmentDot.overlappedEvenOdd(values, 0, width) : new float[0];
    int length = Math.ceilDiv(width, Lanes.COUNT) * Lanes.COUNT;
    if (length == width) {
      return new LaidOut(values, length, evenOdd);
    }
    float[] laid = new float[Math.multiplyExact(count, length)];
    for (int q = 0; q < count; q++) {
      float[] one = SegmentDot.overlapped(values, q * width, width, Lanes.COUNT);
      System.arraycopy(one, 0, laid, q * length, length);
    }
    return new LaidOut(laid, length, evenOdd);
  }

  @Override
  public void scan(RowBlock rows, RowWeights weights, Queries queries, Candidates found) {
    Objects.checkFromIndexSize(
        rows.offset(), rows.count() * rows.rowBytes(), rows.data().byteSize());
    switch (queries.packed()) {
      case PackedQueries packed -> scanPacked(rows, weights, packed, found);
      case LaidOut laid when queries.count() == 1 -> scanOne(rows, weights, laid, found);
      case LaidOut laid -> scanFew(rows, weights, laid, queries.count(), found);
      case null, default -> Kernels.scalar().scan(rows, weights, queries, found);
    }
  }

  private static boolean isReadInPlace(RowBlock rows, int tile) {
    return rows.data().isNative() && rows.count() >= tile;
  }

  private static void scanOne(RowBlock rows, RowWeights weights, LaidOut query, Candidates found) {
    float[] dots = new float[SegmentDot.ROWS];
    boolean f32 = rows.format() == FloatFormat.F32;
    if (!isReadInPlace(rows, SegmentDot.ROWS) || (!f32 && rows.format() != FloatFormat.BF16)) {
      scanFew(rows, weights, query, 1, found);
      return;
    }
    long count = rows.count();
    long rowBytes = rows.rowBytes();
    for (long next = 0; next < count; next += SegmentDot.ROWS) {
      long first = Math.min(next, count - SegmentDot.ROWS);
      long offset = rows.offset() + first * rowBytes;
      if (f32) {
        SegmentDot.f32(rows.data(), offset, rowBytes, rows.width(), query.values, dots);
      } else {
        SegmentDot.bf16(rows.data(), offset, rowBytes, rows.width(), query.evenOdd, dots);
      }
      for (int r = (int) (next - first); r < SegmentDot.ROWS; r++) {
        offer(dots[r], rows.firstId() + first + r, weights, 0, found);
      }
    }
  }

  private static void offer(float dot, long id, RowWeights weights, int query, Candidates found) {
    float score = dot * weights.scale().get(id) + weights.bias().get(id);
    if (score > found.thresholds()[query]) {
      found.offer(query, id, score);
    }
  }

  private static void scanFew(
      RowBlock rows, RowWeights weights, LaidOut queries, int count, Candidates found) {
    int width = rows.width();
    float[] panel = new float[Math.multiplyExact(8, width)];
    float[] dots = new float[16];
    for (long next = 0; next < rows.count(); next += 8) {
      int present = (int) Math.min(8, rows.count() - next);
      for (int r = 0; r < present; r++) {
        long offset = rows.offset() + (next + r) * rows.rowBytes();
        rows.format().decode(rows.data(), offset, width, panel, r * width);
      }
      long id = rows.firstId() + next;
      int q = 0;
      for (; q + 4 <= count; q += 4) {
        for (int half = 0; half < present; half += 4) {
          PanelDot.fourByFour(
              panel, half * width, width, queries.values, q * queries.length, queries.length, dots);
          int here = Math.min(4, present - half);
          for (int c = 0; c < 4; c++) {
            for (int r = 0; r < here; r++) {
              offer(dots[4 * c + r], id + half + r, weights, q + c, found);
            }
          }
        }
      }
      for (; q < count; q++) {
        PanelDot.eightByOne(panel, width, queries.values, q * queries.length, queries.length, dots);
        for (int r = 0; r < present; r++) {
          offer(dots[r], id + r, weights, q, found);
        }
      }
    }
  }

  private static void scanPacked(
      RowBlock rows, RowWeights weights, PackedQueries queries, Candidates found) {
    if (rows.format() != FloatFormat.F32 || !isReadInPlace(rows, PackedQueries.ROWS)) {
      scanPackedPanels(rows, weights, queries, found);
      return;
    }
    PackedQueries.Tile tile = new PackedQueries.Tile(rows.width(), rows.rowBytes());
    for (long next = 0; next < rows.count(); next += PackedQueries.ROWS) {
      long first = Math.min(next, rows.count() - PackedQueries.ROWS);
      tile.start(rows.firstId() + first, (int) (next - first), PackedQueries.ROWS, weights);
      queries.score(rows.data(), rows.offset() + first * rows.rowBytes(), tile, found);
    }
  }

  private static void scanPackedPanels(
      RowBlock rows, RowWeights weights, PackedQueries queries, Candidates found) {
    int width = rows.width();
    float[] row = new float[width];
    PackedQueries.Tile tile = new PackedQueries.Tile(width, 4L * width);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment panel = arena.allocate(tile.rowBytes * PackedQueries.ROWS, 64);
      for (long next = 0; next < rows.count(); next += PackedQueries.ROWS) {
        int present = (int) Math.min(PackedQueries.ROWS, rows.count() - next);
        for (int r = 0; r < present; r++) {
          long offset = rows.offset() + (next + r) * rows.rowBytes();
          rows.format().decode(rows.data(), offset, width, row, 0);
          MemorySegment.copy(row, 0, panel, LITTLE_ENDIAN_FLOAT, r * tile.rowBytes, width);
        }
        tile.start(rows.firstId() + next, 0, present, weights);
        queries.score(panel, 0, tile, found);
      }
    }
  }

  private static final ValueLayout.OfFloat LITTLE_ENDIAN_FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(java.nio.ByteOrder.LITTLE_ENDIAN);

  @Override
  public void squaredNorms(RowBlock rows, double[] target, int targetOffset) {
    Kernels.scalar().squaredNorms(rows, target, targetOffset);
  }

  @Override
  public void addScaledRows(RowBlock rows, double[] factors, int factorOffset, double[] sum) {
    Kernels.scalar().addScaledRows(rows, factors, factorOffset, sum);
  }

  @Override
  public void gather(RowBlock rows, long[] ids, MemorySegment target) {
    Kernels.scalar().gather(rows, ids, target);
  }
}
