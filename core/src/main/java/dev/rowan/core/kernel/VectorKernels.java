package dev.rowan.core.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The SIMD twin of {@link ScalarKernels}, on the incubating Vector API.
 *
 * <p>The compiler keeps vectors in registers only inside one small static method, so each shape of
 * kernel is one: {@link RowDot} for one query or a few, {@link PackedQueries} for many. This class
 * chooses among them and walks over the rows. What is not read in place, that is, heap rows and
 * formats without a kernel of their own, is decoded to a {@link Panel} of f32 rows first, once for
 * all queries.
 *
 * <p>Rows narrower than two vectors go to the scalar kernels.
 */
final class VectorKernels implements Kernels {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** From this many queries on, lanes run over queries: fewer leave too many of 16 lanes idle. */
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
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      return new KernelChoice(Kernels.scalar(), "this CPU is big-endian, tables are little-endian");
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

  @Override
  public Queries pack(float[] values, int count, int width) {
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

  @Override
  public void scan(RowBlock rows, RowWeights weights, Queries queries, Candidates found) {
    Objects.checkFromIndexSize(
        rows.offset(), rows.count() * rows.rowBytes(), rows.data().byteSize());
    boolean inPlace = rows.data().isNative();
    switch (queries.packed()) {
      case OneQuery query when inPlace && rows.format() == FloatFormat.BF16 ->
          scanBf16(rows, weights, query.bf16, found);
      case OneQuery query when inPlace && rows.format() == FloatFormat.F16 && query.f16 != null ->
          scanF16(rows, weights, query.f16, found);
      case OneQuery query when rows.format() == BlockFormat.Q8_0 ->
          scanQ8(rows, weights, query.f32.values, found);
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

  private static void scanQ8(RowBlock rows, RowWeights weights, float[] query, Candidates found) {
    VectorBlocks blocks = VectorBlocks.of(BlockFormat.Q8_0, rows.width());
    for (long r = 0; r < rows.count(); r++) {
      float dot = blocks.dotQ8(rows.data(), rows.offset() + r * rows.rowBytes(), query);
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
      Panel.forEach(rows, panel -> queries.scan(panel, weights, found));
    }
  }

  private static boolean isReadInPlace(RowBlock rows) {
    return rows.data().isNative() && rows.format() == FloatFormat.F32;
  }

  @Override
  public void squaredNorms(RowBlock rows, double[] target, int targetOffset) {
    if (rows.width() < 2 * Lanes.COUNT || !RowSums.isSupported()) {
      Kernels.scalar().squaredNorms(rows, target, targetOffset);
    } else if (isReadInPlace(rows)) {
      squaredNormsF32(rows, target, targetOffset);
    } else if (Panel.isFast(rows.format())) {
      Panel.forEach(rows, panel -> squaredNorms(panel, target, targetOffset + before(panel, rows)));
    } else { // a copy first, or a decoder that takes longer than the sum: nothing to gain
      Kernels.scalar().squaredNorms(rows, target, targetOffset);
    }
  }

  private static int before(Panel.Rows panel, RowBlock rows) {
    return (int) (panel.firstId - rows.firstId());
  }

  private static void squaredNorms(Panel.Rows rows, double[] target, int targetOffset) {
    double[] sums = new double[8];
    for (int r = 0; r < rows.count; r++) {
      float[] row = rows.values[r];
      RowSums.squares(row, sums);
      for (int i = row.length - row.length % 8; i < row.length; i++) {
        double x = row[i];
        sums[i % 8] += x * x;
      }
      target[targetOffset + r] = Exact.sum(sums);
    }
  }

  private static void squaredNormsF32(RowBlock rows, double[] target, int targetOffset) {
    int width = rows.width();
    double[] sums = new double[8];
    for (int r = 0; r < rows.count(); r++) {
      long offset = rows.offset() + r * rows.rowBytes();
      RowSums.squares(rows.data(), offset, width, sums);
      for (int i = width - width % 8; i < width; i++) {
        double x = rows.data().get(FLOAT, offset + 4L * i);
        sums[i % 8] += x * x;
      }
      target[targetOffset + r] = Exact.sum(sums);
    }
  }

  @Override
  public void products(RowBlock rows, double[] vectors, int count, double[] target) {
    if (rows.width() < 2 * Lanes.COUNT || !RowSums.isSupported()) {
      Kernels.scalar().products(rows, vectors, count, target);
    } else if (isReadInPlace(rows)) {
      productsF32(rows, vectors, count, target, 0);
    } else {
      Panel.forEach(
          rows,
          panel -> {
            for (int r = 0; r < panel.count; r++) {
              int at = (before(panel, rows) + r) * count;
              productsF32(oneRow(panel, r), vectors, count, target, at);
            }
          });
    }
  }

  private static RowBlock oneRow(Panel.Rows panel, int r) {
    MemorySegment row = MemorySegment.ofArray(panel.values[r]);
    return new RowBlock(
        row, 0, panel.firstId + r, 1, panel.width, FloatFormat.F32, 4L * panel.width);
  }

  private static void productsF32(
      RowBlock rows, double[] vectors, int count, double[] target, int targetOffset) {
    int width = rows.width();
    double[] sums = new double[16];
    for (int r = 0; r < rows.count(); r++) {
      long offset = rows.offset() + r * rows.rowBytes();
      int at = targetOffset + r * count;
      int v = 0;
      for (; v + 1 < count; v += 2) {
        RowSums.twoProducts(rows.data(), offset, width, vectors, v * width, sums);
        target[at + v] = product(rows, offset, vectors, v * width, sums, 0);
        target[at + v + 1] = product(rows, offset, vectors, (v + 1) * width, sums, 8);
      }
      if (v < count) {
        RowSums.products(rows.data(), offset, width, vectors, v * width, sums);
        target[at + v] = product(rows, offset, vectors, v * width, sums, 0);
      }
    }
  }

  /** Adds what lies behind the last whole group of eight, then the eight sums. */
  private static double product(
      RowBlock rows, long offset, double[] vectors, int vector, double[] sums, int from) {
    double[] eight = Arrays.copyOfRange(sums, from, from + 8);
    int width = rows.width();
    for (int i = width - width % 8; i < width; i++) {
      eight[i % 8] += rows.data().get(FLOAT, offset + 4L * i) * vectors[vector + i];
    }
    return Exact.sum(eight);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The compiler turns the scalar loop into SIMD by itself and reaches the bandwidth of memory.
   */
  @Override
  public void addScaledRows(RowBlock rows, double[] factors, int factorOffset, double[] sum) {
    if (VectorBlocks.supports(rows.format())) {
      Panel.forEach(
          rows, panel -> addScaledRows(panel, factors, factorOffset + before(panel, rows), sum));
    } else {
      Kernels.scalar().addScaledRows(rows, factors, factorOffset, sum);
    }
  }

  private static void addScaledRows(
      Panel.Rows rows, double[] factors, int factorOffset, double[] sum) {
    for (int r = 0; r < rows.count; r++) {
      double factor = factors[factorOffset + r];
      if (factor != 0) {
        ScalarKernels.addScaled(factor, rows.values[r], sum);
      }
    }
  }

  @Override
  public void gather(RowBlock rows, long[] ids, MemorySegment target) {
    if (rows.width() < 2 * Lanes.COUNT) {
      Kernels.scalar().gather(rows, ids, target);
    } else if (rows.format() == FloatFormat.F32) {
      gatherF32(rows, ids, target);
    } else {
      Panel decoder = new Panel(rows);
      float[] row = new float[rows.width()];
      for (int k = 0; k < ids.length; k++) {
        decoder.decode(rows.offset() + ids[k] * rows.rowBytes(), row);
        MemorySegment.copy(row, 0, target, FLOAT, 4L * row.length * k, row.length);
      }
    }
  }

  private static void gatherF32(RowBlock rows, long[] ids, MemorySegment target) {
    long bytes = 4L * rows.width();
    int k = 0;
    for (; k <= ids.length - RowCopy.ROWS; k += RowCopy.ROWS) {
      RowCopy.four(
          rows.data(),
          rows.offset() + ids[k] * rows.rowBytes(),
          rows.offset() + ids[k + 1] * rows.rowBytes(),
          rows.offset() + ids[k + 2] * rows.rowBytes(),
          rows.offset() + ids[k + 3] * rows.rowBytes(),
          bytes,
          target,
          k * bytes);
    }
    for (; k < ids.length; k++) {
      long offset = rows.offset() + ids[k] * rows.rowBytes();
      MemorySegment.copy(rows.data(), offset, target, k * bytes, bytes);
    }
  }
}
