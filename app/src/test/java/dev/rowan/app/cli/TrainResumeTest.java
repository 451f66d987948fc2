package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Workers;
import dev.rowan.formats.json.JsonTree;
import dev.rowan.train.CheckpointPlan;
import dev.rowan.train.Keepsakes;
import dev.rowan.train.Start;
import dev.rowan.train.TrainedFile;
import dev.rowan.train.Trainer;
import dev.rowan.train.TrainingReport;
import dev.rowan.train.TrainingSettings;
import dev.rowan.train.corpus.Corpus;
import dev.rowan.train.corpus.EncodedCorpus;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A training that was interrupted ends as one that was not. */
class TrainResumeTest extends InterruptedCommands {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--keep-output",
        "--objective cbow --freeze @still.txt",
        "--loss hierarchical",
        "--blocks 2",
        "--subwords 2-3 --buckets 100 --keep-output",
        "--objective glove --rows word --keep-output",
        "--objective next --hidden 8 --untied --batch 256 --rate 0.1",
      })
  void endsAsOneThatWasNotInterrupted(String options) throws IOException {
    String train = "--json --threads 1 train @t.txt -d 8 --epochs 10 --min-count 1 " + options;
    done(train + " -o @w.safetensors" + SEEN.replace("@R", "@w.json"));
    JsonTree.Members whole = answer();
    String cut = train + " -o @c.safetensors" + SEEN.replace("@R", "@c.html");
    killed(cut + SAVES, 2);
    killed(cut + SAVES + " --resume", 1);
    done(cut + " --resume");
    JsonTree.Members parts = answer();
    assertThat(folder.resolve("c.safetensors"))
        .hasSameBinaryContentAs(folder.resolve("w.safetensors"));
    assertThat(text("c.json")).isEqualTo(text("w.json"));
    assertThat(text("c.html")).isEqualTo(text("w.html"));
    assertThat(folder.resolve("c.safetensors.checkpoint")).doesNotExist();
    assertThat(parts).isEqualTo(whole);
    assertThat(told()).contains("going on after ").doesNotContain("at 0 %", "differ a little");
  }

  /** Returns the answer without what differs from one run to the next. */
  private JsonTree.Members answer() {
    JsonTree.Members answer = JsonTree.read(folder, MemorySegment.ofArray(out.toByteArray()));
    answer.members().keySet().removeAll(List.of("path", "seconds", "wordsPerSecond"));
    return answer;
  }

  // time of a first part that took an hour, by the checkpoint's own word
  @Test
  void wordsAndSecondsAreThoseOfAllParts() throws IOException {
    String command = stopped("-d 8 --min-count 1");
    Path file = folder.resolve("c.safetensors.checkpoint");
    String seconds = Keepsakes.of(file).find("seconds").orElseThrow();
    assertThat(Double.parseDouble(seconds)).isBetween(1e-3, 60.0);
    forge(file, "seconds", "3600.0");
    done("--json " + command + " --resume");
    JsonTree.Members answer = JsonTree.read(folder, MemorySegment.ofArray(out.toByteArray()));
    assertThat(answer.whole("words")).hasValue(5 * 15_000);
    assertThat(number(answer, "seconds")).isBetween(3600.0, 3660.0);
    assertThat(number(answer, "wordsPerSecond"))
        .isCloseTo(75_000 / number(answer, "seconds"), within(1e-9));
  }

  private static double number(JsonTree.Members answer, String name) {
    return Double.parseDouble(
        answer.find(name).orElseThrow() instanceof JsonTree.Literal(String digits) ? digits : "");
  }

  @Test
  void whatMayBeReplacedMayBeReplacedByEveryPart() throws IOException {
    Files.writeString(folder.resolve("c.safetensors"), "old");
    String command = stopped("-d 8 --min-count 1 --force");
    done(command.replace(" --force", "") + " --resume");
    assertThat(folder.resolve("c.safetensors.checkpoint")).doesNotExist();
  }

  @Test
  void whatIsOnlyPrintedMayChange() {
    stopped("-d 8 --min-count 1 --watch w1");
    done(
        "--threads 1 train @t.txt -o @c.safetensors -d 8 --min-count 1 --resume --watch w2"
            + " --checkpoint-minutes 3 --force");
  }

  @Test
  void aReportMayBeginOnTheWayAndSaysSo() throws IOException {
    String command = stopped("-d 8 --min-count 1 --epochs 20");
    done(command + " --resume --report @late");
    assertThat(told())
        .contains("the checkpoint keeps no report, so that of this training begins here");
    assertThat(text("late.html")).contains("This report begins at ").doesNotContain("at 0 %");
  }

  @Test
  void goesOnWithATrainingOfTheExplorer() throws IOException {
    Path text = folder.resolve("t.txt");
    Path file = folder.resolve("c.safetensors.checkpoint");
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus =
            EncodedCorpus.read(Corpus.ofFiles(text), workers, EncodedCorpus.ReadListener.NONE)) {
      Trainer trainer =
          Trainer.fresh(corpus, TrainingSettings.DEFAULT.withWidth(8), Start.RANDOM, workers);
      TrainingReport curve = new TrainingReport(List.of("w1"), workers);
      Map<String, String> kept =
          Map.of(
              "texts",
              "t.txt",
              "command.min-count",
              "5",
              "command.letters",
              "kept",
              "report",
              curve.history().asText());
      trainer.stop();
      trainer.run(curve, Optional.of(new CheckpointPlan(file, Duration.ofHours(1), () -> kept)));
    }
    refuses(
        "train @t.txt -o @c.safetensors --resume -d 8 --lower",
        "was made with no --lower; this command has --lower. Type");
    done("train @t.txt -o @c.safetensors --resume -d 8 --report @r --watch w2");
    assertThat(told()).doesNotContain("differ a little");
  }

  @Test
  void otherThreadsAreSaidOnceAllIsChecked() throws IOException {
    String command = stopped("-d 8 --min-count 1");
    String two = command.replace("--threads 1", "--threads 2") + " --resume";
    refuses(two + " -w 9", "this command has --window 9");
    assertThat(told()).doesNotContain("threads");
    killed(two + SAVES, 1);
    assertThat(told())
        .contains(
            "this training ran with --threads 1 and goes on with 2, so its rows will differ a little");
    assertThat(Keepsakes.of(folder.resolve("c.safetensors.checkpoint")).texts())
        .containsEntry("threads", "1, then 2");
    done(two);
    assertThat(told()).doesNotContain("differ a little");
    try (TrainedFile written = TrainedFile.open(folder.resolve("c.safetensors"))) {
      assertThat(written.table().settings()).containsEntry("threads", "1, then 2");
    }
  }

  @Test
  void movedTextsGoOnUnderTheirFirstName() throws IOException {
    String command = stopped("-d 8 --min-count 1");
    Files.move(folder.resolve("t.txt"), folder.resolve("moved.txt"));
    done(command.replace("@t.txt", "@moved.txt") + " --resume");
    try (TrainedFile written = TrainedFile.open(folder.resolve("c.safetensors"))) {
      assertThat(written.table().settings())
          .containsEntry("texts", folder.resolve("t.txt").toString());
    }
  }
}
