package dev.rowan.core;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/**
 * How the rows of a table, or some of them, vary together: their mean and d × d scatter matrix.
 *
 * <p>Exact at any V: rows are decoded a few megabytes at a time, centred in double, and multiplied
 * out in panels that stay in the first cache. Element (i, j) is one chain of fused multiply-adds
 * over the rows in ascending order, so the bits do not depend on the number of threads. Rows that
 * hold a NaN or an infinity are left out.
 *
 * <p>Immutable once made; safe for any number of threads that do not write to the arrays.
 *
 * @param mean d numbers: the mean row
 * @param scatter d × d numbers, row-major, symmetric: Σ (row − mean)(row − mean)ᵀ; divided by
 *     {@code rows − 1} it is the covariance
 * @param rows how many rows it is over
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier for numeric results, never compared
public record Covariance(double[] mean, double[] scatter, long rows) {
  private static final int CHUNK_ROWS = 1024;
  private static final int PANEL = 8; // rows added at once, so that each sum is loaded once for 8
  private static final int LINES = 16; // lines of the triangle in one share of the work
  private static final long STAGE_BYTES = 8L << 20; // decoded rows held at once

  /**
   * Multiplies out.
   *
   * <p>Costs V · d² / 2 multiply-adds and two passes over the rows; holds d² doubles and some
   * megabytes.
   *
   * @param scope which rows
   * @throws IllegalArgumentException if d² is more than an array holds (d above 46,340)
   * @throws IndexOutOfBoundsException if the scope lies outside [0, V)
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static Covariance of(Table table, Scope scope, Workers workers) {
    int d = table.width();
    if ((long) d * d > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "the covariance of %,d columns has %,d numbers; at most 46,340 columns are supported"
              .formatted(d, (long) d * d));
    }
    Chosen rows = Chosen.of(table, scope);
    Mean mean = mean(rows, workers);
    double[] scatter = new double[d * d];
    if (mean.rows > 0) {
      new Stage(rows, mean.values, scatter, workers).run();
    }
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < i; j++) {
        scatter[i * d + j] = scatter[j * d + i];
      }
    }
    return new Covariance(mean.values, scatter, mean.rows);
  }

  /** Returns the sum of the diagonal: the total squared distance of the rows from their mean. */
  public double trace() {
    double sum = 0;
    for (int i = 0; i < mean.length; i++) {
      sum += scatter[i * mean.length + i];
    }
    return sum;
  }

  private static boolean isFinite(float[] values) {
    float spoiled = 0;
    for (float value : values) {
      spoiled += value * 0; // NaN as soon as one is not finite
    }
    return spoiled == 0;
  }

  /** Rows by position. */
  private record Chosen(Table table, long count, LongUnaryOperator id) {
    static Chosen of(Table table, Scope scope) {
      return switch (scope) {
        case Scope.All() -> new Chosen(table, table.rows(), position -> position);
        case Scope.Range(long from, long to) -> {
          if (to > table.rows()) {
            throw new IndexOutOfBoundsException(
                "the scope ends at row %d but the table has %d".formatted(to, table.rows()));
          }
          yield new Chosen(table, to - from, position -> from + position);
        }
        case Scope.Of(long[] ids) -> {
          for (long id : ids) {
            table.checkId(id);
          }
          yield new Chosen(table, ids.length, position -> ids[(int) position]);
        }
      };
    }

    void copy(long position, float[] target) {
      table.copyRow(id.applyAsLong(position), target, 0);
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Mean(double[] values, long rows) {}

  /** Sums chunks of a fixed size and adds those in order. */
  private static Mean mean(Chosen rows, Workers workers) {
    int d = rows.table.width();
    long chunks = Math.ceilDiv(rows.count, CHUNK_ROWS);
    // chunks whose sums wait to be added: few, so that a long table needs no long array
    int wave = (int) Math.min(chunks, 64L);
    double[][] sums = new double[wave][d];
    long[] finite = new long[wave];
    double[] total = new double[d];
    long used = 0;
    for (long first = 0; first < chunks; first += wave) {
      long base = first;
      int here = (int) Math.min(wave, chunks - first);
      workers.run(
          here,
          () -> {
            float[] row = new float[d];
            return chunk -> {
              double[] sum = sums[(int) chunk];
              Arrays.fill(sum, 0);
              long count = 0;
              long begin = (base + chunk) * CHUNK_ROWS;
              long end = Math.min(rows.count, begin + CHUNK_ROWS);
              for (long p = begin; p < end; p++) {
                rows.copy(p, row);
                if (isFinite(row)) {
                  count++;
                  for (int i = 0; i < d; i++) {
                    sum[i] += row[i];
                  }
                }
              }
              finite[(int) chunk] = count;
            };
          });
      for (int c = 0; c < here; c++) {
        used += finite[c];
        for (int i = 0; i < d; i++) {
          total[i] += sums[c][i];
        }
      }
    }
    for (int i = 0; i < d; i++) {
      total[i] /= Math.max(1, used);
    }
    return new Mean(total, used);
  }

  /** Decoded rows, a few megabytes at a time, and the triangle that they are added to. */
  private static final class Stage {
    private final Chosen rows;
    private final double[] mean;
    private final double[] scatter;
    private final Workers workers;
    private final int d;
    private final int held; // rows a stage holds, a whole number of panels
    private final double[][] staged; // one panel each: PANEL × d

    Stage(Chosen rows, double[] mean, double[] scatter, Workers workers) {
      this.rows = rows;
      this.mean = mean;
      this.scatter = scatter;
      this.workers = workers;
      this.d = mean.length;
      long fit = Math.max(1, STAGE_BYTES / (8L * d * PANEL));
      int panels = (int) Math.min(fit, Math.ceilDiv(rows.count, PANEL));
      this.held = panels * PANEL;
      this.staged = new double[panels][PANEL * d];
    }

    void run() {
      int shares = Math.ceilDiv(d, LINES);
      for (long first = 0; first < rows.count; first += held) {
        long begin = first;
        int panels = (int) Math.ceilDiv(Math.min(held, rows.count - first), (long) PANEL);
        workers.run(
            panels,
            () -> {
              float[] row = new float[d];
              return panel -> fill(staged[(int) panel], begin + panel * PANEL, row);
            });
        workers.run(
            shares,
            () ->
                share -> {
                  int from = (int) share * LINES;
                  int to = Math.min(d, from + LINES);
                  for (int p = 0; p < panels; p++) {
                    add(staged[p], from, to);
                  }
                });
      }
    }

    /** Centres eight rows; rows that are not finite, or past the end, count as the mean: zeros. */
    private void fill(double[] panel, long first, float[] row) {
      for (int r = 0; r < PANEL; r++) {
        int at = r * d;
        boolean there = first + r < rows.count;
        if (there) {
          rows.copy(first + r, row);
        }
        if (there && isFinite(row)) {
          for (int i = 0; i < d; i++) {
            panel[at + i] = row[i] - mean[i];
          }
        } else {
          Arrays.fill(panel, at, at + d, 0);
        }
      }
    }

    /** Adds the products of eight rows to lines [from, to) of the upper triangle. */
    private void add(double[] panel, int from, int to) {
      for (int i = from; i < to; i++) {
        addLine(panel, i);
      }
    }

    /** One line. A loop over arrays with fixed distances: the compiler turns it into SIMD code. */
    private void addLine(double[] panel, int i) {
      double[] c = scatter;
      double a0 = panel[i];
      double a1 = panel[d + i];
      double a2 = panel[2 * d + i];
      double a3 = panel[3 * d + i];
      double a4 = panel[4 * d + i];
      double a5 = panel[5 * d + i];
      double a6 = panel[6 * d + i];
      double a7 = panel[7 * d + i];
      int line = i * d;
      for (int j = i; j < d; j++) {
        double sum = c[line + j];
        sum = Math.fma(a0, panel[j], sum);
        sum = Math.fma(a1, panel[d + j], sum);
        sum = Math.fma(a2, panel[2 * d + j], sum);
        sum = Math.fma(a3, panel[3 * d + j], sum);
        sum = Math.fma(a4, panel[4 * d + j], sum);
        sum = Math.fma(a5, panel[5 * d + j], sum);
        sum = Math.fma(a6, panel[6 * d + j], sum);
        sum = Math.fma(a7, panel[7 * d + j], sum);
        c[line + j] = sum;
      }
    }
  }
}
