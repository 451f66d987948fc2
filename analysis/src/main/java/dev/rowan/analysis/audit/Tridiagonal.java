package dev.rowan.analysis.audit;

import java.util.List;

/**
 * The largest eigenvalue of a small symmetric tridiagonal matrix and its vector.
 *
 * @param vector of norm 1
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier for numeric results, never compared
record Tridiagonal(double value, double[] vector) {

  /**
   * Finds them, by bisection with Sturm counts and inverse iteration (Golub and Van Loan, section
   * 8.4).
   *
   * @param diagonal n numbers
   * @param beside n − 1 numbers off the diagonal
   */
  static Tridiagonal largest(List<Double> diagonal, List<Double> beside) {
    int n = diagonal.size();
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < n; i++) {
      double radius = (i > 0 ? beside.get(i - 1) : 0) + (i < n - 1 ? beside.get(i) : 0);
      low = Math.min(low, diagonal.get(i) - radius);
      high = Math.max(high, diagonal.get(i) + radius);
    }
    for (int step = 0; step < 200 && Math.nextUp(low) < high; step++) {
      double middle = low + (high - low) / 2;
      if (middle == low || middle == high) {
        break;
      }
      if (isBelowAll(diagonal, beside, middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return new Tridiagonal(low, vector(diagonal, beside, low));
  }

  /** Returns whether every eigenvalue is below x: all pivots of T − x are negative. */
  private static boolean isBelowAll(List<Double> diagonal, List<Double> beside, double x) {
    double pivot = 1;
    for (int i = 0; i < diagonal.size(); i++) {
      double off = i == 0 ? 0 : beside.get(i - 1);
      pivot = diagonal.get(i) - x - (i == 0 ? 0 : off * off / pivot);
      if (!(pivot < 0)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Solves (T − value) x = b three times, by elimination with a small shift that keeps it regular.
   */
  private static double[] vector(List<Double> diagonal, List<Double> beside, double value) {
    int n = diagonal.size();
    double shift = value + Math.max(Math.abs(value), Double.MIN_NORMAL) * 1e-14;
    double[] x = new double[n];
    java.util.Arrays.fill(x, 1 / Math.sqrt(n));
    double[] pivots = new double[n];
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < n; i++) {
        double off = i == 0 ? 0 : beside.get(i - 1);
        pivots[i] = diagonal.get(i) - shift - (i == 0 ? 0 : off * off / pivots[i - 1]);
        if (pivots[i] == 0) {
          pivots[i] = -Double.MIN_NORMAL;
        }
        x[i] -= i == 0 ? 0 : off / pivots[i - 1] * x[i - 1];
      }
      for (int i = n - 1; i >= 0; i--) {
        x[i] = (x[i] - (i < n - 1 ? beside.get(i) * x[i + 1] : 0)) / pivots[i];
      }
      x = Projection.unit(x);
    }
    return x;
  }
}
