package dev.rowan.app.cli;

import dev.rowan.formats.file.NewFile;
import dev.rowan.train.TrainingReport;
import dev.rowan.train.TrainingReport.Snapshot;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes what a training showed as JSON, and as a page that needs nothing but itself.
 *
 * @param report the training
 * @param settings how it was done
 * @param scores of test sets, where there were any
 */
record TrainReportFile(
    TrainingReport report, Map<String, String> settings, List<TrainScore> scores) {
  private static final List<String> ENDINGS = List.of(".json", ".html");

  /** Where a report goes. */
  record Names(Path json, Path page) {}

  /** Writes the JSON. */
  void writeJson(Path file) throws IOException {
    text(file, json());
  }

  /** Writes the page. */
  void writePage(Path file) throws IOException {
    text(file, new TrainReportPage(report, settings, scores).html());
  }

  /**
   * Returns where the JSON and the page go: the name that was typed with either ending, one of
   * these that it has already left away.
   */
  static Names names(Path typed) {
    if (Files.isDirectory(typed)) {
      throw new UseException("%s is a folder; name a file in it".formatted(typed));
    }
    String name = String.valueOf(typed.getFileName());
    for (String ending : ENDINGS) {
      if (name.toLowerCase(Locale.ROOT).endsWith(ending) && name.length() > ending.length()) {
        name = name.substring(0, name.length() - ending.length());
        break;
      }
    }
    return new Names(typed.resolveSibling(name + ".json"), typed.resolveSibling(name + ".html"));
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
            .array("epochLosses", j -> report.epochLosses().forEach(j::element))
            .objects(
                "losses",
                report.losses(),
                (j, p) ->
                    j.number("words", p.words()).number("loss", p.loss()).number("rate", p.rate()))
            .objects("snapshots", report.snapshots(), TrainReportFile::snapshot)
            .objects("scores", scores, (j, score) -> score.write(j)));
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
