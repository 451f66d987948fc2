package dev.rowan.formats.onnx;

import static dev.rowan.formats.onnx.OnnxFixture.graph;
import static dev.rowan.formats.onnx.OnnxFixture.initializer;
import static dev.rowan.formats.onnx.OnnxFixture.input;
import static dev.rowan.formats.onnx.OnnxFixture.model;
import static dev.rowan.formats.onnx.OnnxFixture.node;
import static dev.rowan.formats.onnx.OnnxFixture.output;
import static dev.rowan.formats.onnx.OnnxFixture.raw;
import static dev.rowan.formats.onnx.OnnxFixture.whole;
import static dev.rowan.formats.onnx.OnnxFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.formats.Models;
import dev.rowan.formats.onnx.OnnxFixture.Fields;
import dev.rowan.formats.safetensors.RawSafetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tied or not, by what the graph computes. The table has 5 rows of width 3, the model a layer. */
class OnnxTieTest extends OnnxFiles {
  private static final long[] ROWS = {5, 3};
  private static final long[] COLUMNS = {3, 5};
  private static final byte[] NUMBERS =
      RawSafetensors.floats(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  private static final byte[] TURNED =
      RawSafetensors.floats(1, 4, 7, 10, 13, 2, 5, 8, 11, 14, 3, 6, 9, 12, 15);
  private static final byte[] OTHER =
      RawSafetensors.floats(5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  private static final Fields TABLE_OF_FIVE = initializer("emb.weight", FLOAT, ROWS, raw(NUMBERS));

  /** Nodes and tensors behind the layer. */
  record Ending(String name, List<Fields> fields) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Ending ending(String name, Fields... fields) {
    return new Ending(name, List.of(fields));
  }

  private Lexicon open(Ending ending) throws IOException {
    List<Fields> all = new ArrayList<>(ending.fields());
    all.add(TABLE_OF_FIVE);
    return open(all.toArray(Fields[]::new));
  }

  /** A graph that looks ids up, goes through a layer, which gives x, and ends in {@code y}. */
  private static byte[] graphOf(Fields... ending) {
    List<Fields> all =
        new ArrayList<>(
            List.of(
                node("Gather", "e", "emb.weight", "input_ids"),
                node("MatMul", "up", "e", "layer.up"),
                node("Relu", "act", "up"),
                node("MatMul", "down", "act", "layer.down"),
                node("Add", "sum", "down", "e"),
                node("LayerNormalization", "x", "sum", "layer.norm"),
                initializer("layer.up", FLOAT, new long[] {3, 4}, raw(new byte[48])),
                initializer("layer.down", FLOAT, new long[] {4, 3}, raw(new byte[48])),
                initializer("layer.norm", FLOAT, new long[] {3}, raw(new byte[12])),
                input("input_ids"),
                output("y")));
    all.addAll(List.of(ending));
    return model(all.toArray(Fields[]::new));
  }

  private Lexicon open(Fields... ending) throws IOException {
    return Models.open(write(graphOf(ending)));
  }

  @Test
  void aTableThatIsOnlyLookedUpScoresNothing() throws IOException {
    try (Lexicon encoder = open(TABLE_OF_FIVE, node("Identity", "y", "x"))) {
      assertThat(encoder.tie()).isEqualTo(Tie.NO_OUTPUT);
      assertThat(encoder.tieEvidence())
          .isEqualTo(
              "the graph looks ids up in \"emb.weight\", and no product at its outputs gives a number for each of the 5 rows, so the model itself scores no tokens");
    }
    Files.writeString(folder.resolve("config.json"), "{\"tie_word_embeddings\":true}");
    try (Lexicon encoder = open(TABLE_OF_FIVE, node("Identity", "y", "x"))) {
      assertThat(encoder.tie()).isEqualTo(Tie.NO_OUTPUT);
      assertThat(encoder.tieEvidence())
          .endsWith("scores no tokens, though config.json says tie_word_embeddings = true");
    }
  }

  /** Vocabularies are padded at the output alone by some. */
  @Test
  void anOutputOfAFewTokensMoreIsOneOfItsOwn() throws IOException {
    try (Lexicon model =
        open(
            TABLE_OF_FIVE,
            node("MatMul", "y", "x", "head"),
            initializer("head", FLOAT, new long[] {3, 8}, raw(new byte[96])))) {
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
      assertThat(model.tieEvidence()).contains("\"head\"");
    }
  }

  @Test
  void ofSeveralTablesTheOneWithMostRowsIsThatOfTheTokens() throws IOException {
    Fields kinds = initializer("kinds", FLOAT, new long[] {2, 3}, raw(new byte[24]));
    try (Lexicon model =
        Models.open(
            write(
                model(
                    node("Gather", "k", "kinds", "kind"),
                    node("Gather", "e", "table", "word"),
                    node("Add", "y", "k", "e"),
                    kinds,
                    initializer("table", FLOAT, ROWS, raw(NUMBERS)),
                    input("kind"),
                    input("word"),
                    output("y"))))) {
      assertThat(model.input().tensor()).isEqualTo("table");
      assertThat(model.notes())
          .contains(
              "several inputs are looked up in tables, of which the one with the most rows counts as that of the tokens: \"kinds\" [2 × 3], \"table\" [5 × 3]; any can be chosen by name");
    }
  }

  /** Whatever order an optimiser brings the nodes into. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theEncodersTableIsTheInputAndTheDecodersServesAtTheOutput(boolean encoderFirst)
      throws IOException {
    Fields encoder = node("Gather", "a", "enc", "source");
    Fields decoder = node("Gather", "b", "dec", "target");
    try (Lexicon model =
        Models.open(
            write(
                model(
                    encoderFirst ? encoder : decoder,
                    encoderFirst ? decoder : encoder,
                    node("Add", "x", "a", "b"),
                    node("Transpose", "w", "dec"),
                    node("MatMul", "y", "x", "w"),
                    initializer("enc", FLOAT, ROWS, raw(NUMBERS)),
                    initializer("dec", FLOAT, ROWS, raw(OTHER)),
                    input("source"),
                    input("target"),
                    output("y"))))) {
      assertThat(model.input().tensor()).isEqualTo("enc");
      assertThat(model.output().orElseThrow().tensor()).isEqualTo("dec");
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
    }
  }

  static final List<Ending> TIED =
      List.of(
          ending("turned", node("Transpose", "w", "emb.weight"), node("MatMul", "y", "x", "w")),
          ending(
              "turned by the product",
              with("Gemm", "y", List.of("x", "emb.weight"), whole("transB", 1))),
          ending(
              "cast and named anew",
              node("Cast", "a", "emb.weight"),
              node("Identity", "b", "a"),
              node("Transpose", "c", "b"),
              node("MatMul", "y", "x", "c")),
          ending(
              "turned twice and by the product",
              node("Transpose", "a", "emb.weight"),
              node("Transpose", "b", "a"),
              with("FusedMatMul", "y", List.of("x", "b"), whole("transB", 1))),
          ending(
              "from the left",
              node("Transpose", "xt", "x"),
              node("MatMul", "y", "emb.weight", "xt")),
          ending(
              "with a bias, bounded, for the last token",
              node("Transpose", "w", "emb.weight"),
              node("MatMul", "a", "x", "w"),
              node("Add", "b", "a", "bias"),
              node("Tanh", "c", "b"),
              node("Gather", "y", "c", "last"),
              initializer("bias", FLOAT, new long[] {5}, raw(new byte[20])),
              initializer("last", 7, new long[0], raw(new byte[8]))));

  @ParameterizedTest
  @FieldSource("TIED")
  void aTableThatIsAlsoMultipliedByIsTied(Ending ending) throws IOException {
    try (Lexicon model = open(ending)) {
      assertThat(model.tie()).isEqualTo(Tie.TIED);
      assertThat(model.tieEvidence())
          .isEqualTo(
              "the graph looks ids up in \"emb.weight\" and scores tokens by the same table");
    }
  }

  @Test
  void aTableOfItsOwnIsFoundUnderAnyName() throws IOException {
    try (Lexicon model =
        open(
            TABLE_OF_FIVE,
            initializer("val_17", FLOAT, ROWS, raw(OTHER)),
            with("Gemm", "y", List.of("x", "val_17"), whole("transB", 1)))) {
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
      assertThat(model.output().orElseThrow().tensor()).isEqualTo("val_17");
      assertThat(model.output().orElseThrow().table().row(1)).containsExactly(2, 1, 0);
    }
  }

  /** Exporters give a table that serves twice the name of its second use. */
  @Test
  void aTableAtBothEndsMayHaveTheNameOfTheOutputs() throws IOException {
    byte[] model =
        model(
            node("Gather", "x", "lm_head.weight", "input_ids"),
            node("Transpose", "w", "lm_head.weight"),
            node("MatMul", "y", "x", "w"),
            initializer("lm_head.weight", FLOAT, ROWS, raw(NUMBERS)),
            input("input_ids"),
            output("y"));
    try (Lexicon lexicon = Models.open(write(model))) {
      assertThat(lexicon.input().tensor()).isEqualTo("lm_head.weight");
      assertThat(lexicon.output()).isEmpty();
      assertThat(lexicon.tie()).isEqualTo(Tie.TIED);
      assertThat(lexicon.modelParameters()).hasValue(15);
    }
  }

  /** One-hot × table is a lookup; and a layer may be as wide as the table has rows. */
  @Test
  void notEveryProductWithAsManyRowsIsAtTheOutput() throws IOException {
    try (Lexicon encoder =
        open(
            TABLE_OF_FIVE,
            node("MatMul", "q", "x", "layer.q"),
            node("MatMul", "soft", "q", "emb.weight"),
            node("MatMul", "y", "soft", "layer.o"),
            initializer("layer.q", FLOAT, COLUMNS, raw(new byte[60])),
            initializer("layer.o", FLOAT, new long[] {3, 3}, raw(new byte[36])))) {
      assertThat(encoder.tie()).isEqualTo(Tie.NO_OUTPUT);
      assertThat(encoder.notes()).isEmpty();
    }
  }

  static final List<Ending> PACKED =
      List.of(
          ending(
              "\"q\" (5 × 1 × 2 uint8)",
              with("MatMulNBits", "y", List.of("x", "q", "scales"), whole("K", 3), whole("N", 5)),
              initializer("q", 2, new long[] {5, 1, 2}, raw(new byte[10]))),
          ending(
              "\"q\" (3 × 5 int8)",
              node("DynamicQuantizeLinear", "xq", "x"),
              node("MatMulInteger", "i", "xq", "q"),
              node("Cast", "y", "i"),
              initializer("q", 3, COLUMNS, raw(new byte[15]))),
          ending(
              "\"q\" (5 × 3 int8)",
              node("DequantizeLinear", "w", "q", "scale"),
              node("Transpose", "wt", "w"),
              node("MatMul", "y", "x", "wt"),
              initializer("q", 3, ROWS, raw(new byte[15]))));

  @ParameterizedTest
  @FieldSource("PACKED")
  void aPackedTableOfTheOutputIsOneOfItsOwn(Ending ending) throws IOException {
    try (Lexicon model = open(ending)) {
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
      assertThat(model.tieEvidence())
          .isEqualTo(
              "the file holds an output table of its own, "
                  + ending.name()
                  + ", which cannot be read");
      assertThat(model.output()).isEmpty();
      assertThat(model.modelParameters()).isEmpty();
    }
  }

  static final List<Ending> OPEN =
      List.of(
          ending(
              "in a branch",
              node("Transpose", "w", "emb.weight"),
              with("If", "y", List.of("c"), graph("then_branch", node("MatMul", "z", "x", "w")))),
          ending(
              "computed from the table",
              node("Mul", "a", "emb.weight", "x"),
              node("Transpose", "b", "a"),
              node("MatMul", "y", "x", "b")),
          ending("a product that is not known", node("BlockMatMul", "y", "x", "blocks")),
          ending("in another way", node("Einsum", "y", "x", "emb.weight")));

  @ParameterizedTest
  @FieldSource("OPEN")
  void whatTheGraphLeavesOpenIsDecidedAsElsewhere(Ending ending) throws IOException {
    try (Lexicon model = open(ending)) {
      assertThat(model.tieEvidence())
          .isEqualTo(
              "the file holds no output table, so the input table serves at both ends; there is no config.json");
    }
  }

  @Test
  void aTransposedOutputMayHaveAnotherNumberFormat() throws IOException {
    // 1 to 15 in float16
    byte[] halves =
        RawSafetensors.shorts(
            0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0x4800, 0x4880, 0x4900, 0x4980,
            0x4A00, 0x4A80, 0x4B00, 0x4B80);
    Fields table = initializer("emb.weight", FLOAT16, ROWS, raw(halves));
    Fields product = node("MatMul", "y", "x", "onnx::MatMul_9");
    try (Lexicon same =
        open(table, initializer("onnx::MatMul_9", FLOAT, COLUMNS, raw(TURNED)), product)) {
      assertThat(same.tie()).isEqualTo(Tie.TIED_STORED_TWICE);
      assertThat(same.tieEvidence()).contains("is stored transposed and has the same numbers");
    }
    try (Lexicon two =
        open(table, initializer("onnx::MatMul_9", FLOAT, COLUMNS, raw(OTHER)), product)) {
      assertThat(two.tie()).isEqualTo(Tie.UNTIED);
    }
    try (Lexicon narrow =
        open(
            table,
            initializer("onnx::MatMul_9", FLOAT, new long[] {2, 5}, raw(new byte[40])),
            product)) {
      assertThat(narrow.tie()).isEqualTo(Tie.UNTIED);
      assertThat(narrow.tieEvidence()).endsWith("(5 × 3 float16, 2 × 5 float)");
    }
  }
}
