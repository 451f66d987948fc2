package dev.rowan.formats.onnx;

import static dev.rowan.formats.onnx.OnnxFixture.initializer;
import static dev.rowan.formats.onnx.OnnxFixture.input;
import static dev.rowan.formats.onnx.OnnxFixture.model;
import static dev.rowan.formats.onnx.OnnxFixture.node;
import static dev.rowan.formats.onnx.OnnxFixture.raw;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.formats.Models;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.safetensors.RawSafetensors;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The table found by the nodes of the graph. */
class OnnxGraphTest extends OnnxFiles {
  @Test
  void findsAMangledTableByTheGatherThatInputIdsFeed() throws IOException {
    byte[] model =
        model(
            node("Gather", "types", "onnx::Gather_2", "token_type_ids"),
            node("Cast", "ids", "input_ids"),
            node("Identity", "table", "onnx::Gather_1"),
            node("Gather", "rows", "table", "ids"),
            initializer("onnx::MatMul_0", FLOAT, TWO_BY_TWO, raw(new byte[16])),
            initializer("onnx::Gather_2", FLOAT, TWO_BY_TWO, raw(new byte[16])),
            initializer(
                "onnx::Gather_1", FLOAT, TWO_BY_TWO, raw(RawSafetensors.floats(1, 2, 3, 4))),
            input("token_type_ids"),
            input("input_ids"));

    assertRows(model, 1f, 2f, 3f, 4f);
  }

  @Test
  void findsTheTableWhereTheIdsHaveAnotherName() throws IOException {
    byte[] model =
        model(
            node("Gather", "a", "shapes", "constant"),
            node("Gather", "b", "positions", "position_ids"),
            node("Gather", "c", "x1", "tokens"),
            initializer("shapes", FLOAT, TWO_BY_TWO, raw(new byte[16])),
            initializer("positions", FLOAT, TWO_BY_TWO, raw(new byte[16])),
            initializer("x1", FLOAT, TWO_BY_TWO, raw(RawSafetensors.floats(1, 2, 3, 4))),
            input("position_ids"),
            input("tokens"));

    assertRows(model, 1f, 2f, 3f, 4f);
  }

  /**
   * ONNX Runtime's optimizer fuses three lookups and a normalization: ids, segments, word table.
   */
  @Test
  void findsTheTableOfFusedLookups() throws IOException {
    byte[] model =
        model(
            node("EmbedLayerNormalization", "x", "input_ids", "segment_ids", "w1", "w2", "w3"),
            initializer("w3", FLOAT, TWO_BY_TWO, raw(new byte[16])),
            initializer("w2", FLOAT, TWO_BY_TWO, raw(new byte[16])),
            initializer("w1", FLOAT, TWO_BY_TWO, raw(RawSafetensors.floats(1, 2, 3, 4))),
            input("input_ids"),
            input("segment_ids"));

    assertRows(model, 1f, 2f, 3f, 4f);
  }

  @Test
  void namesATableThatIsPackedInBlocks() throws IOException {
    Path file =
        write(
            model(
                node("GatherBlockQuantized", "x", "table_Q4", "input_ids", "table_scales"),
                initializer("table_scales", FLOAT, TWO_BY_TWO, raw(new byte[16])),
                initializer("table_Q4", 2, TWO_BY_TWO, raw(new byte[4])),
                input("input_ids")));

    assertThatThrownBy(() -> Models.open(file))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("the table \"table_Q4\" is stored as UINT8, which cannot be read");
  }

  @Test
  void comparesATransposedOutputNumberByNumber() throws IOException {
    long[] table = {2, 3};
    long[] transposed = {3, 2};
    byte[] rows = RawSafetensors.floats(1, 2, 3, 4, 5, 6);
    byte[] columns = RawSafetensors.floats(1, 4, 2, 5, 3, 6);
    write(
        model(
            initializer(TABLE, FLOAT, table, raw(rows)),
            initializer("onnx::MatMul_1", FLOAT, transposed, raw(columns))));
    try (Lexicon twice = Models.open(folder)) {
      assertThat(twice.tie()).isEqualTo(Tie.TIED_STORED_TWICE);
      assertThat(twice.output()).isEmpty();
      assertThat(twice.modelParameters()).hasValue(6);
      assertThat(twice.notes()).singleElement().asString().contains("stored transposed");
    }

    write(
        model(
            initializer(TABLE, FLOAT, table, raw(rows)),
            initializer("lm_head.weight", FLOAT, transposed, raw(rows))));
    try (Lexicon two = Models.open(folder)) {
      assertThat(two.tie()).isEqualTo(Tie.UNTIED);
      assertThat(two.modelParameters()).hasValue(12);
    }
  }

  @Test
  void survivesACircleOfNodes() throws IOException {
    Path file =
        write(
            model(
                node("Cast", "a", "b"),
                node("Cast", "b", "a"),
                node("Gather", "c", "t", "a"),
                initializer("t", FLOAT, new long[] {1}, raw(new byte[4]))));

    assertThatThrownBy(() -> Models.open(file)).isInstanceOf(FormatException.class);
  }
}
