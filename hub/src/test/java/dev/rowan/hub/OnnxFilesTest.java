package dev.rowan.hub;

import static dev.rowan.hub.OnnxSample.external;
import static dev.rowan.hub.OnnxSample.inTwoRuns;
import static dev.rowan.hub.OnnxSample.model;
import static dev.rowan.hub.OnnxSample.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** ONNX models with a file for each tensor, which only the graph names. */
class OnnxFilesTest extends HubFixture {
  private static final String GRAPH = "onnx/model.onnx";

  /** One file for each tensor, named after it, as exporters of large models write them. */
  private void serveFiles(String table) {
    server
        .with(
            GRAPH,
            model(
                external("h.0", 750, 1_000, "h.0", 0), external("wte.weight", 3_000, 16, table, 0)))
        .withLarge("onnx/h.0", numbers(LAYER.numbers()))
        .withLarge("onnx/parts/wte.weight", numbers(TABLE.numbers()))
        .withLarge("secret", numbers(TABLE.numbers()));
  }

  @Test
  void fetchesOfOneFileForEachTensorThatOfTheTable() throws IOException {
    serveFiles("parts/wte.weight");
    String address = server.storeAddress() + "/" + GRAPH;
    for (String spec : new String[] {SPEC, address}) {
      try (Lexicon model = open(spec)) {
        assertThat(model.input().table().row(2_999)).containsExactly(TABLE.row(2_999));
      }
      server.requests.clear();
      open(offline(), spec, Tables.INPUT).close();
      assertThat(server.requests).isEmpty();
    }
    assertThat(server.bytesAskedOf("onnx/h.0")).isZero();
    assertThat(notes.heard).isEmpty();
  }

  @Test
  void fetchesEveryFileThatTheGraphNamesOfAModelThatComesWhole() throws IOException {
    server
        .with(GRAPH, model(inTwoRuns(), external("h.0", 750, 1_000, "./parts/h.0", 0)))
        .withLarge("onnx/parts/h.0", numbers(LAYER.numbers()));
    for (String spec : new String[] {SPEC, server.storeAddress() + "/" + GRAPH}) {
      notes.heard.clear();
      try (Lexicon model = open(spec)) {
        assertThat(model.input().table().rows()).isEqualTo(3);
        assertThat(model.modelParameters()).hasValue(750_000 + 6);
        Path layer = model.origin().path().resolveSibling("parts").resolve("h.0");
        assertThat(layer).hasBinaryContent(numbers(LAYER.numbers()));
      }
      assertThat(notes.heard)
          .hasSize(2)
          .last()
          .asString()
          .endsWith("model.onnx names 1 file more, whose 3,000,000 bytes are fetched too");
      server.requests.clear();
      open(offline(), spec, Tables.INPUT).close();
      assertThat(server.requests).isEmpty();
    }
  }

  @Test
  void fetchesNoFileOutsideTheFolderThatTheGraphNames() throws IOException {
    for (String name : new String[] {"../secret", "/secret", "parts/../../secret", "."}) {
      serveFiles(name);
      assertThatThrownBy(() -> open(server.storeAddress() + "/" + GRAPH))
          .isInstanceOfAny(FormatException.class, HubException.class)
          .hasMessageContaining("names ");
    }
    assertThat(server.requests).noneMatch(r -> r.path().contains("secret"));
  }

  @Test
  void saysWhichFileThatTheGraphNamesTheModelDoesNotHave() throws IOException {
    serveFiles("other");
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("name \"onnx/other\", which the model does not have");
  }
}
