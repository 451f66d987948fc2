package dev.rowan.analysis.audit;

import java.util.Locale;

/** How many rows have which norm. */
final class NormChart {
  private static final int BINS = 90;

  private final Audit audit;

  private NormChart(Audit audit) {
    this.audit = audit;
  }

  static NormChart of(Audit audit) {
    return new NormChart(audit);
  }

  String svg() {
    Norms norms = audit.norms();
    double from = norms.rows() == 0 ? 0 : norms.min();
    double to = norms.rows() == 0 ? 1 : norms.max();
    double width = to > from ? (to - from) / BINS : 1;
    int[] counts = new int[BINS];
    for (Measured m : audit.measured()) {
      if (m.indicator() == Indicator.NORM) {
        for (double norm : m.values()) {
          if (Double.isFinite(norm)) {
            counts[(int) Math.min(BINS - 1, (norm - from) / width)]++;
          }
        }
      }
    }
    int most = 1;
    for (int count : counts) {
      most = Math.max(most, count);
    }
    Chart chart = new Chart(from, from + width * BINS, 0, most);
    for (int b = 0; b < BINS; b++) {
      if (counts[b] > 0) {
        double left = chart.x(from + b * width);
        double right = chart.x(from + (b + 1) * width);
        double top = chart.y(counts[b]);
        chart.add(
            String.format(
                Locale.ROOT,
                "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                left + 0.4,
                top,
                Math.max(0.5, right - left - 0.8),
                Math.max(0.5, chart.y(0) - top)));
      }
    }
    chart.markX(norms.median());
    return chart.svg("Histogram of row norms; dashes at the median");
  }
}
