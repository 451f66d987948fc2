package dev.rowan.app.cli;

import dev.rowan.formats.file.NewFile;
import dev.rowan.train.TrainingReport;
import dev.rowan.train.TrainingReport.Snapshot;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Writes what a training showed as JSON, and as a page that needs nothing but itself.
 *
 * @param report the training
 * @param settings how it was done
 * @param scores of test sets, where there were any
 */
record TrainReportFile(
    TrainingReport report, Map<String, String> settings, List<TrainEval.Score> scores) {
  /** Writes the JSON to {@code file} and the page beside it, with the ending {@code .html}. */
  Path write(Path file) throws IOException {
    Path page = page(file);
    text(file, json());
    text(page, new TrainReportPage(report, settings, scores).html());
    return page;
  }

  /** Returns where the page is written. */
  static Path page(Path file) {
    String name = String.valueOf(file.getFileName());
    String stem = name.endsWith(".json") ? name.substring(0, name.length() - 5) : name;
    return file.resolveSibling(stem + ".html");
  }

  private static void text(Path file, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    NewFile.write(file, out -> out.append(MemorySegment.ofArray(bytes)));
  }

  private String json() {
    return Json.object(json ->
        json.object("settings", j -> settings.forEach(j::setting))
            .number(
                "loss",
                report.epochLosses().isEmpty() ? Double.NaN : report.epochLosses().getLast())
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
}
