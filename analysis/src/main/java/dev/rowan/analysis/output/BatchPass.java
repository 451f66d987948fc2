package dev.rowan.analysis.output;

import dev.rowan.core.Hit;
import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import dev.rowan.core.kernel.Candidates;
import dev.rowan.core.kernel.Exact;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.core.kernel.Kernels;
import dev.rowan.core.kernel.Matrix;
import dev.rowan.core.kernel.RowBlock;
import dev.rowan.core.kernel.RowKernels;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;

/**
 * Many vectors against every row in one pass: a panel of rows is decoded, multiplied with all
 * vectors, and its logits go into the sums of exponentials and the heaps of the best while they are
 * in cache.
 *
 * <p>The best, and rows that lie within rounding of a named one, are scored again in double; where
 * that does not settle which are the best, every row is. Sums are kept by stripes of rows whose
 * number does not depend on the threads.
 */
final class BatchPass {
  private static final int PANEL = 48; // rows; 8 tiles of the kernel
  private static final int BLOCK = 64; // vectors; the kernel's widest tile
  private static final int LANES = 16;
  private static final int STRIPES = 64;

  private final Search search;
  private final Table table;
  private final List<Query> vectors;
  private final Scoring scoring;
  private final int k;
  private final long[] named;
  private final int n;
  private final int width;
  private final int stride; // n rounded up to whole SIMD vectors
  private final double[] flat;
  private final double[] norms;
  private final float[] packed; // blocks of d × 64 numbers
  private final double[][] own;
  private final double relative; // the error of a float product over ‖h‖ ‖row‖

  BatchPass(Search search, List<Query> vectors, Scoring scoring, int k, long... named) {
    this.search = search;
    this.table = search.table();
    this.vectors = vectors;
    this.scoring = scoring;
    this.k = k;
    this.named = named;
    this.n = vectors.size();
    this.width = table.width();
    this.stride = Math.ceilDiv(n, LANES) * LANES;
    this.flat = OutputScorer.flat(vectors, width);
    this.norms = new double[n];
    this.packed = pack();
    this.own = OutputScorer.named(table, flat, n, named);
    // the products, and the rounding of the vector to float
    this.relative = 1.01 * (Kernels.dotErrorBound(width) + 2 * 0x1p-24);
  }

  private float[] pack() {
    float[] all = new float[Math.multiplyExact(stride, width)];
    for (int v = 0; v < n; v++) {
      int first = v / BLOCK * BLOCK;
      int columns = Math.min(BLOCK, stride - first);
      int at = first * width + v - first;
      double squares = 0;
      for (int i = 0; i < width; i++) {
        double x = flat[v * width + i];
        squares += x * x;
        all[at + i * columns] = (float) x;
      }
      norms[v] = Math.sqrt(squares);
    }
    return all;
  }

  /** What one worker holds. */
  private final class Scratch {
    final float[] rows = new float[PANEL * width];
    final MemorySegment panel = MemorySegment.ofArray(rows);
    final long[] places = LongStream.range(0, PANEL).toArray();
    final double[] squares = new double[PANEL];
    final float[] logits = new float[PANEL * stride];
    final float[] most = new float[stride];
    final float[] sums = new float[stride];
    final Candidates best =
        new Candidates(vectors.stream().map(Query::excluded).toArray(long[][]::new), capacity());
    double largestNorm;
  }

  /** One stripe's sums and ranks, by vector. */
  private final class Stripe {
    final double[] most = new double[n];
    final double[] sums = new double[n];
    final long[] above = new long[n * named.length];
    long nonFinite;

    Stripe() {
      Arrays.fill(most, Double.NEGATIVE_INFINITY);
    }

    void add(int v, double shift, double sum) {
      if (sum == 0) {
        return; // no finite row
      }
      if (Double.isNaN(sum) || Double.isNaN(shift)) {
        most[v] = Double.NaN;
        return;
      }
      if (shift > most[v]) {
        sums[v] = sums[v] == 0 ? 0 : sums[v] * Math.exp(most[v] - shift);
        most[v] = shift;
      }
      sums[v] += sum * Math.exp(shift - most[v]);
    }
  }

  private int capacity() {
    return (int) Math.clamp(k + 16L + k / 8, 1, Math.max(1, table.rows()));
  }

  /** Runs; a sum that float cannot hold comes back as NaN. */
  List<OutputScores> run() {
    long panels = Math.ceilDiv(table.rows(), PANEL);
    int stripes = (int) Math.min(STRIPES, panels);
    Stripe[] done = new Stripe[stripes];
    ConcurrentLinkedQueue<Scratch> all = new ConcurrentLinkedQueue<>();
    search
        .workers()
        .run(
            stripes,
            () -> {
              Scratch scratch = new Scratch();
              all.add(scratch);
              return stripe -> {
                Stripe mine = new Stripe();
                long end = panels * (stripe + 1) / stripes;
                for (long panel = panels * stripe / stripes; panel < end; panel++) {
                  panel(panel * PANEL, scratch, mine);
                }
                done[(int) stripe] = mine;
              };
            });
    List<OutputScores> scores = new ArrayList<>();
    for (int v = 0; v < n; v++) {
      scores.add(answer(v, done, List.copyOf(all)));
    }
    return scores;
  }

  private void panel(long first, Scratch s, Stripe stripe) {
    int count = (int) Math.min(PANEL, table.rows() - first);
    RowBlock block = OutputScorer.block(table, first, count);
    if (table.format() == FloatFormat.F32) {
      table.copyRows(first, count, s.rows, 0);
    } else { // decoded by the kernels
      Kernels.best().gather(block, Arrays.copyOf(s.places, count), s.panel);
    }
    Kernels.best().squaredNorms(block, s.squares, 0);
    Arrays.fill(s.logits, 0, count * stride, 0);
    RowKernels kernels = RowKernels.best();
    Matrix rows = Matrix.of(s.rows, 0, count, width);
    for (int column = 0; column < stride; column += BLOCK) {
      int columns = Math.min(BLOCK, stride - column);
      kernels.multiply(
          rows,
          Matrix.of(packed, column * width, width, columns),
          new Matrix(s.logits, column, count, columns, stride, 1));
    }
    for (int r = 0; r < count; r++) {
      if (Double.isFinite(s.squares[r])) {
        double norm = Math.sqrt(s.squares[r]);
        s.largestNorm = Math.max(s.largestNorm, norm);
        offer(first + r, r, s);
        rank(first + r, r, norm, s, stripe);
      } else {
        Arrays.fill(s.logits, r * stride, (r + 1) * stride, Float.NEGATIVE_INFINITY);
        stripe.nonFinite++;
      }
    }
    sum(count, s, stripe);
  }

  private void offer(long id, int r, Scratch s) {
    float[] thresholds = s.best.thresholds();
    for (int v = 0; v < n; v++) {
      float product = s.logits[r * stride + v];
      if (product > thresholds[v]) {
        s.best.offer(v, id, product);
      }
    }
  }

  private void rank(long id, int r, double norm, Scratch s, Stripe stripe) {
    for (int i = 0; i < named.length; i++) {
      for (int v = 0; v < n; v++) {
        double product = s.logits[r * stride + v];
        double error = relative * norm * norms[v];
        if (Math.abs(product - own[v][i]) <= error) {
          product =
              Exact.dot(
                  Arrays.copyOfRange(s.rows, r * width, (r + 1) * width),
                  Arrays.copyOfRange(flat, v * width, (v + 1) * width));
        }
        if (product > own[v][i] || (product == own[v][i] && id < named[i])) {
          stripe.above[v * named.length + i]++;
        }
      }
    }
  }

  /** Adds a panel's exponentials to the sums. */
  private void sum(int count, Scratch s, Stripe stripe) {
    RowKernels kernels = RowKernels.best();
    if (scoring.softCap().isPresent()) {
      for (int i = 0; i < count * stride; i++) {
        if (s.logits[i] > Float.NEGATIVE_INFINITY) { // a row that is not finite stays out
          s.logits[i] = (float) (scoring.logit(s.logits[i]) / scoring.temperature());
        }
      }
    } else {
      float factor = (float) (scoring.scale() / scoring.temperature());
      if (factor != 1) {
        kernels.scale(factor, s.logits, 0, count * stride);
      }
    }
    System.arraycopy(s.logits, 0, s.most, 0, stride);
    for (int r = 1; r < count; r++) {
      kernels.max(s.logits, r * stride, s.most, 0, stride);
    }
    for (int v = 0; v < stride; v++) { // −∞ − −∞ is no number
      s.most[v] = s.most[v] == Float.NEGATIVE_INFINITY ? 0 : s.most[v];
    }
    Arrays.fill(s.sums, 0);
    for (int r = 0; r < count; r++) {
      kernels.addExponentials(s.logits, r * stride, s.most, s.sums, stride);
    }
    for (int v = 0; v < n; v++) {
      stripe.add(v, s.most[v], s.sums[v]);
    }
  }

  private OutputScores answer(int v, Stripe[] stripes, List<Scratch> all) {
    Stripe total = new Stripe();
    long[] above = new long[named.length];
    long nonFinite = 0;
    for (Stripe stripe : stripes) {
      total.add(v, stripe.most[v], Double.isNaN(stripe.most[v]) ? 1 : stripe.sums[v]);
      nonFinite += stripe.nonFinite;
      for (int i = 0; i < above.length; i++) {
        above[i] += stripe.above[v * named.length + i];
      }
    }
    double logSumExp = total.most[v] + Math.log(total.sums[v]);
    return OutputScorer.answer(top(v, all), logSumExp, above, own[v], scoring, nonFinite, named);
  }

  /** Returns the best rows by their products in double. */
  private List<Hit> top(int v, List<Scratch> all) {
    if (k == 0) {
      return List.of();
    }
    double[] h = vectors.get(v).vector();
    float[] row = new float[width];
    List<Hit> hits = new ArrayList<>();
    double dropped = Double.NEGATIVE_INFINITY; // no row that was dropped has a higher float product
    double largestNorm = 0;
    for (Scratch scratch : all) {
      largestNorm = Math.max(largestNorm, scratch.largestNorm);
      dropped = Math.max(dropped, scratch.best.thresholds()[v]);
      for (int i = 0; i < scratch.best.size(v); i++) {
        long id = scratch.best.id(v, i);
        table.copyRow(id, row, 0);
        hits.add(new Hit(id, Exact.dot(row, h)));
      }
    }
    hits.sort(Comparator.comparingDouble(Hit::score).reversed().thenComparingLong(Hit::id));
    List<Hit> top = hits.subList(0, Math.min(k, hits.size()));
    double error = relative * norms[v] * largestNorm;
    boolean settled =
        dropped == Double.NEGATIVE_INFINITY
            ? Double.isFinite(error)
            : top.size() == k && top.getLast().score() > dropped + error;
    return settled ? List.copyOf(top) : search.nearest(vectors.get(v), Metric.DOT, k);
  }
}
