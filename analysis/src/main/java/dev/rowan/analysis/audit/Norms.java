package dev.rowan.analysis.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How the norms of the finite rows are spread.
 *
 * @param rows how many rows are finite
 * @param median their median norm
 * @param deviation the median of |norm − median|
 */
public record Norms(
    int rows, double mean, double sd, double min, double max, double median, double deviation) {
  private static final double NORMAL = 0.6745; // MAD of the normal distribution, in its sd

  static Norms of(RowScan scan) {
    double[] norms = new double[scan.rows()];
    int count = 0;
    double sum = 0;
    double min = Double.POSITIVE_INFINITY;
    double max = 0;
    for (int id = 0; id < scan.rows(); id++) {
      if (scan.isFinite(id)) {
        double norm = scan.norm(id);
        norms[count++] = norm;
        sum += norm;
        min = Math.min(min, norm);
        max = Math.max(max, norm);
      }
    }
    norms = Arrays.copyOf(norms, count);
    double mean = sum / count;
    double squares = 0;
    for (double norm : norms) {
      squares += (norm - mean) * (norm - mean);
    }
    double median = Quantiles.quantile(norms, 0.5);
    return new Norms(
        count,
        mean,
        Math.sqrt(squares / count),
        count == 0 ? Double.NaN : min,
        count == 0 ? Double.NaN : max,
        median,
        Quantiles.medianDeviation(norms, median));
  }

  /**
   * Returns the robust z-score of a norm: 0.6745 (norm − median) / deviation (Iglewicz and Hoaglin
   * 1993); 0 if more than half of the norms are equal, which leaves no scale.
   */
  public double z(double norm) {
    return deviation > 0 ? NORMAL * (norm - median) / deviation : 0;
  }

  List<Finding> outliers(RowScan scan, double limit) {
    List<Finding> found = new ArrayList<>();
    for (int id = 0; id < scan.rows(); id++) {
      double z = scan.isUsable(id) ? z(scan.norm(id)) : 0;
      if (Math.abs(z) > limit) {
        found.add(
            new Finding(
                Rule.NORM_OUTLIER,
                id,
                z,
                -1,
                String.format(
                    java.util.Locale.ROOT,
                    "norm %.4g, median %.4g, robust z %+.1f",
                    scan.norm(id),
                    median,
                    z)));
      }
    }
    return found;
  }
}
