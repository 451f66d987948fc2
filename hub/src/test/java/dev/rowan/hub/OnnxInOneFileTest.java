package dev.rowan.hub;

import static dev.rowan.hub.OnnxSample.bytes;
import static dev.rowan.hub.OnnxSample.constant;
import static dev.rowan.hub.OnnxSample.ending;
import static dev.rowan.hub.OnnxSample.held;
import static dev.rowan.hub.OnnxSample.inTwoRuns;
import static dev.rowan.hub.OnnxSample.model;
import static dev.rowan.hub.OnnxSample.node;
import static dev.rowan.hub.OnnxSample.number;
import static dev.rowan.hub.OnnxSample.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** ONNX models whose numbers lie among the nodes of the graph. */
class OnnxInOneFileTest extends HubFixture {
  /** Nodes and many tensors in front of the table and behind it, all in one file. */
  private byte[] oneFile() {
    ByteArrayOutputStream graph = new ByteArrayOutputStream();
    graph.writeBytes(
        bytes(1, text(1, "onnx::table"), text(1, "input_ids"), text(2, "rows"), text(4, "Gather")));
    for (int i = 0; i < 4_000; i++) {
      graph.writeBytes(bytes(1, text(1, "in" + i), text(2, "out" + i), text(4, "Relu")));
    }
    for (int i = 0; i < 8; i++) {
      graph.writeBytes(held("h." + i, 750, 1_000, LAYER.numbers()));
      graph.writeBytes(held("h." + i + ".bias", 1, 10, new float[10]));
      if (i == 3) {
        graph.writeBytes(held("onnx::table", 3_000, 16, TABLE.numbers()));
      }
    }
    graph.writeBytes(bytes(11, text(1, "input_ids")));
    ByteArrayOutputStream model = new ByteArrayOutputStream();
    model.writeBytes(number(1, 8));
    model.writeBytes(bytes(7, graph.toByteArray()));
    return model.toByteArray();
  }

  private void serveOneFile(byte[] model) {
    server
        .withLarge("model.onnx", model)
        .with("config.json", Sample.config(3_000))
        .with("tokenizer.json", Sample.tokenizer(2_990));
  }

  @Test
  void walksTheGraphOfAModelInOneFile() throws IOException {
    serveOneFile(oneFile());
    assertThat(inspect(SPEC).tensors()).hasSize(17);
    assertThat(server.bytesAskedOf("model.onnx")).isLessThan(600_000);
    assertOpens();
    assertThat(server.bytesAskedOf("model.onnx")).isLessThan(600_000 + TABLE.bytes());
    try (Lexicon model = open(offline(), SPEC, Tables.INPUT)) {
      assertThat(model.input().tensor()).isEqualTo("onnx::table");
      assertThat(model.modelParameters()).hasValue(8 * 750_010 + 48_000);
    }
    assertThat(notes.heard).isEmpty();
  }

  @Test
  void fetchesAModelWholeWhereTheServerSendsNoParts() throws IOException {
    server.ranges = false;
    serveOneFile(oneFile());
    assertOpens();
    assertThat(notes.heard)
        .containsExactly(
            "the weights (model.onnx) cannot be read in part (its server sends no parts of files), so all their %,d bytes are fetched"
                .formatted(server.file("model.onnx").length));
  }

  @Test
  void fetchesATableThatANodeGivesAlone() throws IOException {
    serveOneFile(
        model(
            constant("h.0", 750, 1_000, LAYER.numbers()),
            constant("onnx::table", 3_000, 16, TABLE.numbers()),
            constant("h.1", 750, 1_000, LAYER.numbers()),
            ending("rows")));
    assertThat(inspect(SPEC).tensors())
        .extracting(TensorInfo::name)
        .containsExactly("h.0", "onnx::table", "h.1");
    assertOpens();
    assertThat(server.bytesAskedOf("model.onnx")).isLessThan(300_000 + TABLE.bytes());
    assertThat(notes.heard).isEmpty();
  }

  @Test
  void seesThatATableIsOnlyLookedUp() throws IOException {
    serveOneFile(
        model(
            node("MatMul", "y", "rows", "h.0"),
            held("onnx::table", 3_000, 16, TABLE.numbers()),
            held("h.0", 16, 100, new float[1_600]),
            ending("y")));
    assertThat(inspect(SPEC).tie().tie()).isEqualTo(Tie.NO_OUTPUT);
    try (Lexicon model = open(SPEC);
        Lexicon excerpt = Models.open(model.origin().path(), table())) {
      assertThat(model.tie()).isEqualTo(Tie.NO_OUTPUT);
      assertThat(model.tieEvidence())
          .startsWith("the graph looks ids up in \"onnx::table\", and no product");
      assertThat(excerpt.tie().isTied()).isFalse();
    }
  }

  private static OpenOptions table() {
    return OpenOptions.DEFAULT.withTensor("onnx::table");
  }

  @Test
  void fetchesAModelWholeForAnOutputTableThatOnlyTheGraphTells() throws IOException {
    Sample.Tensor output = Sample.Tensor.of("fc", 3_000, 16, 9);
    serveOneFile(
        model(
            node("Transpose", "w", "fc"),
            node("MatMul", "y", "rows", "w"),
            held("onnx::table", 3_000, 16, TABLE.numbers()),
            held("fc", 3_000, 16, output.numbers()),
            held("h.0", 750, 1_000, LAYER.numbers()),
            ending("y")));
    assertThat(inspect(SPEC).output().orElseThrow().name()).isEqualTo("fc");
    try (Lexicon model = open(SPEC)) {
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
      assertThat(model.input().table().row(2_999)).containsExactly(TABLE.row(2_999));
    }
    assertThat(notes.heard).isEmpty();
    try (Lexicon model = open(settings, SPEC, Tables.INPUT_AND_OUTPUT)) {
      assertThat(model.output().orElseThrow().table().row(8)).containsExactly(output.row(8));
    }
    assertThat(notes.heard)
        .singleElement()
        .asString()
        .contains("cannot be read in part (only the graph tells which table is which)");
  }

  @Test
  void fetchesATableWholeThatIsNotInOnePiece() throws IOException {
    serveOneFile(model(inTwoRuns(), held("h.0", 750, 1_000, LAYER.numbers())));
    open(SPEC).close();
    assertThat(notes.heard)
        .singleElement()
        .asString()
        .contains("cannot be read in part (\"wte.weight\" is not stored as plain rows)");
  }
}
