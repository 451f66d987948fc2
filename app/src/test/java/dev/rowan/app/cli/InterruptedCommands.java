package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code train} in a folder with a text, up to one of its checkpoints or to its end. */
abstract class InterruptedCommands {
  static final String SEEN = " --report @R --watch w1 --eval @pairs.txt";

  /** A checkpoint each millisecond. */
  static final String SAVES = " --checkpoint-minutes 0.00002";

  @TempDir Path folder;
  final ByteArrayOutputStream out = new ByteArrayOutputStream();
  final ByteArrayOutputStream err = new ByteArrayOutputStream();

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
  static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Runs a command in which @name is a file of the folder; it is killed at its n-th checkpoint. */
  int run(String command, int killedAt) {
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

  void done(String command) {
    assertThat(run(command, 0)).as(err.toString(StandardCharsets.UTF_8)).isZero();
  }

  void killed(String command, int at) {
    assertThat(run(command, at)).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(Failures.BUG);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("Killed");
  }

  void refuses(String command, String message) {
    assertThat(run(command, 0)).as(command).isEqualTo(Failures.USE);
    assertThat(err.toString(StandardCharsets.UTF_8)).as(command).contains(message);
    assertThat(folder.resolve("c.safetensors.checkpoint")).exists();
  }

  String text(String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }

  String stopped(String options) {
    String command = "--threads 1 train @t.txt -o @c.safetensors " + options;
    killed(command + SAVES, 2);
    return command;
  }

  /** Takes away what the bytes of keepsakes are checked by, so that they may be changed. */
  static String unchecked(String file) {
    String checked = "rowan.crc32c.rowan.kept.";
    assertThat(file).contains(checked);
    return file.replace(checked, "x" + checked.substring(1));
  }
}
