package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.train.Keepsakes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A training is not gone on with by another command, or from what is damaged. */
class TrainResumeRefusalsTest extends InterruptedCommands {
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
    assertThat(told()).doesNotContain("going on");
  }

  @Test
  void refusesAnotherFormat() {
    killed("--threads 1 train @t.txt -o @c --to word2vec -d 8" + SAVES, 2);
    String other = "--threads 1 train @no.txt -o @c --to glove -d 8 --resume";
    assertThat(run(other, 0)).isEqualTo(Failures.USE);
    assertThat(told()).contains("was made with --to word2vec; this command has --to glove. Type");
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
  void refusesOtherTextsAndFrozenWords() throws IOException {
    String command = stopped("-d 8 --min-count 1 --freeze @still.txt");
    Files.writeString(folder.resolve("still.txt"), "w4\n");
    refuses(command.replace("@t.txt", "@no.txt") + " --resume", "was made with other frozen words");
    Files.writeString(folder.resolve("still.txt"), "w3\n");
    Files.writeString(folder.resolve("t.txt"), text("t.txt") + "w1 w2\n");
    refuses(
        command + " --resume",
        "was made from another text than "
            + folder.resolve("t.txt")
            + ", or by other rules for words: 15,000 words in 40 rows then, 15,002 words in 40 rows now. Give the text of the first command again, or delete the file to begin anew");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--objective glove", "--objective next --hidden 0"})
  void refusesTheSameWordsInAnotherOrder(String objective) throws IOException {
    String command = stopped("-d 8 --min-count 1 " + objective);
    String lines = text("t.txt");
    int half = lines.indexOf('\n', lines.length() / 2) + 1;
    Files.writeString(folder.resolve("t.txt"), lines.substring(half) + lines.substring(0, half));
    refuses(command + " --resume", "was made from another text than " + folder.resolve("t.txt"));
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
    // the text is not there: this is told before any is read
    refuses(
        command.replace("@t.txt", "@no.txt") + " --resume",
        "--from " + from + " is another table than the training of ");
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
    assertThat(run(command.replace("@t.txt", "@no.txt") + " --resume", 0)).isEqualTo(Failures.FILE);
    assertThat(told())
        .contains("c.safetensors.checkpoint: tensor \"")
        .contains(
            " does not hold what was written, so the file is damaged; use a copy of it, or delete it to begin anew");
    Files.write(file, whole);
    done(command + " --resume");
  }

  @ParameterizedTest
  @ValueSource(strings = {"seconds", "epoch-loss", "report", "scores"})
  void refusesDamagedMemories(String name) throws IOException {
    String command = stopped("-d 8 --min-count 1" + SEEN.replace("@R", "@r"));
    Path file = folder.resolve("c.safetensors.checkpoint");
    assertThat(Keepsakes.of(file).texts()).containsKey(name);
    forge(file, name, "?????");
    assertThat(run(command + " --resume", 0)).isEqualTo(Failures.FILE);
    assertThat(told())
        .contains("c.safetensors.checkpoint")
        .doesNotContain("does not hold what was written");
    assertThat(file).exists();
  }
}
