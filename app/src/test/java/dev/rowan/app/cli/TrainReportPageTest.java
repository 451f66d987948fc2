package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.app.cli.LineChart.Line;
import dev.rowan.app.cli.LineChart.Point;
import dev.rowan.core.Workers;
import dev.rowan.train.Start;
import dev.rowan.train.Trainer;
import dev.rowan.train.TrainingReport;
import dev.rowan.train.TrainingSettings;
import dev.rowan.train.corpus.Corpus;
import dev.rowan.train.corpus.Corpus.WordRules;
import dev.rowan.train.corpus.EncodedCorpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainReportPageTest {
  @TempDir Path folder;

  @Test
  void needsNothingButItselfAndEscapesWords() throws IOException {
    Path text = Files.writeString(folder.resolve("a.txt"), "<b> cat & dog \"x\"\n".repeat(30));
    TrainingSettings settings = TrainingSettings.DEFAULT.withWidth(8).withEpochs(2);
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus =
            EncodedCorpus.read(
                Corpus.ofFiles(text).with(WordRules.DEFAULT.withMinCount(1)),
                workers,
                EncodedCorpus.ReadListener.NONE)) {
      TrainingReport report = new TrainingReport(List.of("<b>"), workers);
      Trainer.fresh(corpus, settings, Start.RANDOM, workers).run(report, Optional.empty());
      String page =
          new TrainReportPage(
                  report,
                  settings.asText(),
                  List.of(new TrainScore(1, "a<b.txt", "spearman", 0.5, 3, 4)))
              .html();
      assertThat(page)
          .contains("&lt;b&gt;", "a&lt;b.txt, Spearman", "prefers-color-scheme:dark", "</html>")
          .contains("at 0 %", "at 100 %", "10 times or more")
          .doesNotContain("<th><b>", "<b><b>", "src=", "href=", "@import", "NaN", "Infinity");
    }
  }

  @Test
  void isAPageBeforeAnythingWasSeen() {
    try (Workers workers = Workers.of(1)) {
      String page =
          new TrainReportPage(new TrainingReport(List.of(), workers), Map.of(), List.of()).html();
      assertThat(page).contains("How a table was trained", "</html>").doesNotContain("NaN");
    }
  }

  // by hand: 0.3 to 3.9 spans 3.6, so marks are 0.5 apart, from 0.0 to 4.0
  @Test
  void marksAreRound() {
    String svg =
        new LineChart(
                "t",
                "axis",
                x -> String.valueOf((long) x),
                List.of(new Line("loss", List.of(new Point(0, 3.9), new Point(100, 0.3)))))
            .svg();
    assertThat(svg).contains(">0.0<", ">0.5<", ">4.0<", ">loss<").doesNotContain(">4.5<");
  }

  private static String chart(double... values) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      points.add(new Point(i, values[i]));
    }
    return new LineChart("t", "axis", x -> "x", List.of(new Line("line", points))).svg();
  }

  // by hand: nothing but zeros has an axis from 0 to 1; 0.25 alone one that holds it
  @Test
  void equalValuesHaveARoundAxis() {
    assertThat(chart(0, 0, 0)).contains(">0.0<", ">1.0<").doesNotContain("0.00");
    assertThat(chart(1e-17, -1e-17)).contains(">0.0<", ">1.0<");
    assertThat(chart(0.25, 0.25)).contains(">0.25<").doesNotContain("0.250");
    assertThat(chart(0.25, 0.25 + 1e-15)).contains(">0.25<").doesNotContain("0.250");
    assertThat(chart(-3, -3)).contains("<polyline").doesNotContain("NaN");
  }

  @Test
  void whatWasNotMeasuredIsLeftOutAndSaid() {
    assertThat(chart(Double.NaN, Double.NaN)).isEmpty();
    assertThat(chart(1, Double.NaN, 3)).contains("<polyline").doesNotContain("NaN");
    List<TrainScore> scores =
        List.of(
            new TrainScore(0.5, "few.txt", "spearman", Double.NaN, 1, 12),
            new TrainScore(0.5, "none.txt", "raw", Double.NaN, 0, 380),
            new TrainScore(0.5, "capitals.txt", "excludingInputs", 0.25, 9, 9),
            new TrainScore(1, "few.txt", "spearman", Double.NaN, 1, 12),
            new TrainScore(1, "none.txt", "raw", Double.NaN, 0, 380),
            new TrainScore(1, "capitals.txt", "excludingInputs", 0.5, 9, 9));
    try (Workers workers = Workers.of(1)) {
      String page =
          new TrainReportPage(new TrainingReport(List.of(), workers), Map.of(), scores).html();
      assertThat(page)
          .contains(
              "by the rules of eval. Not measured: few.txt, Spearman: 1 of 12 pairs have both"
                  + " words. Not measured: none.txt, raw: no question has all its words.</p>",
              ">capitals.txt, inputs excluded</text>")
          .doesNotContain("NaN", ">few.txt", "excludingInputs");
      assertThat(page.split("<polyline", -1)).hasSize(2);
    }
  }
}
