package dev.rowan.analysis.audit;

import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The direction in which the rows of a table differ most: the first principal component of the
 * centred rows, by the Lanczos method with full reorthogonalisation (Golub and Van Loan, Matrix
 * Computations, section 10.1), in double. Each step reads the rows once; an eighth of them gives
 * where to start.
 *
 * <p>A table of more than {@value #MOST_NUMBERS} numbers is represented by rows at equal distances:
 * {@value #SAMPLE_NUMBERS} numbers, or a sixteenth of a table of which that is more.
 *
 * @param unit d numbers of norm 1; zeros if the rows do not differ
 * @param rowsUsed how many rows it is from
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier for numeric results, never compared
record FirstComponent(double[] unit, long rowsUsed) {
  /** GPT-2's table fits whole; more would cost more than all the rest of the audit. */
  static final long MOST_NUMBERS = 40_000_000;

  static final long SAMPLE_NUMBERS = 20_000_000;
  private static final int LEAST_SHARE = 16;

  private static final int MOST_STEPS = 60;
  private static final double TOLERANCE = 1e-7; // of the largest value
  private static final double SAMPLE_TOLERANCE = 1e-3; // the choice of rows changes more than that
  private static final double START_TOLERANCE = 1e-2;
  private static final long START_STRIDE = 8;
  private static final long LEAST_START_ROWS = 512;
  private static final long SEED = 20240509;

  /** Finds it. */
  static FirstComponent of(RowScan scan, Workers workers) {
    return of(scan, stride(scan.table().parameters()), workers);
  }

  /** Finds that of every n-th row, about the mean of all. */
  static FirstComponent of(RowScan scan, long stride, Workers workers) {
    Table table = scan.table();
    long used = 0;
    for (long id = 0; id < table.rows(); id += stride) {
      used += scan.isFinite((int) id) ? 1 : 0;
    }
    if (used < 2) {
      return new FirstComponent(new double[table.width()], used);
    }
    RowChunks chunks = Projection.chunks(table, stride);
    double[] start = random(table.width());
    if (chunks.total() / START_STRIDE >= LEAST_START_ROWS) {
      RowChunks some = Projection.chunks(table, stride * START_STRIDE);
      double[] found = lanczos(some, scan.mean(), start, START_TOLERANCE, workers);
      start = Projection.norm(found) > 0 ? found : start;
    }
    double tolerance = stride == 1 ? TOLERANCE : SAMPLE_TOLERANCE;
    return new FirstComponent(lanczos(chunks, scan.mean(), start, tolerance, workers), used);
  }

  /** Returns from which row to the next a table of a number of numbers is sampled. */
  static long stride(long numbers) {
    long sample = Math.max(SAMPLE_NUMBERS, numbers / LEAST_SHARE);
    return numbers <= MOST_NUMBERS ? 1 : Math.ceilDiv(numbers, sample);
  }

  private static double[] random(int d) {
    SplittableRandom random = new SplittableRandom(SEED);
    double[] v = new double[d];
    for (int i = 0; i < d; i++) {
      v[i] = random.nextDouble() - 0.5;
    }
    return Projection.unit(v);
  }

  private static double[] lanczos(
      RowChunks chunks, double[] mean, double[] start, double tolerance, Workers workers) {
    List<double[]> basis = new ArrayList<>(List.of(start));
    List<Double> diagonal = new ArrayList<>();
    List<Double> beside = new ArrayList<>();
    int most = Math.min(MOST_STEPS, start.length);
    double[] weights = {1};
    for (int step = 0; step < most; step++) {
      double[] v = basis.get(step);
      double[] w = Projection.scatter(chunks, mean, v, workers);
      diagonal.add(Projection.dot(w, v));
      for (int twice = 0; twice < 2; twice++) {
        for (double[] u : basis) {
          Projection.add(w, u, -Projection.dot(w, u));
        }
      }
      Tridiagonal largest = Tridiagonal.largest(diagonal, beside);
      weights = largest.vector();
      double rest = Projection.norm(w);
      // how far from an eigenvector it is: the residual of the Ritz vector
      boolean settled = rest * Math.abs(weights[step]) <= tolerance * largest.value();
      if (settled || rest <= 1e-12 * Math.abs(largest.value())) {
        break;
      }
      beside.add(rest);
      basis.add(Projection.unit(w));
    }
    double[] component = new double[start.length];
    for (int i = 0; i < weights.length && diagonal.get(0) > 0; i++) {
      Projection.add(component, basis.get(i), weights[i]);
    }
    return Projection.unit(component);
  }
}
