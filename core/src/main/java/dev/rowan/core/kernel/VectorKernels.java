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
    if (isSummedHere(rows)) {
      double[] sums = new double[8 * RowSums.ROWS];
      double[] squares = new double[Panel.ROWS];
      Panel.forEach(
          rows,
          panel -> {
            squares(panel, sums, squares);
            System.arraycopy(squares, 0, target, targetOffset + before(panel, rows), panel.count);
          });
    } else {
      Kernels.scalar().squaredNorms(rows, target, targetOffset);
    }
  }

  /** Returns whether rows are summed by {@link RowSums}. */
  private static boolean isSummedHere(RowBlock rows) {
    return rows.width() >= 2 * Lanes.COUNT && RowSums.isSupported();
  }

  private static int before(Panel.Rows panel, RowBlock rows) {
    return (int) (panel.firstId - rows.firstId());
  }

  private static void squares(Panel.Rows panel, double[] sums, double[] squares) {
    for (int r = 0; r < panel.count; r += RowSums.ROWS) {
      RowSums.squares(panel.values, r, sums, squares, r);
    }
  }

  @Override
  public void digest(RowBlock rows, RowDigest digest, double[] sum) {
    if (!isSummedHere(rows)) {
      Kernels.scalar().digest(rows, digest, sum);
      return;
    }
    Arrays.fill(sum, 0);
    int done = isBf16InPlace(rows) ? digestBf16(rows, digest, sum) : 0;
    digestDecoded(rows, done, digest, sum);
    double[] finite = new double[(int) rows.count()];
    boolean all = true;
    for (int r = 0; r < finite.length; r++) {
      finite[r] = Double.isFinite(digest.squaredNorm(r)) ? 1 : 0;
      all &= finite[r] == 1;
    }
    if (!all) { // rare; and a look ahead at each row takes as long as all the rest
      Arrays.fill(sum, 0);
      addScaledRows(rows, finite, 0, sum);
    }
  }

  /**
   * Looks at rows by fours and returns how many that were. The look at one row after the other is
   * short work beside fetching it, so that memory is busy; the squares then find it in cache.
   */
  private static int digestBf16(RowBlock rows, RowDigest digest, double[] sum) {
    MemorySegment data = rows.data();
    long rowBytes = rows.rowBytes();
    int width = rows.width();
    double[] sums = new double[16 * RowSums.ROWS];
    double[] squares = new double[RowSums.ROWS];
    double[] columns = new double[width];
    int[] pairs = new int[RowSums.ROWS * RowDigest.PAIRS];
    boolean[] subnormal = new boolean[RowSums.ROWS];
    int done = 0;
    for (; done + RowSums.ROWS <= rows.count(); done += RowSums.ROWS) {
      long offset = rows.offset() + done * rowBytes;
      for (int r = 0; r < RowSums.ROWS; r++) {
        long row = offset + r * rowBytes;
        subnormal[r] = Bf16Sums.look(data, row, width, pairs, r * RowDigest.PAIRS);
      }
      Bf16Sums.squares(data, offset, rowBytes, sums, squares, 0, columns);
      for (int r = 0; r < RowSums.ROWS; r++) {
        boolean constant = Bf16Sums.isConstant(data, offset + r * rowBytes, width);
        digest.put(done + r, squares[r], pairs, r * RowDigest.PAIRS, subnormal[r], constant);
      }
    }
    Bf16Sums.inOrder(columns, sum);
    return done;
  }

  private static void digestDecoded(RowBlock rows, int first, RowDigest digest, double[] sum) {
    double[] sums = new double[16 * RowSums.ROWS];
    double[] squares = new double[Panel.ROWS];
    double[] ones = new double[Panel.ROWS];
    Arrays.fill(ones, 1);
    int[] state = new int[RowDigest.PARTS];
    Panel.forEach(
        rows.slice(first, rows.count() - first),
        panel -> {
          for (int r = 0; r < panel.count; r += RowSums.ROWS) {
            RowSums.evenOddSquares(panel.values, r, sums, squares, r);
          }
          for (int r = 0; r < panel.count; r++) {
            float[] row = panel.values[r];
            boolean subnormal = RowBits.look(row, state);
            int at = before(panel, rows) + r;
            digest.put(at, squares[r], state, subnormal, RowDigest.isConstant(row));
          }
          addScaled(panel, ones, 0, sum);
        });
  }

  private static boolean isBf16InPlace(RowBlock rows) {
    return rows.format() == FloatFormat.BF16 && rows.data().isNative();
  }

  @Override
  public void products(RowBlock rows, double[] vectors, int count, double[] target) {
    if (!isSummedHere(rows)) {
      Kernels.scalar().products(rows, vectors, count, target);
      return;
    }
    double[] sums = new double[2 * 8 * RowSums.ROWS];
    long done = 0;
    if (isBf16InPlace(rows)) {
      for (; done + RowSums.ROWS <= rows.count(); done += RowSums.ROWS) {
        productsOfFour(rows, (int) done, vectors, count, sums, target);
      }
    }
    double[] here = new double[Panel.ROWS * count];
    Panel.forEach(
        rows.slice(done, rows.count() - done),
        panel -> {
          float[][] values = panel.values;
          for (int r = 0; r < panel.count; r += RowSums.ROWS) {
            int v = 0;
            for (; v + 1 < count; v += 2) {
              int from = v * panel.width;
              RowSums.twoProducts(values, r, vectors, from, sums, here, r * count + v, count);
            }
            if (v < count) {
              int from = v * panel.width;
              RowSums.products(values, r, vectors, from, sums, here, r * count + v, count);
            }
          }
          System.arraycopy(here, 0, target, before(panel, rows) * count, panel.count * count);
        });
  }

  private static void productsOfFour(
      RowBlock rows, int r, double[] vectors, int count, double[] sums, double[] target) {
    long offset = rows.offset() + r * rows.rowBytes();
    int v = 0;
    for (; v + 1 < count; v += 2) {
      int from = v * rows.width();
      Bf16Sums.twoProducts(rows, offset, vectors, from, sums, target, r * count + v, count);
    }
    if (v < count) {
      int from = v * rows.width();
      Bf16Sums.products(rows, offset, vectors, from, sums, target, r * count + v, count);
    }
  }

  @Override
  public void addScaledRows(RowBlock rows, double[] factors, int factorOffset, double[] sum) {
    if (!isSummedHere(rows)) {
      Kernels.scalar().addScaledRows(rows, factors, factorOffset, sum);
    } else if (isBf16InPlace(rows)) {
      long r = 0;
      for (; r + RowSums.ROWS <= rows.count(); r += RowSums.ROWS) {
        int from = factorOffset + (int) r;
        if (areAllNeeded(factors, from)) {
          long offset = rows.offset() + r * rows.rowBytes();
          Bf16Sums.addScaled(rows.data(), offset, rows.rowBytes(), factors, from, sum);
        } else {
          addDecoded(rows, (int) r, RowSums.ROWS, factors, factorOffset, sum);
        }
      }
      addDecoded(rows, (int) r, rows.count() - r, factors, factorOffset, sum);
    } else {
      addDecoded(rows, 0, rows.count(), factors, factorOffset, sum);
    }
  }

  private static void addDecoded(
      RowBlock rows, int first, long count, double[] factors, int factorOffset, double[] sum) {
    Panel.forEach(
        rows.slice(first, count),
        panel -> addScaled(panel, factors, factorOffset + before(panel, rows), sum));
  }

  private static boolean areAllNeeded(double[] factors, int from) {
    boolean all = true;
    for (int i = 0; i < RowSums.ROWS; i++) {
      all &= factors[from + i] != 0;
    }
    return all;
  }

  /** Four rows at a time; one by one where a row is skipped, and those left over. */
  private static void addScaled(Panel.Rows panel, double[] factors, int from, double[] sum) {
    int r = 0;
    for (; r + RowSums.ROWS <= panel.count; r += RowSums.ROWS) {
      if (areAllNeeded(factors, from + r)) {
        RowSums.addScaled(panel.values, r, factors, from + r, sum);
      } else {
        addOneByOne(panel, r, r + RowSums.ROWS, factors, from, sum);
      }
    }
    addOneByOne(panel, r, panel.count, factors, from, sum);
  }

  private static void addOneByOne(
      Panel.Rows panel, int r, int end, double[] factors, int from, double[] sum) {
    for (int i = r; i < end; i++) {
      double factor = factors[from + i];
      if (factor != 0) {
        ScalarKernels.addScaled(factor, panel.values[i], sum);
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
