package dev.rowan.app.cli;

import dev.rowan.app.cli.LineChart.Line;
import dev.rowan.app.cli.LineChart.Point;
import dev.rowan.train.TrainingReport;
import dev.rowan.train.TrainingReport.Band;
import dev.rowan.train.TrainingReport.LossPoint;
import dev.rowan.train.TrainingReport.Neighbour;
import dev.rowan.train.TrainingReport.Neighbourhood;
import dev.rowan.train.TrainingReport.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a training showed as a page that needs nothing but itself, light or dark as the reader's
 * system is.
 *
 * @param report the training
 * @param settings how it was done
 * @param scores of test sets, where there were any
 */
record TrainReportPage(
    TrainingReport report, Map<String, String> settings, List<TrainScore> scores) {
  private static final String HEAD =
      """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width,initial-scale=1">
      <title>How a table was trained</title>
      <style>
      :root{color-scheme:light dark;--ink:#1f2328;--soft:#59636e;--faint:#d1d9e0;--paper:#fff;
      --c0:#0969da;--c1:#bc4c00;--c2:#1a7f37;--c3:#cf222e;--c4:#0e7490;--c5:#8250df;--c6:#7d4e00}
      @media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9198a1;--faint:#30363d;--paper:#0d1117;
      --c0:#58a6ff;--c1:#f0883e;--c2:#3fb950;--c3:#ff7b72;--c4:#39c5cf;--c5:#bc8cff;--c6:#d4a72c}}
      body{font:16px/1.5 system-ui,sans-serif;max-width:54rem;margin:2rem auto;padding:0 1rem;color:var(--ink);background:var(--paper)}
      h1{font-size:1.6rem;margin:0 0 1rem}h2{font-size:1.15rem;margin:2.5rem 0 .2rem}
      p{margin:.2rem 0 .8rem;color:var(--soft)}
      dl{display:grid;grid-template-columns:repeat(6,auto);gap:.8rem 1.6rem;margin:0}
      dl div{display:flex;flex-direction:column;justify-content:space-between}
      @media(max-width:54rem){dl{grid-template-columns:repeat(3,1fr)}}
      @media(max-width:30rem){dl{grid-template-columns:repeat(2,1fr)}}
      dt{color:var(--soft);font-size:.85rem}
      dd{margin:0;font-size:1.35rem;font-variant-numeric:tabular-nums}
      details{margin-top:1rem;color:var(--soft)}
      svg{width:100%;min-width:34rem;height:auto}svg text{font:11px system-ui,sans-serif;fill:var(--soft)}
      .grid{stroke:var(--faint)}polyline{fill:none;stroke-width:2;stroke-linejoin:round}
      .wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
      td,th{text-align:left;vertical-align:top;padding:.25rem 1.4rem .25rem 0;border-bottom:1px solid var(--faint)}
      td.n,th.n{text-align:right}td small{color:var(--soft)}td b{font-weight:600}
      """;

  /** Returns the page. */
  String html() {
    StringBuilder page = new StringBuilder(HEAD);
    for (int c = 0; c < 7; c++) {
      page.append(
          "polyline.c%d{stroke:var(--c%d)}svg text.c%d{fill:var(--c%d)}".formatted(c, c, c, c));
    }
    page.append("\n</style></head><body>\n<h1>How a table was trained</h1>\n");
    List<Snapshot> snapshots = report.snapshots();
    summary(page, snapshots);
    if (!snapshots.isEmpty() && snapshots.getFirst().share() > 0) {
      page.append(
          "<p>This report begins at %s of the training, which went on there from a checkpoint that kept none.</p>\n"
              .formatted(TrainSentences.share(snapshots.getFirst().share())));
    }
    section(
        page,
        "Loss",
        TrainSentences.loss(settings),
        new LineChart(
            "loss",
            "words learned from, over all epochs",
            TrainReportPage::words,
            List.of(
                new Line("loss", report.losses().stream().map(TrainReportPage::point).toList()))));
    section(
        page,
        "How much all rows point one way",
        TrainSentences.cosines(snapshots),
        new LineChart(
            "mean cosine",
            "share of the training",
            TrainSentences::share,
            List.of(
                new Line(
                    "mean cosine",
                    snapshots.stream().map(s -> new Point(s.share(), s.meanCosine())).toList()))));
    section(
        page,
        "How far rows moved, by how often their words come",
        TrainSentences.bands(snapshots),
        new LineChart(
            "distance from the start",
            "share of the training",
            TrainSentences::share,
            bands(snapshots)));
    bandTable(page, snapshots);
    perplexityChart(page);
    scoreChart(page);
    neighbours(page, snapshots);
    return page.append("</body></html>\n").toString();
  }

  private void summary(StringBuilder page, List<Snapshot> snapshots) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("objective", settings.getOrDefault("objective", ""));
    if (!snapshots.isEmpty()) {
      long rows = snapshots.getLast().bands().stream().mapToLong(Band::rows).sum();
      facts.put("rows", String.format(Locale.ROOT, "%,d", rows));
    }
    facts.put("width", settings.getOrDefault("width", ""));
    if (!report.losses().isEmpty()) {
      LossPoint last = report.losses().getLast();
      facts.put("words learned from", words((double) last.words()));
    }
    if (!report.epochLosses().isEmpty() && Double.isFinite(report.epochLosses().getLast())) {
      facts.put(
          "mean loss of the last epoch",
          String.format(Locale.ROOT, "%.4f", report.epochLosses().getLast()));
    }
    if (!snapshots.isEmpty()) {
      facts.put("mean cosine at the end", TrainSentences.cosine(snapshots.getLast().meanCosine()));
    }
    page.append("<dl>");
    facts.forEach((name, value) ->
        page.append("<div><dt>%s</dt><dd>%s</dd></div>".formatted(name, escaped(value))));
    page.append("</dl>\n<details><summary>every setting</summary><table>");
    settings.forEach((name, value) ->
        page.append("<tr><td>%s</td><td>%s</td></tr>".formatted(escaped(name), escaped(value))));
    page.append("</table></details>\n");
  }

  private static void section(StringBuilder page, String title, String text, LineChart chart) {
    page.append("<h2>%s</h2>\n<p>%s</p>\n<div class=\"wide\">".formatted(title, text))
        .append(chart.svg())
        .append("</div>\n");
  }

  private static Point point(LossPoint p) {
    return new Point((double) p.words(), p.loss());
  }

  private static String words(double count) {
    return count >= 1e6
        ? String.format(Locale.ROOT, "%.1f M", count / 1e6)
        : count >= 1e3
            ? String.format(Locale.ROOT, "%.0f k", count / 1e3)
            : String.format(Locale.ROOT, "%.0f", count);
  }

  private static List<Line> bands(List<Snapshot> snapshots) {
    List<Line> lines = new ArrayList<>();
    List<Band> bands = snapshots.isEmpty() ? List.of() : snapshots.getLast().bands();
    for (int b = 0; b < bands.size(); b++) {
      long least = bands.get(b).least();
      List<Point> points = new ArrayList<>();
      for (Snapshot snapshot : snapshots) {
        snapshot.bands().stream()
            .filter(band -> band.least() == least)
            .forEach(band -> points.add(new Point(snapshot.share(), band.moved())));
      }
      lines.add(new Line(TrainSentences.name(bands, b), points));
    }
    return lines;
  }

  private static void bandTable(StringBuilder page, List<Snapshot> snapshots) {
    if (snapshots.isEmpty()) {
      return;
    }
    page.append(
        "<div class=\"wide\"><table><tr><th>words that come</th><th class=\"n\">rows</th><th class=\"n\">moved by</th><th class=\"n\">norm at the end</th></tr>");
    List<Band> bands = snapshots.getLast().bands();
    for (int b = 0; b < bands.size(); b++) {
      page.append(
          String.format(
              Locale.ROOT,
              "<tr><td>%s</td><td class=\"n\">%,d</td><td class=\"n\">%.3f</td><td class=\"n\">%.3f</td></tr>",
              TrainSentences.name(bands, b),
              bands.get(b).rows(),
              bands.get(b).moved(),
              bands.get(b).norm()));
    }
    page.append("</table></div>\n");
  }

  private List<TrainScore> testSets() {
    return scores.stream().filter(score -> !score.what().equals(TrainScore.PERPLEXITY)).toList();
  }

  private void perplexityChart(StringBuilder page) {
    List<Point> line =
        scores.stream()
            .filter(score -> score.what().equals(TrainScore.PERPLEXITY))
            .map(score -> new Point(score.share(), score.value()))
            .toList();
    if (!line.isEmpty()) {
      section(
          page,
          "Perplexity of the held-out text",
          "Before training and after each epoch: 1 would be certainty, the number of words a blind guess.",
          new LineChart(
              "perplexity",
              "share of the training",
              TrainSentences::share,
              List.of(new Line("perplexity", line))));
    }
  }

  private void scoreChart(StringBuilder page) {
    Map<String, List<Point>> lines = new LinkedHashMap<>();
    for (TrainScore score : testSets()) {
      lines
          .computeIfAbsent(escaped(score.label()), _ -> new ArrayList<>())
          .add(new Point(score.share(), score.value()));
    }
    if (!lines.isEmpty()) {
      section(
          page,
          "Test sets",
          "Spearman's correlation of word pairs, the share of analogies that are right, by the rules of eval."
              + unmeasured(),
          new LineChart(
              "test sets",
              "share of the training",
              TrainSentences::share,
              lines.entrySet().stream().map(e -> new Line(e.getKey(), e.getValue())).toList()));
    }
  }

  /** Returns a sentence for each line that is not there. */
  private String unmeasured() {
    return testSets().stream()
        .filter(score -> !Double.isFinite(score.value()))
        .map(score -> " Not measured: %s: %s.".formatted(score.label(), score.unmeasured()))
        .distinct()
        .map(TrainReportPage::escaped)
        .collect(Collectors.joining());
  }

  private static void neighbours(StringBuilder page, List<Snapshot> snapshots) {
    if (snapshots.isEmpty() || snapshots.getLast().near().isEmpty()) {
      return;
    }
    List<Snapshot> shown =
        List.of(snapshots.getFirst(), snapshots.get(snapshots.size() / 2), snapshots.getLast());
    page.append(
        "<h2>Neighbours</h2>\n<p>By cosine; those that are there at the end are bold.</p>\n<div class=\"wide\"><table><tr><th></th>");
    for (Snapshot snapshot : shown) {
      page.append(
          "<th>at %s<br><small>baseline %s</small></th>"
              .formatted(
                  TrainSentences.share(snapshot.share()),
                  TrainSentences.cosine(snapshot.meanCosine())));
    }
    page.append("</tr>\n");
    for (Neighbourhood last : shown.getLast().near()) {
      Set<String> kept =
          Set.copyOf(last.neighbours().stream().map(Neighbour::word).distinct().toList());
      page.append("<tr><th>").append(escaped(last.word())).append("</th>");
      for (Snapshot snapshot : shown) {
        page.append("<td>");
        snapshot.near().stream()
            .filter(near -> near.word().equals(last.word()))
            .flatMap(near -> near.neighbours().stream())
            .forEach(n -> {
              String word = escaped(n.word());
              page.append(kept.contains(n.word()) ? "<b>" + word + "</b>" : word)
                  .append(" <small>" + TrainSentences.cosine(n.cosine()) + "</small><br>");
            });
        page.append("</td>");
      }
      page.append("</tr>\n");
    }
    page.append("</table></div>\n");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
