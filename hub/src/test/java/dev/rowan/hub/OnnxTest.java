package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * ONNX models whose numbers lie in a file beside the graph. Graphs are written here field by field
 * (onnx.proto: ModelProto 7 graph; GraphProto 1 node, 5 initializer, 11 input).
 */
class OnnxTest extends HubFixture {
  private static final String GRAPH = "onnx/model.onnx";
  private static final String DATA = "onnx/model.onnx_data";

  static byte[] bytes(int field, byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(field << 3 | 2);
    varint(out, all.size());
    out.writeBytes(all.toByteArray());
    return out.toByteArray();
  }

  static byte[] text(int field, String text) {
    return bytes(field, Sample.text(text));
  }

  static byte[] number(int field, long value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(field << 3);
    varint(out, value);
    return out.toByteArray();
  }

  private static void varint(ByteArrayOutputStream out, long value) {
    long rest = value;
    while (rest > 127) {
      out.write((int) (rest & 127) | 128);
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  /** TensorProto of float32 numbers in the file beside the graph. */
  private static byte[] external(String name, long rows, long width, String file, long offset) {
    return bytes(
        5,
        number(1, rows),
        number(1, width),
        number(2, 1),
        text(8, name),
        bytes(13, text(1, "location"), text(2, file)),
        bytes(13, text(1, "offset"), text(2, "" + offset)),
        bytes(13, text(1, "length"), text(2, "" + 4 * rows * width)),
        number(14, 1));
  }

  private static byte[] model(byte[]... initializers) {
    byte[] lookup =
        bytes(1, text(1, "onnx::table"), text(1, "input_ids"), text(2, "rows"), text(4, "Gather"));
    ByteArrayOutputStream graph = new ByteArrayOutputStream();
    graph.writeBytes(lookup);
    for (byte[] initializer : initializers) {
      graph.writeBytes(initializer);
    }
    graph.writeBytes(bytes(11, text(1, "input_ids")));
    byte[] version = number(1, 8);
    ByteArrayOutputStream model = new ByteArrayOutputStream();
    model.writeBytes(version);
    model.writeBytes(bytes(7, graph.toByteArray()));
    return model.toByteArray();
  }

  private static byte[] numbers(float[]... tensors) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (float[] tensor : tensors) {
      ByteBuffer numbers = ByteBuffer.allocate(4 * tensor.length).order(ByteOrder.LITTLE_ENDIAN);
      numbers.asFloatBuffer().put(tensor);
      out.writeBytes(numbers.array());
    }
    return out.toByteArray();
  }

  private static float[] turned(Sample.Tensor table, int rows, int width) {
    float[] turned = new float[rows * width];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < width; column++) {
        turned[column * rows + row] = table.row(row)[column];
      }
    }
    return turned;
  }

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

  static byte[] held(String name, long rows, long width, float[] numbers) {
    return bytes(
        5,
        number(1, rows),
        number(1, width),
        number(2, 1),
        text(8, name),
        bytes(9, numbers(numbers)));
  }

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

  private static byte[] node(String op, String output, String... inputs) {
    ByteArrayOutputStream node = new ByteArrayOutputStream();
    for (String input : inputs) {
      node.writeBytes(text(1, input));
    }
    node.writeBytes(text(2, output));
    node.writeBytes(text(4, op));
    return bytes(1, node.toByteArray());
  }

  /** A node that gives a tensor: its attribute 5 is named "value" and holds the tensor in 5. */
  private static byte[] constant(String name, long rows, long width, float[] numbers) {
    byte[] tensor =
        bytes(5, number(1, rows), number(1, width), number(2, 1), bytes(9, numbers(numbers)));
    byte[] value = bytes(5, text(1, "value"), tensor, number(20, 4));
    return bytes(1, text(2, name), text(4, "Constant"), value);
  }

  private static byte[] ending(String output) {
    return bytes(12, text(1, output));
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

  /** A table of 3 × 2 numbers in two runs of float_data. */
  private static byte[] inTwoRuns() {
    byte[] halves = new byte[2 * 12];
    ByteArrayOutputStream table = new ByteArrayOutputStream();
    for (byte[] part : new byte[][] {number(1, 3), number(1, 2), number(2, 1)}) {
      table.writeBytes(part);
    }
    table.writeBytes(bytes(4, java.util.Arrays.copyOf(halves, 12)));
    table.writeBytes(bytes(4, java.util.Arrays.copyOf(halves, 12)));
    table.writeBytes(text(8, "wte.weight"));
    return bytes(5, table.toByteArray());
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
