package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelArgumentTest extends Commands {
  private Path model = Path.of("");

  @BeforeEach
  void write() throws IOException {
    model = Files.writeString(folder.resolve("m.vec"), "3 2\na 1 2\nb 3 4\nc 5 6\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"info", "params", "stats", "audit"})
  void tellsOfTheModelThatItNames(String verb) {
    assertThat(run(verb, "--json", model.toString())).as(told()).isZero();
    String named = answered();
    out.reset();
    assertThat(run("-m", model.toString(), "--json", verb)).isZero();
    assertThat(named).isEqualTo(answered()).contains("\"");
  }

  @Test
  void showsTheShapeOfTheNamedFile() {
    assertThat(run("info", model.toString())).isZero();
    assertThat(answered()).contains("3 rows × 2");
  }

  @Test
  void refusesTwoModels() {
    assertThat(run("-m", "default", "info", model.toString())).isEqualTo(2);
    assertThat(told()).contains("MODEL names the model here");
    assertThat(out.size()).isZero();
  }
}
