package dev.rowan.app.cli;

import dev.rowan.formats.file.NewFile;
import dev.rowan.train.TrainingReport;
import dev.rowan.train.TrainingReport.Band;
import dev.rowan.train.TrainingReport.LossPoint;
import dev.rowan.train.TrainingReport.Neighbourhood;
import dev.rowan.train.TrainingReport.Snapshot;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes what a training showed as JSON, and as a page that needs nothing but itself.
 *
 * @param report the training
 * @param settings how it was done
 * @param scores of test sets, where there were any
 */
record TrainReportFile(
    TrainingReport report, Map<String, String> settings, List<TrainEval.Score> scores) {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 220;
  private static final int LEFT = 56;
  private static final int BOTTOM = 28;
  private static final String[] COLOURS = {
    "#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#b07aa1", "#9c755f"
  };

  /** Writes the JSON to {@code file} and the page beside it, with the ending {@code .html}. */
  Path write(Path file) throws IOException {
    String name = String.valueOf(file.getFileName());
    String stem = name.endsWith(".json") ? name.substring(0, name.length() - 5) : name;
    Path page = file.resolveSibling(stem + ".html");
    text(file, json());
    text(page, html());
    return page;
  }

  private static void text(Path file, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    NewFile.write(file, out -> out.append(MemorySegment.ofArray(bytes)));
  }

  private String json() {
    return Json.object(json ->
        json.object("settings", j -> settings.forEach(j::setting))
            .objects(
                "losses",
                report.losses(),
                (j, p) ->
                    j.number("words", p.words()).number("loss", p.loss()).number("rate", p.rate()))
            .objects("snapshots", report.snapshots(), TrainReportFile::snapshot)
            .objects(
                "scores",
                scores,
                (j, s) ->
                    j.number("share", s.share())
                        .text("set", s.set())
                        .text("what", s.what())
                        .number("value", s.value())
                        .number("used", (long) s.used())
                        .number("total", (long) s.total())));
  }

  private static void snapshot(Json json, Snapshot snapshot) {
    json.number("share", snapshot.share())
        .number("meanCosine", snapshot.meanCosine())
        .objects(
            "bands",
            snapshot.bands(),
            (j, b) ->
                j.number("leastCount", b.least())
                    .number("rows", b.rows())
                    .number("moved", b.moved())
                    .number("norm", b.norm()))
        .objects(
            "near",
            snapshot.near(),
            (j, n) ->
                j.text("word", n.word())
                    .objects(
                        "neighbours",
                        n.neighbours(),
                        (k, hit) -> k.text("token", hit.word()).number("score", hit.cosine())));
  }

  private String html() {
    StringBuilder page = new StringBuilder();
    page.append(
        """
        <!doctype html>
        <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
        <title>How a table was trained</title>
        <style>
        body{font:15px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
        svg{width:100%;height:auto}text{font-size:11px;fill:#555}h2{margin:2rem 0 .3rem;font-size:1.1rem}
        p{margin:.3rem 0;color:#444}td,th{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem 0}
        table{border-collapse:collapse}th{font-weight:600}.n{color:#777;font-size:.85em}
        @media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}p{color:#bbb}text{fill:#aaa}}
        </style>
        <h1>How a table was trained</h1>
        """);
    page.append("<p>")
        .append(
            escaped(
                settings.entrySet().stream()
                    .map(e -> e.getKey() + " " + e.getValue())
                    .collect(Collectors.joining(", "))))
        .append("</p>\n");
    chart(
        page,
        "Loss",
        "In nats a prediction, over the words learned from; a sample of the windows.",
        Map.of("loss", report.losses().stream().map(TrainReportFile::point).toList()));
    List<Snapshot> snapshots = report.snapshots();
    chart(
        page,
        "The common direction appears",
        "Mean cosine over all pairs of rows. At the start rows are noise and it is 0.",
        Map.of(
            "mean cosine",
            snapshots.stream().map(s -> new double[] {s.share(), s.meanCosine()}).toList()));
    chart(
        page,
        "Rare words learn little",
        "Mean distance of rows from where they began, by how often their words come.",
        bands(snapshots));
    scoreCharts(page);
    neighbours(page, snapshots);
    return page.append("</html>\n").toString();
  }

  private static double[] point(LossPoint p) {
    return new double[] {p.words(), p.loss()};
  }

  private static Map<String, List<double[]>> bands(List<Snapshot> snapshots) {
    Map<String, List<double[]>> lines = new LinkedHashMap<>();
    for (Snapshot snapshot : snapshots) {
      for (Band band : snapshot.bands()) {
        lines
            .computeIfAbsent(
                String.format(Locale.ROOT, "%,d+ (%,d rows)", band.least(), band.rows()),
                _ -> new ArrayList<>())
            .add(new double[] {snapshot.share(), band.moved()});
      }
    }
    return lines;
  }

  private void scoreCharts(StringBuilder page) {
    Map<String, List<double[]>> lines = new LinkedHashMap<>();
    for (TrainEval.Score score : scores) {
      lines
          .computeIfAbsent(score.set() + ", " + score.what(), _ -> new ArrayList<>())
          .add(new double[] {score.share(), score.value()});
    }
    if (!lines.isEmpty()) {
      chart(page, "Test sets", "By the rules of eval.", lines);
    }
  }

  private static void chart(
      StringBuilder page, String title, String text, Map<String, List<double[]>> lines) {
    page.append("<h2>").append(title).append("</h2>\n<p>").append(text).append("</p>\n");
    double lastX =
        lines.values().stream().flatMap(List::stream).mapToDouble(p -> p[0]).max().orElse(1);
    double lowest =
        Math.min(
            0,
            lines.values().stream().flatMap(List::stream).mapToDouble(p -> p[1]).min().orElse(0));
    double highest =
        lines.values().stream().flatMap(List::stream).mapToDouble(p -> p[1]).max().orElse(1);
    double range = highest > lowest ? highest - lowest : 1;
    page.append("<svg viewBox=\"0 0 %d %d\" role=\"img\">".formatted(WIDTH, HEIGHT));
    for (int tick = 0; tick <= 4; tick++) {
      double value = lowest + range * tick / 4;
      double y = y(value, lowest, range);
      page.append(
          String.format(
              Locale.ROOT,
              "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#8884\"/><text x=\"4\" y=\"%.1f\">%.4g</text>",
              LEFT,
              WIDTH,
              y,
              y,
              y + 4,
              value));
    }
    int colour = 0;
    for (var line : lines.entrySet()) {
      String points =
          line.getValue().stream()
              .map(p ->
                  String.format(
                      Locale.ROOT,
                      "%.1f,%.1f",
                      LEFT + (WIDTH - LEFT) * p[0] / (lastX > 0 ? lastX : 1),
                      y(p[1], lowest, range)))
              .collect(Collectors.joining(" "));
      String stroke = COLOURS[colour % COLOURS.length];
      page.append(
          "<polyline fill=\"none\" stroke-width=\"1.8\" stroke=\"%s\" points=\"%s\"/>"
              .formatted(stroke, points));
      if (lines.size() > 1) {
        page.append(
            "<text x=\"%d\" y=\"%d\" style=\"fill:%s\">%s</text>"
                .formatted(LEFT + 8, 14 + 14 * colour, stroke, escaped(line.getKey())));
      }
      colour++;
    }
    page.append("</svg>\n");
  }

  private static double y(double value, double lowest, double range) {
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 8) * (value - lowest) / range;
  }

  private static void neighbours(StringBuilder page, List<Snapshot> snapshots) {
    if (snapshots.isEmpty()) {
      return;
    }
    List<Snapshot> shown =
        List.of(snapshots.getFirst(), snapshots.get(snapshots.size() / 2), snapshots.getLast());
    page.append(
        "<h2>Neighbours</h2>\n<p>By cosine; the mean cosine of all pairs in brackets.</p>\n");
    page.append("<table><tr><th></th>");
    for (Snapshot snapshot : shown) {
      page.append(
          String.format(
              Locale.ROOT,
              "<th>at %.0f %% (%.3f)</th>",
              100 * snapshot.share(),
              snapshot.meanCosine()));
    }
    page.append("</tr>\n");
    for (int w = 0; w < shown.getFirst().near().size(); w++) {
      page.append("<tr><th>")
          .append(escaped(shown.getFirst().near().get(w).word()))
          .append("</th>");
      for (Snapshot snapshot : shown) {
        Neighbourhood near = snapshot.near().get(w);
        page.append("<td>");
        near.neighbours()
            .forEach(n ->
                page.append(escaped(n.word()))
                    .append(
                        String.format(Locale.ROOT, " <span class=n>%.2f</span><br>", n.cosine())));
        page.append("</td>");
      }
      page.append("</tr>\n");
    }
    page.append("</table>\n");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
