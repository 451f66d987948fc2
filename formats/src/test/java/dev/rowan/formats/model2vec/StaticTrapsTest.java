package dev.rowan.formats.model2vec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.formats.Fixture;
import dev.rowan.formats.Models;
import dev.rowan.formats.safetensors.RawSafetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where sentence-transformers keeps its static tables, beside the usual place. */
class StaticTrapsTest {
  private static final byte[] TWO_ROWS = RawSafetensors.floats(1, 2, 3, 4);

  @TempDir Path folder;

  private static void tokenizer(Path folder) throws IOException {
    Files.writeString(
        folder.resolve("tokenizer.json"),
        """
        {"added_tokens":[],"model":{"type":"WordLevel","unk_token":"[UNK]","vocab":{"a":0,"b":1}}}
        """);
  }

  @Test
  void theTableMayBeCalledEmbeddingsThereToo() throws IOException {
    Path inner = Files.createDirectory(folder.resolve("0_StaticEmbedding"));
    RawSafetensors.write(
        inner.resolve("model.safetensors"),
        "{" + RawSafetensors.entry("embeddings", "F32", "[2,2]", 0, 16) + "}",
        TWO_ROWS);
    tokenizer(inner);
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.input().table().row(1)).containsExactly(3, 4);
      assertThat(model.vocabulary().orElseThrow().id("b")).hasValue(1);
      assertThat(model.tie()).isEqualTo(Tie.NO_OUTPUT);
    }
  }

  /** state-dict.pt holds embedding.weight, and more: it is opened by its names. */
  @Test
  void theTableMayBeACheckpointOfPytorch() throws IOException {
    Path inner = Files.createDirectory(folder.resolve("0_StaticEmbedding"));
    Files.write(inner.resolve("pytorch_model.bin"), Fixture.bytes("pytorch/state-dict.pt"));
    tokenizer(inner);
    Files.writeString(folder.resolve("modules.json"), "[]");
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.input().tensor()).isEqualTo("embedding.weight");
      assertThat(model.input().table().row(1)).containsExactly(3.5f, 4.5f, 5.5f);
      assertThat(model.vocabulary().orElseThrow().id("b")).hasValue(1);
    }
  }

  /** Model2Vec's own folder goes before what sentence-transformers keeps beside it. */
  @Test
  void theOuterModelIsAskedFirst() throws IOException {
    Path inner = Files.createDirectory(folder.resolve("0_StaticEmbedding"));
    RawSafetensors.write(
        inner.resolve("model.safetensors"),
        "{" + RawSafetensors.entry("embedding.weight", "F32", "[1,2]", 0, 8) + "}",
        RawSafetensors.floats(9, 9));
    RawSafetensors.write(
        folder.resolve("model.safetensors"),
        "{" + RawSafetensors.entry("embeddings", "F32", "[2,2]", 0, 16) + "}",
        TWO_ROWS);
    Files.writeString(folder.resolve("config.json"), "{\"model_type\":\"model2vec\"}");
    tokenizer(folder);
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.origin().format()).isEqualTo("model2vec");
      assertThat(model.input().table().row(0)).containsExactly(1, 2);
    }
  }
}
