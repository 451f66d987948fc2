package dev.rowan.formats.model2vec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.Models;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.RawSafetensors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaticModelTest {
  @TempDir Path folder;

  @BeforeEach
  void tokenizer() throws IOException {
    Files.writeString(
        folder.resolve("tokenizer.json"),
        """
        {"added_tokens":[],"post_processor":{"type":"TemplateProcessing","ids":[101,102]},
         "model":{"type":"WordPiece","unk_token":"[UNK]","vocab":{"a":0,"b":1,"c":2}}}
        """);
    Files.writeString(folder.resolve("config.json"), "{\"model_type\":\"model2vec\"}");
  }

  private static byte[] join(byte[]... parts) {
    int size = 0;
    for (byte[] part : parts) {
      size += part.length;
    }
    ByteBuffer all = ByteBuffer.allocate(size);
    for (byte[] part : parts) {
      all.put(part);
    }
    return all.array();
  }

  private static byte[] longs(long... values) {
    ByteBuffer buffer = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (long value : values) {
      buffer.putLong(value);
    }
    return buffer.array();
  }

  private static byte[] doubles(double... values) {
    ByteBuffer buffer = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (double value : values) {
      buffer.putDouble(value);
    }
    return buffer.array();
  }

  private void write(byte[] data, String... entries) throws IOException {
    RawSafetensors.write(
        folder.resolve("model.safetensors"), "{" + String.join(",", entries) + "}", data);
  }

  private static final byte[] TWO_ROWS = RawSafetensors.floats(1, 2, 3, 4);
  private static final String EMBEDDINGS =
      RawSafetensors.entry("embeddings", "F32", "[2,2]", 0, 16);

  @Test
  void rowIsWeightTimesTheMappedRow() throws IOException {
    // tokens a, b, c in rows 1, 0, 1 with weights 2, 0.5, 0.1
    write(
        join(TWO_ROWS, longs(1, 0, 1), doubles(2, 0.5, 0.1)),
        EMBEDDINGS,
        RawSafetensors.entry("mapping", "I64", "[3]", 16, 40),
        RawSafetensors.entry("weights", "F64", "[3]", 40, 64));
    try (Lexicon model = Models.open(folder)) {
      Table table = model.input().table();
      assertThat(model.origin().format()).isEqualTo("model2vec");
      assertThat(table.rows()).isEqualTo(3);
      assertThat(table.row(0)).containsExactly(6, 8);
      assertThat(table.row(1)).containsExactly(0.5f, 1);
      assertThat(table.row(2)).containsExactly((float) (3 * 0.1), (float) (4 * 0.1));
      assertThat(model.rowsWithoutToken()).isZero();
      assertThat(model.notes()).anyMatch(note -> note.startsWith("3 tokens share 2 rows"));
    }
  }

  @Test
  void weightsAloneScaleRows() throws IOException {
    write(
        join(TWO_ROWS, RawSafetensors.floats(10, 100)),
        EMBEDDINGS,
        RawSafetensors.entry("weights", "F32", "[2]", 16, 24));
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.input().table().row(1)).containsExactly(300, 400);
    }
  }

  @Test
  void mappingOf32BitsIsRead() throws IOException {
    byte[] mapping = {1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    write(
        join(TWO_ROWS, mapping), EMBEDDINGS, RawSafetensors.entry("mapping", "I32", "[3]", 16, 28));
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.input().table().row(0)).containsExactly(3, 4);
      assertThat(model.input().table().row(2)).containsExactly(1, 2);
    }
  }

  @Test
  void plainTableIsReadInPlaceAndHasNoOutput() throws IOException {
    write(TWO_ROWS, EMBEDDINGS);
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.input().table().format()).isEqualTo(FloatFormat.F32);
      assertThat(model.origin().architecture()).hasValue("model2vec");
      assertThat(model.tie()).isEqualTo(Tie.NO_OUTPUT);
      // one token more than rows: potion and kin count added tokens elsewhere
      assertThat(model.vocabulary().orElseThrow().size()).isEqualTo(3);
    }
  }

  @Test
  void unknownTokenThatIsNotInTheVocabularyDoesNotMatter() throws IOException {
    write(TWO_ROWS, EMBEDDINGS);
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.vocabulary().orElseThrow().id("[UNK]")).isEmpty();
      assertThat(model.vocabulary().orElseThrow().id("c")).hasValue(2);
    }
  }

  @Test
  void int8RowsAreReadAsWholeNumbers() throws IOException {
    write(new byte[] {127, -128, 0, 5}, RawSafetensors.entry("embeddings", "I8", "[2,2]", 0, 4));
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.input().table().row(0)).containsExactly(127, -128);
      assertThat(model.input().table().row(1)).containsExactly(0, 5);
      assertThat(model.notes()).anyMatch(note -> note.contains("directions, not lengths"));
    }
  }

  @Test
  void opensStaticEmbeddingsInTheirSubfolder() throws IOException {
    Path inner = Files.createDirectory(folder.resolve("0_StaticEmbedding"));
    RawSafetensors.write(
        inner.resolve("model.safetensors"),
        "{" + RawSafetensors.entry("embedding.weight", "F32", "[2,2]", 0, 16) + "}",
        TWO_ROWS);
    Files.move(folder.resolve("tokenizer.json"), inner.resolve("tokenizer.json"));
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.origin().format()).isEqualTo("static-embedding");
      assertThat(model.input().table().row(1)).containsExactly(3, 4);
      assertThat(model.vocabulary().orElseThrow().id("b")).hasValue(1);
    }
  }

  @Test
  void tableOfAnyModuleIsStaticOnlyBesideSentenceTransformersFiles() throws IOException {
    write(TWO_ROWS, RawSafetensors.entry("embedding.weight", "F32", "[2,2]", 0, 16));
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.origin().format()).isEqualTo("safetensors");
    }
    Files.writeString(folder.resolve("config_sentence_transformers.json"), "{}");
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.origin().format()).isEqualTo("static-embedding");
    }
  }

  @Test
  void modelsWithOtherTensorsAreNotStatic() throws IOException {
    write(
        join(TWO_ROWS, RawSafetensors.floats(5, 6)),
        RawSafetensors.entry("embedding.weight", "F32", "[2,2]", 0, 16),
        RawSafetensors.entry("norm.weight", "F32", "[2]", 16, 24));
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.origin().format()).isEqualTo("safetensors");
    }
  }

  @Test
  void refusesAMappingOutOfTheTable() throws IOException {
    write(
        join(TWO_ROWS, longs(1, 2)),
        EMBEDDINGS,
        RawSafetensors.entry("mapping", "I64", "[2]", 16, 32));
    assertThatThrownBy(() -> Models.open(folder).close())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("sends token 1 to row 2; the table has rows 0 to 1");
  }

  @Test
  void refusesWeightsOfAnotherLength() throws IOException {
    write(
        join(TWO_ROWS, doubles(1, 2, 3)),
        EMBEDDINGS,
        RawSafetensors.entry("weights", "F64", "[3]", 16, 40));
    assertThatThrownBy(() -> Models.open(folder).close())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("\"weights\" has shape 3; one number for each of 2 rows");
  }

  /** Two rows of two float32 are four numbers and 16 bytes, however many tokens share them. */
  @Test
  void countsWhatIsStoredNotWhatPointsToIt() throws IOException {
    write(
        join(TWO_ROWS, longs(1, 0, 1)),
        EMBEDDINGS,
        RawSafetensors.entry("mapping", "I64", "[3]", 16, 40));
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.input().table().rows()).isEqualTo(3);
      assertThat(model.input().table().storedParameters()).isEqualTo(4);
      assertThat(model.input().table().storedBytes()).isEqualTo(16);
      assertThat(model.modelParameters()).hasValue(4);
    }
  }
}
