package dev.rowan.analysis.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Finds rows that are what initialisation leaves.
 *
 * <ul>
 *   <li>The mean row, to within a hundredth of the usual distance from it: what resizing a model
 *       puts into new rows.
 *   <li>Normal noise of a known standard deviation s: the norm is s·√d to within 4 of its standard
 *       deviations s/√2, and neither the mean row nor the mean of the other rows found lies along
 *       the row, to within 4 s. Only where that norm is not that of trained rows too (robust z
 *       beyond 3): else a norm tells nothing.
 * </ul>
 */
final class Initial {
  private static final double NEAR_MEAN = 0.01;
  private static final double SDS = 4;
  private static final double APART = 3;

  private final RowScan scan;
  private final double[] alongMean; // x · m for each row
  private final double mm;

  Initial(RowScan scan, double[] alongMean) {
    this.scan = scan;
    this.alongMean = alongMean;
    this.mm = Projection.dot(scan.mean(), scan.mean());
  }

  List<Finding> findings(Norms norms, double sd) {
    List<Finding> found = new ArrayList<>(likeMean());
    found.addAll(noise(norms, sd));
    return found;
  }

  private List<Finding> likeMean() {
    double[] distances = new double[scan.finite()];
    int count = 0;
    for (int id = 0; id < scan.rows(); id++) {
      if (scan.isFinite(id)) {
        distances[count++] = fromMean(id);
      }
    }
    double usual = Quantiles.quantile(distances, 0.5);
    List<Finding> found = new ArrayList<>();
    for (int id = 0; id < scan.rows() && usual > 0; id++) {
      if (scan.isUsable(id) && fromMean(id) < NEAR_MEAN * usual) {
        found.add(
            new Finding(
                Rule.INITIALISATION,
                id,
                fromMean(id),
                -1,
                String.format(
                    Locale.ROOT,
                    "the mean row, to within %.2g (the usual distance is %.2g)",
                    fromMean(id),
                    usual)));
      }
    }
    return found;
  }

  private double fromMean(int id) {
    double xx = scan.norm(id) * scan.norm(id);
    return Math.sqrt(Math.max(0, xx - 2 * alongMean[id] + mm));
  }

  private List<Finding> noise(Norms norms, double sd) {
    double expected = sd * Math.sqrt(scan.table().width());
    double margin = SDS * sd / Math.sqrt(2);
    boolean apart = norms.z(expected - margin) > APART || norms.z(expected + margin) < -APART;
    if (!apart) {
      return List.of();
    }
    double meanNorm = Math.sqrt(mm);
    List<Integer> band = new ArrayList<>();
    for (int id = 0; id < scan.rows(); id++) {
      boolean inBand = Math.abs(scan.norm(id) - expected) <= margin;
      if (inBand && Math.abs(alongMean[id]) <= SDS * sd * meanNorm) {
        band.add(id);
      }
    }
    return unlikeEachOther(band, sd, expected);
  }

  /** Keeps the rows of a band that the others of the band do not lie along. */
  private List<Finding> unlikeEachOther(List<Integer> band, double sd, double expected) {
    double[] sum = new double[scan.table().width()];
    float[] row = new float[sum.length];
    for (int id : band) {
      scan.table().copyRow(id, row, 0);
      for (int i = 0; i < sum.length; i++) {
        sum[i] += row[i];
      }
    }
    List<Finding> found = new ArrayList<>();
    for (int id : band) {
      scan.table().copyRow(id, row, 0);
      double along = 0;
      double squared = 0;
      for (int i = 0; i < sum.length; i++) {
        double others = sum[i] - row[i];
        along += row[i] * others;
        squared += others * others;
      }
      if (Math.abs(along) <= SDS * sd * Math.sqrt(squared)) {
        found.add(
            new Finding(
                Rule.INITIALISATION,
                id,
                scan.norm(id),
                -1,
                String.format(
                    Locale.ROOT,
                    "noise of the size that initialisation with %s leaves: norm %.4g, expected %.4g",
                    sd,
                    scan.norm(id),
                    expected)));
      }
    }
    return found;
  }
}
