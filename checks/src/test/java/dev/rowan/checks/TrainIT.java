package dev.rowan.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.checks.Rowan.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The packed program trains on a text whose structure is known, and is stopped in every way. */
class TrainIT {
  private static final int GROUPS = 20;

  @TempDir static Path shared;
  @TempDir Path folder;

  private static Path text;
  private static byte[] whole;

  /** A sentence has words of one group, and words that are everywhere. */
  @BeforeAll
  static void trainWithoutInterruption() throws IOException {
    Random random = new Random(1);
    StringBuilder sentences = new StringBuilder();
    for (int s = 0; s < 30_000; s++) {
      int group = random.nextInt(GROUPS);
      for (int w = 0; w < 12; w++) {
        sentences.append(
            w % 4 == 3 ? "the" + random.nextInt(5) : "g%d_%d".formatted(group, random.nextInt(20)));
        sentences.append(w == 11 ? '\n' : ' ');
      }
    }
    text = Files.writeString(shared.resolve("groups.txt"), sentences);
    Path out = shared.resolve("whole.safetensors");
    Outcome trained = Rowan.run(train(out, "--report", shared.resolve("whole").toString()));
    assertThat(trained.code()).as(trained.err()).isZero();
    whole = Files.readAllBytes(out);
  }

  /** Checkpoints every half second, so that there soon is one. */
  private static String[] train(Path out, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "--threads",
                "1",
                "train",
                text.toString(),
                "-o",
                out.toString(),
                "--subsample",
                "0",
                "--epochs",
                "8",
                "--checkpoint-minutes",
                "0.008"));
    words.addAll(List.of(more));
    return words.toArray(String[]::new);
  }

  @Test
  void wordsOfAGroupAreEachOthersNeighbours() {
    String table = shared.resolve("whole.safetensors").toString();
    Json results =
        Rowan.run("--json", "-m", table, "near", "g3_7", "g11_0", "g19_19", "-k", "10")
            .json()
            .at("results");
    for (int r = 0; r < 3; r++) {
      String word = results.at(r).at("query").at("token").text();
      String group = word.substring(0, word.indexOf('_') + 1);
      for (int k = 0; k < 10; k++) {
        assertThat(results.at(r).at("neighbours").at(k).at("token").text()).startsWith(group);
      }
    }
  }

  @Test
  void seedDecidesTheBytes() throws IOException {
    Path out = folder.resolve("again.safetensors");
    assertThat(Rowan.run(train(out)).code()).isZero();
    assertThat(Files.readAllBytes(out)).isEqualTo(whole);
    assertThat(Rowan.run(train(out, "--seed", "2", "--force")).code()).isZero();
    assertThat(Files.readAllBytes(out)).isNotEqualTo(whole);
  }

  // Ctrl-C, what a service manager sends, and what nobody can answer
  @ParameterizedTest
  @CsvSource({"INT,130", "TERM,143", "KILL,137"})
  void stoppedTrainingGoesOnToTheSameBytes(String signal, int code) throws Exception {
    Path out = folder.resolve("stopped.safetensors");
    Path checkpoint = folder.resolve("stopped.safetensors.checkpoint");
    String[] report = {"--report", folder.resolve("stopped.html").toString()};
    Process process = startedUntil(checkpoint, train(out, report));
    new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).start().waitFor();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(code);
    assertThat(out).doesNotExist();
    assertThat(checkpoint).exists();

    Outcome overwrites = Rowan.run(train(out));
    assertThat(overwrites.code()).as("without --resume").isEqualTo(2);
    Outcome other = Rowan.run(train(out, "--resume", "--subwords"));
    assertThat(other.code()).as("another command").isEqualTo(2);
    assertThat(other.err())
        .contains("was made with --report and no --subwords; this command has no --report and ")
        .contains("Type the first command again with --resume");
    assertThat(checkpoint).exists();
    Outcome bare = Rowan.run("train", text.toString(), "-o", out.toString(), "--resume");
    assertThat(bare.code()).as("what is left away is not taken from the checkpoint").isEqualTo(2);
    assertThat(checkpoint).exists();
    Outcome resumed = Rowan.run(train(out, "--resume", report[0], report[1]));
    assertThat(resumed.code()).as(resumed.err()).isZero();
    assertThat(resumed.out()).contains("from 2,880,000 words"); // 30,000 lines of 12, 8 times
    assertThat(Files.readAllBytes(out)).isEqualTo(whole);
    assertThat(folder.resolve("stopped.json"))
        .hasSameTextualContentAs(shared.resolve("whole.json"));
    assertThat(folder.resolve("stopped.html"))
        .hasSameTextualContentAs(shared.resolve("whole.html"));
    assertThat(checkpoint).doesNotExist();
  }

  /** Starts a training and returns once its first checkpoint is whole. */
  private Process startedUntil(Path checkpoint, String... arguments) throws Exception {
    try (WatchService watch = folder.getFileSystem().newWatchService()) {
      folder.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      List<String> command = new ArrayList<>(List.of(Rowan.HOME.resolve("rowan").toString()));
      command.addAll(List.of(arguments));
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD);
      builder.environment().putAll(Rowan.launcher().environment());
      Process process = builder.start();
      while (!Files.exists(checkpoint)) {
        WatchKey key = watch.poll(60, TimeUnit.SECONDS);
        assertThat(key).as("a file beside OUT").isNotNull();
        key.pollEvents();
        key.reset();
      }
      assertThat(process.isAlive()).as("training is not over yet").isTrue();
      return process;
    }
  }

  @Test
  void finishedFileOutlivesADiskThatIsFull() throws IOException {
    Path out = folder.resolve("kept.safetensors");
    Files.writeString(out, "a finished file");
    // no checkpoint: the table itself does not fit
    List<String> command = new ArrayList<>(List.of(train(out, "--force")));
    command.set(command.indexOf("0.008"), "0");
    Outcome full = Rowan.launcher().limitedTo(64, command.toArray(String[]::new));
    assertThat(full.code()).as(full.err()).isEqualTo(3);
    assertThat(full.err()).contains("rowan: " + out + ": cannot be written: ");
    assertThat(full.out()).isEmpty();
    assertThat(out).hasContent("a finished file");
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactly(out);
    }
  }
}
