package dev.rowan.analysis.audit;

import dev.rowan.core.Workers;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * All indicators of a table, from its rows' products with three vectors: u, the mean, and the first
 * component. What is derived from them needs no further pass:
 *
 * <pre>
 *   (x − m)·(u − m) = x·u − x·m − m·u + m·m        ‖x − m‖² = ‖x‖² − 2 x·m + m·m
 *   x'·u' = x·u − (x·c)(u·c)                       ‖x'‖²    = ‖x‖² − (x·c)²
 * </pre>
 *
 * <p>All in double: rows that training never reached differ from u by parts in a million.
 */
final class Indicators {
  private static final double LEAST = 1e-6; // of the product of norms, as the published code has it

  private static final int SHARE = 4096; // rows

  private Indicators() {}

  /**
   * What was computed.
   *
   * @param alongMean x · m for each row
   * @param componentRows from how many rows the first component is
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Computed(Map<Indicator, double[]> values, double[] alongMean, long componentRows) {}

  /** Computes all that need a reference. */
  static Computed of(RowScan scan, Reference reference, Workers workers) {
    FirstComponent component = FirstComponent.of(scan, workers);
    double[] u = meanOf(scan, reference);
    double[] m = scan.mean();
    double[] c = component.unit();
    int d = u.length;
    double[] three = new double[3 * d];
    System.arraycopy(u, 0, three, 0, d);
    System.arraycopy(m, 0, three, d, d);
    System.arraycopy(c, 0, three, 2 * d, d);
    double[] products = Projection.of(Projection.chunks(scan.table(), 1), three, 3, workers);
    double uu = Projection.dot(u, u);
    double um = Projection.dot(u, m);
    double uc = Projection.dot(u, c);
    double mm = Projection.dot(m, m);
    double[] cosine = new double[scan.rows()];
    double[] centred = new double[scan.rows()];
    double[] removed = new double[scan.rows()];
    double[] apart = new double[scan.rows()];
    double[] alongMean = new double[scan.rows()];
    workers.run(
        Math.ceilDiv(scan.rows(), SHARE),
        () ->
            share -> {
              int end = (int) Math.min(scan.rows(), (share + 1) * SHARE);
              for (int id = (int) share * SHARE; id < end; id++) {
                double xu = products[3 * id];
                double xm = products[3 * id + 1];
                double xc = products[3 * id + 2];
                double xx = scan.isFinite(id) ? scan.norm(id) * scan.norm(id) : Double.NaN;
                alongMean[id] = xm;
                cosine[id] = distance(xu, xx, uu);
                centred[id] = distance(xu - xm - um + mm, xx - 2 * xm + mm, uu - 2 * um + mm);
                removed[id] = distance(xu - xc * uc, xx - xc * xc, uu - uc * uc);
                apart[id] = Math.sqrt(Math.max(0, xx - 2 * xu + uu));
              }
            });
    Map<Indicator, double[]> values = new EnumMap<>(Indicator.class);
    values.put(Indicator.COSINE, cosine);
    values.put(Indicator.CENTRED, centred);
    values.put(Indicator.COMPONENT_REMOVED, removed);
    values.put(Indicator.DISTANCE, apart);
    return new Computed(values, alongMean, component.rowsUsed());
  }

  private static double distance(double product, double squaredX, double squaredU) {
    double both = Math.sqrt(Math.max(0, squaredX)) * Math.sqrt(Math.max(0, squaredU));
    return Double.isNaN(squaredX) ? Double.NaN : 1 - product / Math.max(both, LEAST);
  }

  private static double[] meanOf(RowScan scan, Reference reference) {
    double[] mean = new double[scan.table().width()];
    int[] rows = reference.rows();
    float[] row = new float[mean.length];
    for (int id : rows) {
      scan.table().copyRow(id, row, 0);
      for (int i = 0; i < mean.length; i++) {
        mean[i] += row[i];
      }
    }
    for (int i = 0; i < mean.length; i++) {
      mean[i] /= rows.length;
    }
    return mean;
  }

  /** Returns the norms of a scan as an indicator. */
  static double[] norms(RowScan scan) {
    double[] norms = new double[scan.rows()];
    for (int id = 0; id < norms.length; id++) {
      norms[id] = scan.isFinite(id) ? scan.norm(id) : Double.NaN;
    }
    return norms;
  }

  static List<Measured> measured(
      Map<Indicator, double[]> values,
      TokenClasses classes,
      double thresholdShare,
      Workers workers) {
    List<Indicator> indicators = List.copyOf(values.keySet());
    Measured[] all = new Measured[indicators.size()];
    workers.run(
        all.length,
        () ->
            i -> {
              Indicator indicator = indicators.get((int) i);
              double[] of = Objects.requireNonNull(values.get(indicator));
              all[(int) i] = Measured.of(indicator, of, classes, thresholdShare);
            });
    return List.of(all);
  }
}
