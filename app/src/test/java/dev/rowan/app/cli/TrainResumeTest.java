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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A training that was interrupted ends as one that was not, or is refused. */
class TrainResumeTest {
  private static final String SEEN = " --report @R --watch w1 --eval @pairs.txt";

  /** A checkpoint each millisecond. */
  private static final String SAVES = " --checkpoint-minutes 0.00002";

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void write() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < 1_500; line++) {
      int side = 20 * (line % 2);
      for (int word = 0; word < 10; word++) {
        text.append('w').append(side + random.nextInt(20)).append(word == 9 ? '\n' : ' ');
      }
    }
    Files.writeString(folder.resolve("t.txt"), text);
    Files.writeString(
        folder.resolve("pairs.txt"), "w1\tw2\t9\nw1\tw25\t1\nw3\tw4\t8\nw5\tw30\t2\n");
    Files.writeString(folder.resolve("still.txt"), "w3\n");
  }

  /** Ends a command in the midst of everything, as when power is cut. */
  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Runs a command in which @name is a file of the folder; it is killed at its n-th checkpoint. */
  private int run(String command, int killedAt) {
    out.reset();
    err.reset();
    PrintStream told =
        new PrintStream(err, true, StandardCharsets.UTF_8) {
          private int saved;

          @Override
          public void println(String line) {
            super.println(line);
            if (line.startsWith("saved ") && ++saved == killedAt) {
              throw new Killed();
            }
          }
        };
    String[] words =
        Stream.of(command.split(" ", -1))
            .map(word -> word.startsWith("@") ? folder.resolve(word.substring(1)).toString() : word)
            .toArray(String[]::new);
    return Main.run(
        new Surroundings(
            new PrintStream(out, true, StandardCharsets.UTF_8), told, Map.of(), false, false, 80),
        words);
  }

  private void done(String command) {
    assertThat(run(command, 0)).as(err.toString(StandardCharsets.UTF_8)).isZero();
  }

  private void killed(String command, int at) {
    assertThat(run(command, at)).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(Failures.BUG);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("Killed");
  }

  private void refuses(String command, String message) {
    assertThat(run(command, 0)).as(command).isEqualTo(Failures.USE);
    assertThat(err.toString(StandardCharsets.UTF_8)).as(command).contains(message);
    assertThat(folder.resolve("c.safetensors.checkpoint")).exists();
  }

  private String text(String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }

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
    killed(cut + SAVES, 3);
    killed(cut + SAVES + " --resume", 2);
    done(cut + " --resume");
    JsonTree.Members parts = answer();
    assertThat(folder.resolve("c.safetensors"))
        .hasSameBinaryContentAs(folder.resolve("w.safetensors"));
    assertThat(text("c.json")).isEqualTo(text("w.json"));
    assertThat(text("c.html")).isEqualTo(text("w.html"));
    assertThat(folder.resolve("c.safetensors.checkpoint")).doesNotExist();
    assertThat(parts).isEqualTo(whole);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("going on after ")
        .doesNotContain("at 0 %", "differ a little");
  }

  /** Returns the answer without what differs from one run to the next. */
  private JsonTree.Members answer() {
    JsonTree.Members answer = JsonTree.read(folder, MemorySegment.ofArray(out.toByteArray()));
    answer.members().keySet().removeAll(List.of("path", "seconds", "wordsPerSecond"));
    return answer;
  }

  private String stopped(String options) {
    String command = "--threads 1 train @t.txt -o @c.safetensors " + options;
    killed(command + SAVES, 2);
    return command;
  }

  // time of a first part that took an hour, by the checkpoint's own word
  @Test
  void wordsAndSecondsAreThoseOfAllParts() throws IOException {
    String command = stopped("-d 8 --min-count 1");
    Path file = folder.resolve("c.safetensors.checkpoint");
    String seconds = Keepsakes.of(file).find("seconds").orElseThrow();
    assertThat(Double.parseDouble(seconds)).isBetween(1e-3, 60.0);
    String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
    String hour = "3600.0" + "0".repeat(seconds.length() - 6);
    Files.writeString(file, unchecked(bytes).replace(seconds, hour), StandardCharsets.ISO_8859_1);
    done("--json " + command + " --resume");
    JsonTree.Members answer = JsonTree.read(folder, MemorySegment.ofArray(out.toByteArray()));
    assertThat(answer.whole("words")).hasValue(5 * 15_000);
    assertThat(number(answer, "seconds")).isBetween(3600.0, 3660.0);
    assertThat(number(answer, "wordsPerSecond"))
        .isCloseTo(75_000 / number(answer, "seconds"), within(1e-9));
  }

  /** Takes away what the bytes of keepsakes are checked by, so that they may be changed. */
  private static String unchecked(String file) {
    String checked = "rowan.crc32c.rowan.kept.";
    assertThat(file).contains(checked);
    return file.replace(checked, "x" + checked.substring(1));
  }

  private static double number(JsonTree.Members answer, String name) {
    return Double.parseDouble(
        answer.find(name).orElseThrow() instanceof JsonTree.Literal(String digits) ? digits : "");
  }

  @Test
  void filesThatCameSinceAreNotReplaced() throws IOException {
    String command = stopped("-d 8 --min-count 1 --report @c --save-vocab @v.txt");
    Files.writeString(folder.resolve("c.html"), "mine");
    refuses(command + " --resume", "c.html is there already; --force replaces it");
    assertThat(text("c.html")).isEqualTo("mine");
    Files.delete(folder.resolve("c.html"));
    Files.writeString(folder.resolve("c.safetensors"), "mine");
    refuses(command + " --resume", "c.safetensors is there already; --force replaces it");
    assertThat(text("c.safetensors")).isEqualTo("mine");
    done(command + " --resume --force");
  }

  @Test
  void whatMayBeReplacedMayBeReplacedByEveryPart() throws IOException {
    Files.writeString(folder.resolve("c.safetensors"), "old");
    String command = stopped("-d 8 --min-count 1 --force");
    done(command.replace(" --force", "") + " --resume");
    assertThat(folder.resolve("c.safetensors.checkpoint")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-d 9 --min-count 1 --keep-output | was made with -d 8; this command has -d 9. Type the first command again with --resume, or delete the file to begin anew",
        "-d 8 --min-count 1 | was made with --keep-output; this command has no --keep-output. Type",
        "-d 8 --keep-output | was made with --min-count 1; this command has --min-count 5. Type",
        "-d 8 --min-count 1 --keep-output --lower --per-pair | was made with no --per-pair and no --lower; this command has --per-pair and --lower. Type",
        "-d 8 --min-count 1 --keep-output --freeze @still.txt | was made with no --freeze; this command has --freeze ",
        "-d 8 --min-count 1 --keep-output --from @t.txt | was made with no --from; this command has --from ",
        "-d 8 --min-count 1 --keep-output --bad-utf8 drop | was made with no --bad-utf8; this command has --bad-utf8 drop. Type",
        "-d 8 --min-count 1 --keep-output --rate 1e-4 --seed 7 | was made with --rate 0.025 and --seed 1; this command has --rate 0.0001 and --seed 7. Type",
        "-d 8 --min-count 1 --loss hierarchical --context sum --objective cbow | was made with --objective skipgram; this command has --objective cbow. Type",
        "-d 8 --objective glove | was made with --objective skipgram; this command has --objective glove. Type",
        "-d 8 --objective next | was made with --objective skipgram; this command has --objective next. Type",
      })
  void refusesAnotherCommandInItsOwnWords(String options, String message) {
    stopped("-d 8 --min-count 1 --keep-output");
    // the text is not there: this is told before any is read
    refuses("--threads 1 train @no.txt -o @c.safetensors --resume " + options, message);
    assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("going on");
  }

  @Test
  void refusesAnotherFormat() {
    killed("--threads 1 train @t.txt -o @c --to word2vec -d 8" + SAVES, 2);
    String other = "--threads 1 train @no.txt -o @c --to glove -d 8 --resume";
    assertThat(run(other, 0)).isEqualTo(Failures.USE);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("was made with --to word2vec; this command has --to glove. Type");
    assertThat(folder.resolve("c.checkpoint")).exists();
  }

  @Test
  void refusesToLoseTheReport() {
    String command = stopped("-d 8 --min-count 1" + SEEN.replace("@R", "@r"));
    String bare = "--threads 1 train @t.txt -o @c.safetensors -d 8 --min-count 1 --resume";
    refuses(bare, "was made with --report; this command has no --report. Type");
    refuses(
        bare + " --report @r --watch w1 w2 --eval @pairs.txt",
        "was made with --watch w1; this command has --watch w1 w2. Type");
    done(command.replace("@r", "@elsewhere.json") + " --resume");
    assertThat(folder.resolve("elsewhere.html")).exists();
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
    assertThat(err.toString(StandardCharsets.UTF_8))
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
    assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("differ a little");
  }

  @Test
  void otherThreadsAreSaidOnceAllIsChecked() throws IOException {
    String command = stopped("-d 8 --min-count 1");
    String two = command.replace("--threads 1", "--threads 2") + " --resume";
    refuses(two + " -w 9", "this command has --window 9");
    assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("threads");
    killed(two + SAVES, 1);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains(
            "this training ran with --threads 1 and goes on with 2, so its rows will differ a little");
    assertThat(Keepsakes.of(folder.resolve("c.safetensors.checkpoint")).texts())
        .containsEntry("threads", "1, then 2");
    done(two);
    assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("differ a little");
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

  @Test
  void refusesOtherTextsAndFrozenWords() throws IOException {
    String command = stopped("-d 8 --min-count 1 --freeze @still.txt");
    Files.writeString(folder.resolve("still.txt"), "w4\n");
    refuses(command + " --resume", "was made with other frozen words");
    Files.writeString(folder.resolve("still.txt"), "w3\n");
    Files.writeString(folder.resolve("t.txt"), text("t.txt") + "w1 w2\n");
    refuses(
        command + " --resume",
        "was made from another text or other rules for words: 15,000 words in 40 rows then, 15,002 words in 40 rows now. Give the text of the first command again, or delete the file to begin anew");
  }

  @Test
  void refusesAnotherTextOfTheSameSize() throws IOException {
    String command = stopped("-d 8 --min-count 1");
    Files.writeString(folder.resolve("t.txt"), text("t.txt").replaceAll("\\bw7\\b", "w70"));
    refuses(
        command + " --resume",
        "both have 15,000 words in 40 rows, but the words or their counts differ. Give the text of the first command again");
  }

  @Test
  void refusesAnotherTableToGoOnFrom() throws IOException {
    done("--threads 1 train @t.txt -o @a.safetensors -d 8 --min-count 1 --epochs 1");
    done("--threads 1 train @t.txt -o @b.safetensors -d 8 --min-count 1 --epochs 1 --seed 2");
    Path from = folder.resolve("from.safetensors");
    Files.copy(folder.resolve("a.safetensors"), from);
    String command = stopped("-d 8 --min-count 1 --from @from.safetensors");
    Files.copy(folder.resolve("b.safetensors"), from, StandardCopyOption.REPLACE_EXISTING);
    refuses(command + " --resume", "--from " + from + " is another table than the training of ");
    Files.copy(folder.resolve("a.safetensors"), from, StandardCopyOption.REPLACE_EXISTING);
    done(command + " --resume");
  }

  @Test
  void refusesOtherTestSetsWhereAReportIsKept() throws IOException {
    String command = stopped("-d 8 --min-count 1" + SEEN.replace("@R", "@r"));
    String pairs = text("pairs.txt");
    Files.writeString(folder.resolve("pairs.txt"), pairs.replace("8", "1"));
    refuses(
        command + " --resume",
        "--eval "
            + folder.resolve("pairs.txt")
            + " holds something else than when the training of ");
    Files.writeString(folder.resolve("pairs.txt"), pairs);
    done(command + " --resume");
  }

  @Test
  void refusesDamagedNumbersAndGoesOnWithACopy() throws IOException {
    String command = stopped("-d 8 --min-count 1");
    Path file = folder.resolve("c.safetensors.checkpoint");
    byte[] whole = Files.readAllBytes(file);
    byte[] broken = whole.clone();
    broken[broken.length / 2] ^= 1;
    Files.write(file, broken);
    assertThat(run(command + " --resume", 0)).isEqualTo(Failures.FILE);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("c.safetensors.checkpoint: is damaged: tensor \"")
        .contains("use a copy of the file, or delete it to begin anew");
    Files.write(file, whole);
    done(command + " --resume");
  }

  @ParameterizedTest
  @ValueSource(strings = {"seconds", "epoch-loss", "report", "scores"})
  void refusesDamagedMemories(String name) throws IOException {
    String command = stopped("-d 8 --min-count 1" + SEEN.replace("@R", "@r"));
    Path file = folder.resolve("c.safetensors.checkpoint");
    String kept = Keepsakes.of(file).find(name).orElseThrow();
    String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
    assertThat(bytes).contains(kept);
    Files.writeString(
        file,
        unchecked(bytes).replace(kept, "?".repeat(kept.length())),
        StandardCharsets.ISO_8859_1);
    assertThat(run(command + " --resume", 0)).isEqualTo(Failures.FILE);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("c.safetensors.checkpoint")
        .doesNotContain("is damaged: tensor");
    assertThat(file).exists();
  }
}
