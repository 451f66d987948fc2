package dev.rowan.analysis.audit;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The indicator over the ids: a band for the many, dots for candidates and the reference. */
final class IndicatorChart {
  private static final int BINS = 300;
  private static final int MOST_DOTS = 1500;

  private final Audit audit;

  IndicatorChart(Audit audit) {
    this.audit = audit;
  }

  /** Returns whether there are ids enough for a band of two places or more. */
  static boolean hasBand(int rows) {
    return rows >= 40;
  }

  String svg() {
    Measured ranking = audit.ranking();
    double[] values = ranking.values();
    double[] finite = Arrays.stream(values).filter(Double::isFinite).toArray();
    double low = Arrays.stream(finite).min().orElse(0);
    double high = finite.length == 0 ? 1 : Quantiles.quantile(finite, 0.999);
    double bottom = low >= 0 && low < 0.3 * high ? 0 : low;
    Chart chart = new Chart(0, values.length, bottom, high + 0.05 * (high - bottom));
    band(chart, values);
    audit.reference().ifPresent(reference -> dots(chart, "ref", reference.ids(), ranking, 1.6));
    long[] lowest = audit.candidates().stream().mapToLong(Audit.Candidate::id).toArray();
    long[] found = audit.found(Rule.UNDER_TRAINED).stream().mapToLong(Finding::id).toArray();
    Set<Long> red = Arrays.stream(found).boxed().collect(Collectors.toSet());
    dots(
        chart,
        "low",
        Arrays.stream(lowest).filter(id -> !red.contains(id)).toArray(),
        ranking,
        1.6);
    dots(chart, "dot", found, ranking, 1.9);
    chart.markY(ranking.threshold());
    return chart.svg(ranking.indicator().title() + " by id");
  }

  private static void band(Chart chart, double[] values) {
    if (!hasBand(values.length)) {
      return;
    }
    int bins = Math.min(values.length / 20, BINS);
    StringBuilder upper = new StringBuilder();
    StringBuilder lower = new StringBuilder();
    StringBuilder middle = new StringBuilder();
    for (int b = 0; b < bins; b++) {
      int from = (int) ((long) b * values.length / bins);
      int to = (int) ((b + 1L) * values.length / bins);
      double[] here = Arrays.stream(values, from, to).filter(Double::isFinite).toArray();
      if (here.length == 0) {
        continue;
      }
      double x = chart.x((from + to) / 2.0);
      upper.append(point(x, chart.y(Quantiles.quantile(here, 0.95))));
      middle.append(point(x, chart.y(Quantiles.quantile(here, 0.5))));
      lower.insert(0, point(x, chart.y(Quantiles.quantile(here, 0.05))));
    }
    chart.add(
        String.format(Locale.ROOT, "<polygon class=\"band\" points=\"%s%s\"/>", upper, lower));
    chart.add(String.format(Locale.ROOT, "<polyline class=\"mid\" points=\"%s\"/>", middle));
  }

  private static String point(double x, double y) {
    return String.format(Locale.ROOT, "%.1f,%.1f ", x, y);
  }

  private static void dots(Chart chart, String kind, long[] ids, Measured ranking, double radius) {
    int step = Math.max(1, ids.length / MOST_DOTS);
    for (int i = 0; i < ids.length; i += step) {
      double value = ids[i] < ranking.values().length ? ranking.of(ids[i]) : Double.NaN;
      if (Double.isFinite(value)) {
        chart.add(
            String.format(
                Locale.ROOT,
                "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>",
                kind,
                chart.x((double) ids[i]),
                chart.y(value),
                radius));
      }
    }
  }
}
