package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelArgumentTest {
  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Path model = Path.of("");

  @BeforeEach
  void write() throws IOException {
    model = Files.writeString(folder.resolve("m.vec"), "3 2\na 1 2\nb 3 4\nc 5 6\n");
  }

  private int run(String... words) {
    PrintStream answers = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream messages = new PrintStream(err, true, StandardCharsets.UTF_8);
    return Main.run(new Surroundings(answers, messages, Map.of(), false, false, 80), words);
  }

  @ParameterizedTest
  @ValueSource(strings = {"info", "params", "stats", "audit"})
  void tellsOfTheModelThatItNames(String verb) {
    assertThat(run(verb, "--json", model.toString()))
        .as(err.toString(StandardCharsets.UTF_8))
        .isZero();
    String named = out.toString(StandardCharsets.UTF_8);
    out.reset();
    assertThat(run("-m", model.toString(), "--json", verb)).isZero();
    assertThat(named).isEqualTo(out.toString(StandardCharsets.UTF_8)).contains("\"");
  }

  @Test
  void showsTheShapeOfTheNamedFile() {
    assertThat(run("info", model.toString())).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("3 rows × 2");
  }

  @Test
  void refusesTwoModels() {
    assertThat(run("-m", "default", "info", model.toString())).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("MODEL names the model here");
    assertThat(out.size()).isZero();
  }
}
