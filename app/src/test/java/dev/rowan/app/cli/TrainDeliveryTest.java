package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes to the places of a training while it runs stays, and so does what was learned. */
class TrainDeliveryTest extends InterruptedCommands {
  private static final String TRAIN = "--threads 1 train @t.txt -d 8 --min-count 1 ";

  /** Runs a command while which a file comes, once training has begun. */
  private int runWhileComes(String file, String command) {
    return run(command + " --watch w1", "at 0 %", _ -> come(file));
  }

  private void keepsBoth(String file, String command) throws IOException {
    assertThat(runWhileComes(file, command)).isEqualTo(Failures.USE);
    assertThat(told())
        .contains(
            "%s came while this trained and is left as it is. %s keeps what was learned: move that away, or add --force, and type the same command with --resume"
                .formatted(folder.resolve(file), folder.resolve("c.safetensors.checkpoint")));
    assertThat(text(file)).isEqualTo("mine");
    assertThat(folder.toFile().list())
        .containsExactlyInAnyOrder(
            "t.txt", "pairs.txt", "still.txt", "c.safetensors.checkpoint", file);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--keep-output",
        "--objective cbow --subwords 2-3 --buckets 100 --keep-output",
        "--objective glove",
        "--objective next --hidden 8",
      })
  void aFileThatCameIsLeftAndNothingThatWasLearnedIsLost(String options) throws IOException {
    String command = TRAIN + "-o @c.safetensors --report @c " + options;
    keepsBoth("c.safetensors", command);
    Files.delete(folder.resolve("c.safetensors"));
    done(command + " --watch w1 --resume");
    assertThat(folder.resolve("c.safetensors.checkpoint")).doesNotExist();
    done(command.replace("@c", "@w") + " --watch w1");
    assertThat(folder.resolve("c.safetensors"))
        .hasSameBinaryContentAs(folder.resolve("w.safetensors"));
    assertThat(text("c.json")).isEqualTo(text("w.json"));
    assertThat(text("c.html")).isEqualTo(text("w.html"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"c.json", "c.html"})
  void aReportThatCameIsLeftAndNothingIsWritten(String file) throws IOException {
    String command = TRAIN + "-o @c.safetensors --epochs 1 --report @c";
    // no checkpoint was wanted, but there is no other place for what was learned
    keepsBoth(file, command + " --checkpoint-minutes 0");
    done(command.replace("--report @c", "--report @other") + " --watch w1 --resume");
    assertThat(folder.resolve("other.html")).exists();
    assertThat(text(file)).isEqualTo("mine");
  }

  @Test
  void forceReplacesWhatCame() throws IOException {
    String command = TRAIN + "-o @c.safetensors --epochs 1 --report @c";
    assertThat(runWhileComes("c.safetensors", command + " --force")).isZero();
    assertThat(Files.size(folder.resolve("c.safetensors"))).isGreaterThan(4);
    Files.delete(folder.resolve("c.safetensors"));
    Files.delete(folder.resolve("c.json"));
    Files.delete(folder.resolve("c.html"));
    keepsBoth("c.html", command);
    done(command + " --watch w1 --resume --force");
    assertThat(text("c.html")).startsWith("<!");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--to word2vec -o @c", "--to model2vec -o @c", "--to npz -o @c --force"})
  void aFolderThatCameIsLeftEvenWithForce(String output) throws IOException {
    String command = TRAIN + "--epochs 1 " + output;
    int code =
        run(
            command + " --watch w1",
            "at 0 %",
            _ -> {
              try {
                Files.writeString(Files.createDirectory(folder.resolve("c")).resolve("x"), "mine");
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    assertThat(code).isEqualTo(Failures.USE);
    assertThat(told()).contains("c.checkpoint keeps what was learned");
    assertThat(text("c/x")).isEqualTo("mine");
    Files.move(folder.resolve("c"), folder.resolve("away"));
    done(command + " --watch w1 --resume");
    assertThat(folder.resolve("c")).exists();
  }

  /** Another training to the same place, say, which saved itself first. */
  @Test
  void aCheckpointThatCameIsLeftAndAnotherIsSaved() throws IOException {
    String command = TRAIN + "-o @c.safetensors --epochs 1";
    Path theirs = folder.resolve("c.safetensors.checkpoint");
    Path ours = folder.resolve("c.safetensors.checkpoint.2");
    int code =
        run(
            command + SAVES + " --watch w1",
            "",
            line -> {
              if (told().contains("at 0 %") && Files.notExists(theirs)) {
                come("c.safetensors.checkpoint");
              } else if (Files.exists(ours) && told().contains("saved " + ours)) {
                throw new Killed();
              }
            });
    assertThat(code).as(told()).isEqualTo(Failures.BUG);
    assertThat(told())
        .containsOnlyOnce(theirs + " came while this trained and is left as it is")
        .contains("saved " + ours);
    assertThat(theirs).hasContent("mine");
    Files.move(ours, theirs, StandardCopyOption.REPLACE_EXISTING);
    done(command + " --watch w1 --resume");
    assertThat(folder.toFile().list())
        .containsExactlyInAnyOrder("t.txt", "pairs.txt", "still.txt", "c.safetensors");
  }

  /** As a signal does it, when all is learned. */
  @ParameterizedTest
  @ValueSource(strings = {"-o @c.safetensors", "-o @c --to model2vec", "-o @c.vec"})
  void whoStopsTheLastWritingLosesNothing(String options) throws IOException {
    String command = TRAIN + "--epochs 1 --watch w1 " + options;
    int code = run(command, "at 100 %", _ -> Thread.currentThread().interrupt());
    assertThat(code).as(told()).isEqualTo(Failures.INTERRUPTED);
    assertThat(told())
        .contains(".checkpoint keeps what was learned; type the same command with --resume");
    assertThat(folder.toFile().list())
        .hasSize(4)
        .contains("t.txt", "pairs.txt", "still.txt")
        .anyMatch(name -> name.endsWith(".checkpoint"));
    done(command + " --resume");
    assertThat(folder.toFile().list()).noneMatch(name -> name.endsWith(".checkpoint"));
  }

  @Test
  void theWayOnNamesTheCheckpointThatWasSaved() throws IOException {
    String command = TRAIN + "-o @c.safetensors --epochs 1 --watch w1";
    int code =
        run(
            command,
            "at 0 %",
            _ -> {
              come("c.safetensors");
              come("c.safetensors.checkpoint");
            });
    assertThat(code).isEqualTo(Failures.USE);
    Path theirs = folder.resolve("c.safetensors.checkpoint");
    assertThat(told())
        .contains(
            "%s.2 keeps what was learned: move that away, or add --force, and move %s.2 to %s, and type the same command with --resume"
                .formatted(theirs, theirs, theirs));
    assertThat(theirs).hasContent("mine");
    assertThat(text("c.safetensors")).isEqualTo("mine");
  }

  /** It is another's by the time that this one has ended, and not for it to delete. */
  @Test
  void theEndLeavesTheCheckpointOfOthers() throws IOException {
    String command = TRAIN + "-o @c.safetensors --epochs 1 --watch w1";
    assertThat(run(command, "at 0 %", _ -> come("c.safetensors.checkpoint"))).isZero();
    assertThat(text("c.safetensors.checkpoint")).isEqualTo("mine");
    assertThat(Files.size(folder.resolve("c.safetensors"))).isGreaterThan(4);
  }

  @Test
  void forceReplacesACheckpointThatCame() throws IOException {
    String command = TRAIN + "-o @c.safetensors --epochs 1 --watch w1 --force" + SAVES;
    assertThat(run(command, "at 0 %", _ -> come("c.safetensors.checkpoint"))).isZero();
    assertThat(folder.toFile().list())
        .containsExactlyInAnyOrder("t.txt", "pairs.txt", "still.txt", "c.safetensors");
  }

  private void come(String file) {
    try {
      Files.writeString(folder.resolve(file), "mine");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aFolderThatWentIsToldAndWhetherAnythingIsKept() throws IOException {
    Path gone = Files.createDirectory(folder.resolve("gone"));
    int code =
        run(
            TRAIN + "-o @gone/c.safetensors --epochs 1 --watch w1",
            "at 0 %",
            _ -> gone.toFile().delete());
    assertThat(code).isEqualTo(Failures.FILE);
    assertThat(told())
        .contains("there is no folder " + gone)
        .contains(
            "what was learned could not be kept in " + gone.resolve("c.safetensors.checkpoint"));
  }

  @Test
  void aVocabularyThatCameIsLeft() throws IOException {
    String command = TRAIN + "-o @c.safetensors --save-vocab @v.txt";
    killed(command + SAVES, 1);
    assertThat(text("v.txt")).startsWith("w");
    Files.writeString(folder.resolve("v.txt"), "mine");
    done(command + " --resume");
    assertThat(text("v.txt")).isEqualTo("mine");
    assertThat(told()).contains("v.txt is there already and stays as it is");
  }

  /** Told before the text is read, which is not there. */
  @Test
  void anotherWidthThanThatOfTheTableIsToldAtOnce() throws IOException {
    done(TRAIN + "-o @a.safetensors --epochs 1");
    int code = run("train @no.txt -o @c.safetensors --from @a.safetensors -d 50", 0);
    assertThat(code).isEqualTo(Failures.USE);
    assertThat(told())
        .contains(
            "--from %s has rows of 8 numbers, but -d is 50; give -d 8, or another table"
                .formatted(folder.resolve("a.safetensors")));
  }

  /** Linux has a folder that takes no files, from nobody. */
  @Test
  void aPlaceThatTakesNoFilesIsToldAtOnce() {
    assumeTrue(Files.isDirectory(Path.of("/proc/self")));
    assertThat(run("train @no.txt -o /proc/v.safetensors", 0)).isEqualTo(Failures.FILE);
    assertThat(told()).contains("/proc/v.safetensors: no file can be made in its folder");
    for (String option : new String[] {"--report", "--save-vocab"}) {
      assertThat(run("train @no.txt -o @c.safetensors " + option + " /proc/v", 0))
          .isEqualTo(Failures.FILE);
      assertThat(told()).contains("no file can be made in its folder");
    }
  }

  @Test
  void shortAndHugePerplexitiesAreShort() {
    assertThat(NextTokenTraining.perplexity(97.344)).isEqualTo("97.34");
    assertThat(NextTokenTraining.perplexity(1.234e41)).isEqualTo("1.2e+41");
  }
}
