package dev.rowan.analysis.audit;

import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The direction in which the rows of a table differ most: the first principal component of the
 * centred rows, by the Lanczos method with full reorthogonalisation (Golub and Van Loan, Matrix
 * Computations, section 10.1). Each step reads the rows once.
 *
 * <p>A table of more than {@value #MOST_NUMBERS} numbers is represented by rows at equal distances.
 *
 * @param unit d numbers of norm 1; zeros if the rows do not differ
 * @param rowsUsed how many rows it is from
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier for numeric results, never compared
record FirstComponent(double[] unit, long rowsUsed) {
  /** GPT-2's table fits whole; more would cost more than all the rest of the audit. */
  static final long MOST_NUMBERS = 40_000_000;

  private static final int MOST_STEPS = 60;
  private static final double TOLERANCE = 1e-7; // of the largest value
  private static final long SEED = 20240509;

  /** Finds it. */
  static FirstComponent of(Table table, Workers workers) {
    long stride = Math.max(1, Math.ceilDiv(table.parameters(), MOST_NUMBERS));
    RowChunks chunks = Projection.chunks(table, stride);
    int d = table.width();
    double[] v = start(d);
    long[] used = new long[1];
    double[] count = new double[(int) chunks.total()];
    double[] mean =
        Projection.sum(
            chunks,
            v,
            (row, _) -> {
              count[row] = 1;
              return 1;
            },
            workers);
    for (double one : count) {
      used[0] += (long) one;
    }
    for (int i = 0; i < d; i++) {
      mean[i] /= Math.max(1, used[0]);
    }
    return new FirstComponent(lanczos(chunks, mean, used[0], v, workers), used[0]);
  }

  private static double[] start(int d) {
    SplittableRandom random = new SplittableRandom(SEED);
    double[] v = new double[d];
    for (int i = 0; i < d; i++) {
      v[i] = random.nextDouble() - 0.5;
    }
    return Projection.unit(v);
  }

  private static double[] lanczos(
      RowChunks chunks, double[] mean, long rows, double[] start, Workers workers) {
    List<double[]> basis = new ArrayList<>(List.of(start));
    List<Double> diagonal = new ArrayList<>();
    List<Double> beside = new ArrayList<>();
    int most = Math.min(MOST_STEPS, start.length);
    double[] weights = {1};
    for (int step = 0; step < most; step++) {
      double[] v = basis.get(step);
      double along = Projection.dot(mean, v);
      // Σ (x − m)((x − m)·v) = Σ x (x·v − m·v), as the factors add up to 0, but for rounding
      double[] w = Projection.sum(chunks, v, (_, product) -> product - along, workers);
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
      boolean settled = rest * Math.abs(weights[step]) <= TOLERANCE * largest.value();
      if (settled || rest <= 1e-12 * Math.abs(largest.value()) || rows < 2) {
        break;
      }
      beside.add(rest);
      basis.add(Projection.unit(w));
    }
    double[] component = new double[start.length];
    for (int i = 0; i < weights.length && diagonal.get(0) > 0 && rows > 1; i++) {
      Projection.add(component, basis.get(i), weights[i]);
    }
    return Projection.unit(component);
  }
}
