package dev.rowan.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.formats.GptFolder.Entry;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.safetensors.RawSafetensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which tensor is the table, and how its numbers are stored. */
class TableOfModelsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "wte.weight",
        "transformer.wte.weight",
        "model.embed_tokens.weight",
        "language_model.model.embed_tokens.weight",
        "model.language_model.embed_tokens.weight",
        "model.decoder.embed_tokens.weight",
        "tok_embeddings.weight",
        "model.tok_embeddings.weight",
        "gpt_neox.embed_in.weight",
        "word_embeddings.weight",
        "transformer.word_embeddings.weight",
        "bert.embeddings.word_embeddings.weight",
        "roberta.embeddings.word_embeddings.weight",
        "transformer.embedding.word_embeddings.weight",
        "transformer.embd.wte.weight",
        "backbone.embedding.weight",
        "backbone.embeddings.weight",
        "rwkv.embeddings.weight",
        "shared.weight",
        "transformer.in_out_embed.weight",
        "embedding.weight",
        "embeddings",
        "module.transformer.wte.weight"
      })
  void findsTheInputTableUnderAnyPrefix(String name) throws IOException {
    // vllm pull request 271, onnxruntime/mobius pull request 113: wte and transformer.wte
    GptFolder.write(folder)
        .weights(
            List.of(
                new Entry("h.0.position_embeddings.weight", 12, 7),
                new Entry("h.0.token_type_embeddings.weight", 12, 8),
                new Entry("h.0.mlp.weight", 12, 9),
                new Entry("h.0.attention.output.weight", 12, 9),
                new Entry(name, 12, 0)));

    try (Lexicon model = Models.open(folder)) {
      assertThat(model.input().tensor()).isEqualTo(name);
      assertThat(model.output()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"BF16,0x3F80,0xC020,0x7F80", "F16,0x3C00,0xC100,0x7C00"})
  void decodesHalfWidthTables(String dtype, String one, String minusTwoAndAHalf, String infinity)
      throws IOException {
    // safetensors issue 598: BF16 "data type not understood"
    byte[] data =
        RawSafetensors.shorts(
            Integer.decode(one), Integer.decode(minusTwoAndAHalf), Integer.decode(infinity), 0);
    Path file =
        RawSafetensors.write(
            folder.resolve("half.safetensors"),
            "{" + RawSafetensors.entry("wte.weight", dtype, "[2,2]", 0, 8) + "}",
            data);

    try (Lexicon half = Models.open(file)) {
      assertThat(half.input().table().row(0)).containsExactly(1f, -2.5f);
      assertThat(half.input().table().row(1)).containsExactly(Float.POSITIVE_INFINITY, 0f);
      assertThat(half.vocabulary()).isEmpty();
      assertThat(half.rowsWithoutToken()).isZero();
    }
  }

  @Test
  void roundsDoubleWidthTablesToFloats() throws IOException {
    byte[] third = {0x55, 0x55, 0x55, 0x55, 0x55, 0x55, (byte) 0xD5, 0x3F}; // 1/3 as binary64
    RawSafetensors.write(
        folder.resolve("model.safetensors"),
        "{" + RawSafetensors.entry("embeddings", "F64", "[1,1]", 0, 8) + "}",
        third);

    try (Lexicon model = Models.open(folder)) {
      assertThat(model.input().table().row(0)).containsExactly(0.33333334f);
    }
  }

  @Test
  void readsRowsAtAnyAddress() throws IOException {
    String header = "{" + RawSafetensors.entry("x", "U8", "[1]", 0, 1) + ",";
    byte[] data = new byte[9];
    System.arraycopy(RawSafetensors.floats(1.5f, -3f), 0, data, 1, 8);
    for (String pad : List.of("", " ", "  ", "   ")) {
      RawSafetensors.write(
          folder.resolve("model.safetensors"),
          header + RawSafetensors.entry("wte.weight", "F32", "[2,1]", 1, 9) + "}" + pad,
          data);
      try (Lexicon model = Models.open(folder)) {
        assertThat(model.input().table().row(1)).containsExactly(-3f);
      }
    }
  }

  @Test
  void refusesATableOfWholeNumbersByName() throws IOException {
    RawSafetensors.write(
        folder.resolve("model.safetensors"),
        "{" + RawSafetensors.entry("wte.weight", "I8", "[2,2]", 0, 4) + "}",
        new byte[4]);

    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage(
            "model.safetensors: the table \"wte.weight\" is stored as I8, which cannot be read;"
                + " f32, f16, bf16, f64 and most GGUF blocks can");
  }

  @Test
  void choosesTheTableNearestTheExpectedRows() throws IOException {
    List<Entry> two =
        List.of(new Entry("audio.embed_tokens.weight", 30, 5), new Entry("text.wte.weight", 11, 0));
    GptFolder model =
        GptFolder.write(folder).weights(two).config("{\"text_config\":{\"vocab_size\":29}}");
    try (Lexicon byConfig = Models.open(folder)) {
      assertThat(byConfig.input().tensor()).isEqualTo("audio.embed_tokens.weight");
    }

    model.withoutConfig(); // the tokenizer has 10 tokens
    try (Lexicon byTokenizer = Models.open(folder)) {
      assertThat(byTokenizer.input().tensor()).isEqualTo("text.wte.weight");
    }
  }

  @Test
  void skipsTensorsThatAreNotTables() throws IOException {
    RawSafetensors.write(
        folder.resolve("model.safetensors"),
        "{"
            + String.join(
                ",",
                RawSafetensors.entry("a.wte.weight", "F32", "[2]", 0, 8),
                RawSafetensors.entry("b.wte.weight", "F32", "[0,4]", 8, 8),
                RawSafetensors.entry("c.wte.weight", "F32", "[2,1,1]", 8, 16),
                RawSafetensors.entry("model.embed_tokens.weight", "F32", "[2,1]", 16, 24))
            + "}",
        RawSafetensors.floats(1, 2, 3, 4, 5, 6));

    try (Lexicon model = Models.open(folder)) {
      assertThat(model.input().tensor()).isEqualTo("model.embed_tokens.weight");
    }
    assertThatThrownBy(() -> Models.open(folder, OpenOptions.DEFAULT.withTensor("a.wte.weight")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "tensor \"a.wte.weight\" has shape 2; a table has two dimensions, rows × width, neither"
                + " of them 0");
    assertThatThrownBy(() -> Models.open(folder, OpenOptions.DEFAULT.withTensor("b.wte.weight")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has shape 0 × 4");
  }

  @Test
  void takesTheTensorThatTheUserNames() throws IOException {
    GptFolder.write(folder);

    try (Lexicon model = Models.open(folder, OpenOptions.DEFAULT.withTensor("wpe.weight"))) {
      assertThat(model.input().tensor()).isEqualTo("wpe.weight");
      assertThat(model.tie()).isEqualTo(Tie.UNKNOWN);
      assertThat(model.tieEvidence()).contains("chosen by name");
    }
    assertThatThrownBy(() -> Models.open(folder, OpenOptions.DEFAULT.withTensor("nope")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "there is no tensor \"nope\" in model.safetensors; those with rows are:"
                + " wte.weight [12 × 4], wpe.weight [3 × 4]");
  }

  @Test
  void takesAnUnknownNameOnlyIfItsRowsFit() throws IOException {
    GptFolder model =
        GptFolder.write(folder)
            .weights(List.of(new Entry("strange", 12, 0), new Entry("mlp", 5, 0)));
    try (Lexicon lexicon = Models.open(folder)) {
      assertThat(lexicon.input().tensor()).isEqualTo("strange");
      assertThat(lexicon.notes()).singleElement().asString().contains("\"strange\" was taken");
    }

    model.weights(List.of(new Entry("strange", 12, 0), new Entry("mlp", 12, 0)));
    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(FormatException.class)
        .hasMessage(
            "model.safetensors: no tensor has a name that says it is a token table; choose one by"
                + " name, those with rows are: strange [12 × 4], mlp [12 × 4]");
  }
}
