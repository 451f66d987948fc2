package dev.rowan.hub;

import static dev.rowan.hub.OnnxSample.external;
import static dev.rowan.hub.OnnxSample.held;
import static dev.rowan.hub.OnnxSample.model;
import static dev.rowan.hub.OnnxSample.numbers;
import static dev.rowan.hub.OnnxSample.turned;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** ONNX models whose numbers lie in a file beside the graph. */
class OnnxTest extends HubFixture {
  private static final String GRAPH = "onnx/model.onnx";

  private static final String DATA = "onnx/model.onnx_data";

  private void serve(byte[] graph, byte[] numbers) {
    server
        .with(GRAPH, graph)
        .withLarge(DATA, numbers)
        .with("config.json", Sample.config(3_000))
        .with("tokenizer.json", Sample.tokenizer(2_990));
  }

  private void serveModel(String table) {
    serve(
        model(
            external("h.0", 750, 1_000, "model.onnx_data", 0),
            external(table, 3_000, 16, "model.onnx_data", LAYER.bytes())),
        numbers(LAYER.numbers(), TABLE.numbers()));
  }

  @Test
  void fetchesTheTableAlone() throws IOException {
    serveModel("wte.weight");
    assertOpens();
    assertThat(server.bytesAskedOf(DATA)).isEqualTo(TABLE.bytes() + 1);
    try (Lexicon model = open(SPEC)) {
      assertThat(model.origin().format()).isEqualTo("onnx");
      assertThat(model.modelParameters()).hasValue(750_000 + 48_000);
      assertThat(model.text(7)).isEqualTo("w7");
    }
    assertThat(notes.heard).isEmpty();
    assertThat(inspect(SPEC).tensors())
        .extracting(TensorInfo::name)
        .containsExactly("h.0", "wte.weight");
  }

  @Test
  void knowsATableByItsUseInTheGraph() throws IOException {
    serveModel("onnx::table");
    assertOpens();
    try (Lexicon model = open(SPEC)) {
      assertThat(model.input().tensor()).isEqualTo("onnx::table");
      assertThat(model.tie()).isEqualTo(Tie.TIED);
    }
    assertThat(server.bytesAskedOf(DATA)).isEqualTo(TABLE.bytes() + 1);
  }

  private void serveTurned(float[] output) {
    serve(
        model(
            external("wte.weight", 3_000, 16, "model.onnx_data", 0),
            external("onnx::MatMul_7", 16, 3_000, "model.onnx_data", TABLE.bytes())),
        numbers(TABLE.numbers(), output));
  }

  @Test
  void seesThatATransposedOutputDiffers() throws IOException {
    float[] output = turned(TABLE, 3_000, 16);
    output[15 * 3_000 + 2] += 1;
    serveTurned(output);
    Inspection seen = inspect(SPEC);
    assertThat(seen.tie().tie()).isEqualTo(Tie.UNTIED);
    assertThat(seen.tie().evidence())
        .isEqualTo(
            "the model holds \"wte.weight\" and \"onnx::MatMul_7\", which is stored transposed and differs");
    assertThat(seen.notes())
        .contains(
            "the output table \"onnx::MatMul_7\" is stored transposed, width × rows; it is not opened");
    assertThat(server.bytesAskedOf(DATA)).isLessThan(3 * (32 << 10));
  }

  @Test
  void equalPartsOfATransposedOutputProveNothing() throws IOException {
    float[] output = turned(TABLE, 3_000, 16);
    output[2_999] += 1; // the last row is not in the sample
    serveTurned(output);
    assertThat(inspect(SPEC).tie().tie()).isEqualTo(Tie.UNKNOWN);
    try (Lexicon model = open(SPEC)) {
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
      assertThat(model.tieEvidence()).contains("which is stored transposed and differs");
    }
  }

  @Test
  void comparesATransposedOutputInFull() throws IOException {
    serveTurned(turned(TABLE, 3_000, 16));
    try (Lexicon model = open(SPEC)) {
      assertThat(model.input().table().row(2_999)).containsExactly(TABLE.row(2_999));
      assertThat(model.output()).isEmpty();
      assertThat(model.tie()).isEqualTo(Tie.TIED_STORED_TWICE);
      assertThat(model.modelParameters()).hasValue(48_000);
    }
  }

  @Test
  void readsATableInTheGraphAndLayersBeside() throws IOException {
    serve(
        model(
            held("wte.weight", 3_000, 16, TABLE.numbers()),
            external("h.0", 750, 1_000, "model.onnx_data", 0)),
        numbers(LAYER.numbers()));
    assertOpens();
    assertThat(server.bytesAskedOf(DATA)).isZero();
    assertThat(notes.heard).isEmpty();
  }

  @Test
  void refusesNumbersOutsideTheModel() throws IOException {
    serve(model(external("wte.weight", 3_000, 16, "../secret", 0)), numbers(TABLE.numbers()));
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("leaves the model's folder");
  }

  @Test
  void refusesATableBehindTheEndOfItsFile() throws IOException {
    serve(
        model(external("wte.weight", 3_000, 16, "model.onnx_data", Long.MAX_VALUE - 200_000)),
        numbers(TABLE.numbers()));
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("\"wte.weight\" has 192,000 bytes from byte ");
  }
}
