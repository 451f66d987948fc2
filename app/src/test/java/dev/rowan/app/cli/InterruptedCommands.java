package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.formats.safetensors.Safetensors;
import dev.rowan.formats.safetensors.SafetensorsHeader;
import dev.rowan.formats.safetensors.SafetensorsWriter.Tensor;
import dev.rowan.train.Checkpoint;
import dev.rowan.train.CheckpointFile.Kind;
import dev.rowan.train.CheckpointPlan;
import dev.rowan.train.CheckpointWriter;
import dev.rowan.train.CheckpointWriter.Learned;
import dev.rowan.train.Keepsakes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;

/** Runs {@code train} in a folder with a text, up to one of its checkpoints or to its end. */
abstract class InterruptedCommands extends Commands {
  static final String SEEN = " --report @R --watch w1 --eval @pairs.txt";

  /** A checkpoint after every unit of work, however fast the machine is. */
  static final String SAVES = " --checkpoint-minutes 1e-12";

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

  /** Runs a command, which is killed at its n-th checkpoint. */
  int run(String command, int killedAt) {
    return run(
        command,
        "saved ",
        saved -> {
          if (saved == killedAt) {
            throw new Killed();
          }
        });
  }

  void killed(String command, int at) {
    assertThat(run(command, at)).as(told()).isEqualTo(Failures.BUG);
    assertThat(told()).contains("Killed");
  }

  void refuses(String command, String message) {
    assertThat(run(command, 0)).as(command).isEqualTo(Failures.USE);
    assertThat(told()).as(command).contains(message);
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

  /** Writes a checkpoint again, as if it had kept another text. */
  static void forge(Path file, String keepsake, String value) throws IOException {
    Map<String, String> kept = new LinkedHashMap<>(Keepsakes.of(file).texts());
    kept.put(keepsake, value);
    CheckpointPlan plan = new CheckpointPlan(file, Duration.ofHours(1), () -> kept);
    try (Safetensors open = Safetensors.open(file, SafetensorsHeader.DEFAULT_LIMIT);
        Checkpoint checkpoint = Checkpoint.open(file)) {
      List<Tensor> numbers =
          open.tensors().stream()
              .filter(tensor -> tensor.name().startsWith(Kind.WINDOWS.prefix()))
              .map(t -> new Tensor(t.name(), t.dtype(), t.shape(), open.data(t)))
              .toList();
      Map<String, String> texts = open.metadata();
      Learned learned = new Learned(checkpoint.vocabulary(), texts.getOrDefault("rowan.text", ""));
      CheckpointWriter.write(plan, Kind.WINDOWS, learned, numbers, texts);
    }
  }
}
