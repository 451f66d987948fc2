package dev.rowan.core;

import dev.rowan.core.kernel.Column;
import dev.rowan.core.kernel.Kernels;
import dev.rowan.core.kernel.RowBlock;
import dev.rowan.core.kernel.RowWeights;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Figures over all rows of a table, from one pass: norms, the baseline, broken rows.
 *
 * <p>The baseline is the exact mean cosine over all distinct pairs of rows. With u_i the rows
 * scaled to unit norm, Σ_{i≠j} u_i·u_j = ‖Σ u_i‖² − Σ ‖u_i‖², so O(V·d) work gives what looks like
 * O(V²·d). Zero rows count as rows whose cosine with every other is 0; non-finite rows are left
 * out. The sums run in double over chunks of a fixed size that are added in order: the same bits
 * for any number of threads and any SIMD width.
 */
public final class RowStatistics {
  /** Norms between these bounds are safe in float arithmetic: no square or product overflows. */
  static final double LEAST_PLAIN_NORM = 0x1p-40;

  /** See {@link #LEAST_PLAIN_NORM}. */
  static final double MOST_PLAIN_NORM = 0x1p40;

  private static final int CHUNK_ROWS = 1024;

  private final Column norms;
  private final double minNorm;
  private final double maxNorm;
  private final double meanNorm;
  private final long argminNorm;
  private final long argmaxNorm;
  private final long zeroRows;
  private final long nonFiniteRows;
  private final double[] unitSum;
  private final double meanCosine;
  private final double maxPlainNorm;
  private final long[] extremeRows;
  private final long rows;
  private final Map<Metric, RowWeights> weights = new EnumMap<>(Metric.class);

  private RowStatistics(Column norms, Partial all, long rows) {
    this.norms = norms;
    this.minNorm = all.min;
    this.maxNorm = all.max;
    this.argminNorm = all.argmin;
    this.argmaxNorm = all.argmax;
    long finite = rows - all.nonFinite;
    this.meanNorm = finite == 0 ? Double.NaN : all.normSum / finite;
    this.zeroRows = all.zero;
    this.nonFiniteRows = all.nonFinite;
    this.unitSum = all.unitSum;
    this.maxPlainNorm = all.maxPlain;
    this.extremeRows = Arrays.copyOf(all.extreme, all.extremes);
    this.rows = rows;
    double squared =
        IntStream.range(0, unitSum.length).mapToDouble(i -> unitSum[i] * unitSum[i]).sum();
    long units = finite - all.zero;
    this.meanCosine =
        finite < 2
            ? Double.NaN
            : Math.clamp((squared - units) / ((double) finite * (finite - 1)), -1, 1);
  }

  static RowStatistics of(Table table, Workers workers) {
    long rows = table.rows();
    Column norms = Column.ofSize(rows);
    long chunks = Math.ceilDiv(rows, CHUNK_ROWS);
    Merger merger = new Merger(table.width());
    workers.run(
        chunks,
        () -> {
          double[] squares = new double[CHUNK_ROWS];
          return chunk -> {
            long first = chunk * CHUNK_ROWS;
            int count = (int) Math.min(CHUNK_ROWS, rows - first);
            merger.add(chunk, partial(table.block(first, count), squares, norms));
          };
        });
    return new RowStatistics(norms, merger.result(), rows);
  }

  private static Partial partial(RowBlock block, double[] squares, Column norms) {
    Partial part = new Partial(block.width());
    int count = (int) block.count();
    Kernels kernels = Kernels.best();
    kernels.squaredNorms(block, squares, 0);
    for (int r = 0; r < count; r++) {
      double norm = Math.sqrt(squares[r]);
      long id = block.firstId() + r;
      norms.set(id, (float) norm);
      part.count(id, norm);
      // reused as the factor that makes the row a unit; zero and non-finite rows take no part
      squares[r] = norm > 0 && Double.isFinite(norm) ? 1 / norm : 0;
    }
    kernels.addScaledRows(block, squares, 0, part.unitSum);
    return part;
  }

  /** Returns the norm of a row, rounded to float; NaN or infinite for a non-finite row. */
  public float norm(long id) {
    return norms.get(id);
  }

  /** Returns the smallest norm of a finite row; NaN if there is none. */
  public double minNorm() {
    return minNorm;
  }

  /** Returns the id of the row with the smallest norm, the lowest of several; −1 if none. */
  public long argminNorm() {
    return argminNorm;
  }

  /** Returns the largest norm of a finite row; NaN if there is none. */
  public double maxNorm() {
    return maxNorm;
  }

  /** Returns the id of the row with the largest norm, the lowest of several; −1 if none. */
  public long argmaxNorm() {
    return argmaxNorm;
  }

  /** Returns the mean norm of the finite rows; NaN if there is none. */
  public double meanNorm() {
    return meanNorm;
  }

  /** Returns how many rows are all zero. */
  public long zeroRows() {
    return zeroRows;
  }

  /** Returns how many rows hold a NaN or an infinity. */
  public long nonFiniteRows() {
    return nonFiniteRows;
  }

  /**
   * Returns the baseline: the mean cosine over all distinct pairs of finite rows, in [−1, 1]; NaN
   * if there are fewer than two.
   */
  public double meanCosine() {
    return meanCosine;
  }

  /** Returns the sum of all rows scaled to unit norm: the common direction of the table. */
  public double[] unitSum() {
    return unitSum.clone();
  }

  /** Returns the largest norm of the rows that float arithmetic can be trusted with. */
  double maxPlainNorm() {
    return maxPlainNorm;
  }

  /** Returns the finite rows in [from, to) whose norm is too large or too small for float. */
  long[] extremeRows(long from, long to) {
    return Arrays.stream(extremeRows).filter(id -> id >= from && id < to).toArray();
  }

  /**
   * Returns what turns a dot product into the ranking score of a metric (see {@link FloatQuery}).
   * Rows that are not finite, or extreme, are kept out.
   */
  synchronized RowWeights weights(Metric metric) {
    return weights.computeIfAbsent(metric, this::computeWeights);
  }

  private RowWeights computeWeights(Metric metric) {
    boolean allPlain = nonFiniteRows == 0 && extremeRows.length == 0;
    if (metric == Metric.DOT && allPlain) {
      return new RowWeights(Column.constant(1), Column.constant(0));
    }
    Column scale = Column.ofSize(rows);
    Column bias = metric == Metric.EUCLIDEAN ? Column.ofSize(rows) : Column.constant(0);
    for (long id = 0; id < rows; id++) {
      double norm = norms.get(id);
      boolean plain = norm == 0 || (norm > LEAST_PLAIN_NORM && norm < MOST_PLAIN_NORM);
      if (!plain) {
        scale.set(id, Float.NaN);
        continue;
      }
      switch (metric) {
        case COSINE -> scale.set(id, norm == 0 ? 0 : (float) (1 / norm));
        case DOT -> scale.set(id, 1);
        case EUCLIDEAN -> {
          scale.set(id, 1);
          bias.set(id, (float) (-norm * norm / 2));
        }
      }
    }
    return new RowWeights(scale, bias);
  }

  /** The figures of some consecutive rows. */
  private static final class Partial {
    private double min = Double.NaN;
    private double max = Double.NaN;
    private long argmin = -1;
    private long argmax = -1;
    private double normSum;
    private long zero;
    private long nonFinite;
    private double maxPlain;
    private long[] extreme = new long[0];
    private int extremes;
    private final double[] unitSum;

    Partial(int width) {
      unitSum = new double[width];
    }

    void count(long id, double norm) {
      if (!Double.isFinite(norm)) {
        nonFinite++;
        return;
      }
      float rounded = (float) norm; // what the scan will see
      if (norm == 0) {
        zero++;
      } else if (rounded > LEAST_PLAIN_NORM && rounded < MOST_PLAIN_NORM) {
        maxPlain = Math.max(maxPlain, norm);
      } else {
        addExtreme(id);
      }
      normSum += norm;
      if (argmin < 0 || norm < min) {
        min = norm;
        argmin = id;
      }
      if (argmax < 0 || norm > max) {
        max = norm;
        argmax = id;
      }
    }

    private void addExtreme(long id) {
      if (extremes == extreme.length) {
        extreme = Arrays.copyOf(extreme, Math.max(8, 2 * extremes));
      }
      extreme[extremes++] = id;
    }

    /** Adds the figures of the rows that follow. */
    void append(Partial next) {
      zero += next.zero;
      nonFinite += next.nonFinite;
      normSum += next.normSum;
      maxPlain = Math.max(maxPlain, next.maxPlain);
      for (int i = 0; i < next.extremes; i++) {
        addExtreme(next.extreme[i]);
      }
      if (next.argmin >= 0 && (argmin < 0 || next.min < min)) {
        min = next.min;
        argmin = next.argmin;
      }
      if (next.argmax >= 0 && (argmax < 0 || next.max > max)) {
        max = next.max;
        argmax = next.argmax;
      }
      for (int i = 0; i < unitSum.length; i++) {
        unitSum[i] += next.unitSum[i];
      }
    }
  }

  /** Adds partial figures in chunk order, whichever order they arrive in. */
  private static final class Merger {
    private final Partial total;
    private final Map<Long, Partial> early = new HashMap<>();
    private long next;

    Merger(int width) {
      total = new Partial(width);
    }

    synchronized void add(long chunk, Partial part) {
      early.put(chunk, part);
      Partial ready;
      while ((ready = early.remove(next)) != null) {
        total.append(ready);
        next++;
      }
    }

    synchronized Partial result() {
      return total;
    }
  }
}
