package dev.rowan.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Spelling;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.GptFolder.Entry;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.safetensors.RawSafetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelsTest {
  private static final Entry INPUT = new Entry("wte.weight", 12, 0);
  private static final Entry SAME_HEAD = new Entry("lm_head.weight", 12, 0);
  private static final Entry OTHER_HEAD = new Entry("lm_head.weight", 12, 50);

  @TempDir Path folder;

  @Test
  void opensAFolderInTheShapeOfGpt2() throws IOException {
    GptFolder.write(folder);

    try (Lexicon gpt2 = Models.open(folder)) {
      assertThat(gpt2.input().tensor()).isEqualTo("wte.weight");
      assertThat(gpt2.input().table().rows()).isEqualTo(GptFolder.ROWS);
      assertThat(gpt2.input().table().width()).isEqualTo(GptFolder.WIDTH);
      for (int i = 0; i < GptFolder.ROWS; i++) {
        assertThat(gpt2.input().table().row(i)).isEqualTo(GptFolder.plantedRow(i));
      }
      assertThat(gpt2.output()).isEmpty();
      assertThat(gpt2.tie()).isEqualTo(Tie.TIED);
      assertThat(gpt2.tieEvidence())
          .isEqualTo(
              "the file holds no output table, so the input table serves at both ends;"
                  + " config.json does not say whether the tables are tied");
      assertThat(gpt2.origin().format()).isEqualTo("safetensors");
      assertThat(gpt2.origin().architecture()).contains("gpt2");
      assertThat(gpt2.origin().path()).isEqualTo(folder);
      assertThat(gpt2.modelParameters()).isEqualTo(OptionalLong.of(12 * 4 + 3 * 4));
      assertThat(gpt2.notes()).isEmpty();
    }
  }

  @Test
  void showsWordsWithAndWithoutTheirSpaceApart() throws IOException {
    GptFolder.write(folder); // huggingface/transformers issue 2666: "can" and " can"

    try (Lexicon gpt2 = Models.open(folder)) {
      Vocabulary vocabulary = gpt2.vocabulary().orElseThrow();
      assertThat(vocabulary.spelling()).isEqualTo(Spelling.BYTE_LEVEL);
      assertThat(vocabulary.id("Ġcat")).hasValue(GptFolder.SPACE_CAT);
      assertThat(vocabulary.id("cat")).hasValue(GptFolder.CAT);
      assertThat(vocabulary.text(GptFolder.SPACE_CAT)).isEqualTo(" cat");
      assertThat(vocabulary.text(GptFolder.CAT)).isEqualTo("cat");
      assertThat(vocabulary.text(6)).isEqualTo("\n");
      assertThat(vocabulary.text(7)).isEqualTo("í");
      assertThat(vocabulary.isAdded(9)).isTrue();
    }
  }

  @Test
  void opensWhenTokensAndRowsDifferInNumber() throws IOException {
    GptFolder model = GptFolder.write(folder); // llama.cpp issues 4958, 5910, 8445
    try (Lexicon fewerTokens = Models.open(folder)) {
      assertThat(fewerTokens.rowsWithoutToken()).isEqualTo(2);
      assertThat(fewerTokens.text(11)).isEqualTo("[no token 11]");
    }

    model.weights(List.of(new Entry("wte.weight", 6, 0)));
    try (Lexicon moreTokens = Models.open(folder)) {
      assertThat(moreTokens.rowsWithoutToken()).isZero();
      assertThat(moreTokens.vocabulary().orElseThrow().tokens()).isEqualTo(10);
    }
  }

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
  @ValueSource(
      strings = {
        "lm_head.weight",
        "language_model.lm_head.weight",
        "embed_out.weight",
        "output.weight",
        "model.output.weight",
        "head.weight",
        "lm_head.decoder.weight",
        "cls.predictions.decoder.weight",
        "vocab_projector.weight",
        "transformer.output_layer.weight"
      })
  void findsTheOutputTableUnderAnyPrefix(String name) throws IOException {
    GptFolder.write(folder).weights(List.of(INPUT, new Entry(name, 12, 50)));

    try (Lexicon model = Models.open(folder)) {
      assertThat(model.output()).map(NamedTable::tensor).contains(name);
      assertThat(model.output().orElseThrow().table().row(0)).isEqualTo(GptFolder.plantedRow(50));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // what the file holds | config | the tie | what the evidence says
        "absent | {'tie_word_embeddings':true} | TIED | tie_word_embeddings = true",
        "absent | {} | TIED | does not say",
        "absent | none | TIED | there is no config.json",
        "absent | {'tie_word_embeddings':false} | NO_OUTPUT | holds no output table, and config.json says tie_word_embeddings = false",
        "absent | {'text_config':{'tie_word_embeddings':true}} | TIED | text_config.tie_word_embeddings = true",
        "absent | {'text_config':{'tie_word_embeddings':false}} | NO_OUTPUT | text_config.tie_word_embeddings = false",
        "absent | {'text_config':{'tie_word_embeddings':false},'tie_word_embeddings':true} | TIED | says tie_word_embeddings = true",
        "absent | {'tie_word_embeddings':null} | TIED | does not say",
        "same | {'tie_word_embeddings':true} | TIED_STORED_TWICE | with the same bytes",
        "same | {} | TIED_STORED_TWICE | with the same bytes",
        "same | none | TIED_STORED_TWICE | with the same bytes",
        "same | {'tie_word_embeddings':false} | TIED_STORED_TWICE | with the same bytes, though config.json says tie_word_embeddings = false",
        "same | {'text_config':{'tie_word_embeddings':true}} | TIED_STORED_TWICE | with the same bytes",
        "other | {'tie_word_embeddings':true} | UNTIED | differ from byte 2 on, though config.json says tie_word_embeddings = true",
        "other | {} | UNTIED | differ from byte 2 on",
        "other | none | UNTIED | differ from byte 2 on",
        "other | {'tie_word_embeddings':false} | UNTIED | differ from byte 2 on",
        "other | {'text_config':{'tie_word_embeddings':true}} | UNTIED | though config.json says text_config.tie_word_embeddings = true",
        "only output | {'tie_word_embeddings':true} | TIED | holds only \"lm_head.weight\", so it serves at both ends",
        "only output | {} | TIED | holds only \"lm_head.weight\"",
        "only output | none | TIED | holds only \"lm_head.weight\"",
        "only output | {'tie_word_embeddings':false} | UNKNOWN | its input table is missing"
      },
      quoteCharacter = '`')
  void decidesTheTieByTheFileFirst(String file, String config, Tie tie, String evidence)
      throws IOException {
    GptFolder model = GptFolder.write(folder);
    model.weights(
        switch (file) {
          case "absent" -> List.of(INPUT);
          case "same" -> List.of(INPUT, SAME_HEAD);
          case "other" -> List.of(INPUT, OTHER_HEAD);
          case "only output" -> List.of(OTHER_HEAD);
          default -> throw new IllegalArgumentException(file);
        });
    if (config.equals("none")) {
      model.withoutConfig();
    } else {
      model.config(config.replace('\'', '"'));
    }

    try (Lexicon lexicon = Models.open(folder)) {
      assertThat(lexicon.tie()).isEqualTo(tie);
      assertThat(lexicon.tieEvidence()).contains(evidence);
    }
  }

  @Test
  void countsATableStoredTwiceOnce() throws IOException {
    GptFolder model = GptFolder.write(folder).weights(List.of(INPUT, SAME_HEAD));
    try (Lexicon twice = Models.open(folder)) {
      assertThat(twice.origin().storedParameters()).hasValue(96);
      assertThat(twice.modelParameters()).hasValue(48);
    }

    model.weights(List.of(INPUT, OTHER_HEAD));
    try (Lexicon two = Models.open(folder)) {
      assertThat(two.modelParameters()).hasValue(96);
    }
  }

  @Test
  void treatsAReSavedModelWithoutItsHeadAsTied() throws IOException {
    // transformers issue 30202: Qwen1.5-0.5B saved again, lm_head gone
    GptFolder.write(folder)
        .weights(List.of(new Entry("model.embed_tokens.weight", 12, 0)))
        .config("{\"model_type\":\"qwen2\",\"tie_word_embeddings\":true}");

    try (Lexicon qwen = Models.open(folder)) {
      assertThat(qwen.tie()).isEqualTo(Tie.TIED);
      assertThat(qwen.output()).isEmpty();
    }
  }

  @Test
  void usesTheOutputTableWhereTheInputNameWasDropped() throws IOException {
    // transformers issues 38870 and 41038, llama.cpp pull request 12456 (CodeShell)
    GptFolder.write(folder).weights(List.of(OTHER_HEAD));

    try (Lexicon model = Models.open(folder)) {
      assertThat(model.input().tensor()).isEqualTo("lm_head.weight");
      assertThat(model.input().table().row(1)).isEqualTo(GptFolder.plantedRow(51));
      assertThat(model.output()).isEmpty();
      assertThat(model.notes())
          .containsExactly(
              "there is no input table in the file; the output table \"lm_head.weight\""
                  + " stands in for it");
    }
  }

  @Test
  void reportsAnEmbeddingModelsOutputAsAbsent() throws IOException {
    // QwenLM/Qwen3-VL-Embedding issue 89
    GptFolder.write(folder)
        .weights(List.of(new Entry("model.language_model.embed_tokens.weight", 12, 0)))
        .config("{\"tie_word_embeddings\":false,\"text_config\":{\"vocab_size\":12}}");

    try (Lexicon model = Models.open(folder)) {
      assertThat(model.tie()).isEqualTo(Tie.NO_OUTPUT);
      assertThat(model.output()).isEmpty();
      assertThat(model.input().table().rows()).isEqualTo(12);
    }
  }

  @Test
  void doesNotCallTwoDifferentTablesTiedWhereTheConfigIsSilent() throws IOException {
    // stepfun-ai/Step-Audio-EditX issue 38
    GptFolder.write(folder).weights(List.of(INPUT, OTHER_HEAD)).config("{}");

    try (Lexicon model = Models.open(folder)) {
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
      assertThat(model.tie().isTied()).isFalse();
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

  @Test
  void takesAnotherTokenizer() throws IOException {
    GptFolder.write(folder);
    Path other = folder.resolve("other.json");
    Files.writeString(other, "{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"x\":0}}}");

    try (Lexicon model = Models.open(folder, OpenOptions.DEFAULT.withTokenizer(other))) {
      assertThat(model.vocabulary().orElseThrow().stored(0)).isEqualTo("x");
    }
    Path missing = folder.resolve("missing.json");
    assertThatThrownBy(() -> Models.open(folder, OpenOptions.DEFAULT.withTokenizer(missing)))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("missing.json");
  }

  @Test
  void readsTheVocabularyOnlyWhenAskedFor() throws IOException {
    GptFolder.write(folder).tokenizer("{broken");

    try (Lexicon model = Models.open(folder)) {
      assertThat(model.input().table().row(2)).isEqualTo(GptFolder.plantedRow(2));
      assertThatThrownBy(model::vocabulary)
          .isInstanceOf(FormatException.class)
          .hasMessageStartingWith("tokenizer.json: is not valid JSON");
    }
  }

  @Test
  void picksUpCompanionsBesideAFile() throws IOException {
    GptFolder.write(folder);

    try (Lexicon model = Models.open(folder.resolve("model.safetensors"))) {
      assertThat(model.vocabulary()).isPresent();
      assertThat(model.origin().architecture()).contains("gpt2");
    }
  }

  @Test
  void saysWhatItLookedForInAFolderWithoutAModel() throws IOException {
    Files.writeString(folder.resolve("README.md"), "hello");

    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(
            "holds no model; looked for model.safetensors, model.safetensors.index.json,"
                + " model.onnx");
  }

  @Test
  void namesTheKindOfWeightsThatItCannotRead() throws IOException {
    Files.write(folder.resolve("model.msgpack"), new byte[] {1, 2, 3});

    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("holds weights only as model.msgpack");
  }

  @Test
  void saysWhatToDoWithColumns() throws IOException {
    Path parquet = Files.writeString(folder.resolve("a.parquet"), "PAR1....PAR1");
    assertThatThrownBy(() -> Models.open(parquet))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("a.parquet: is a Parquet file")
        .hasMessageEndingWith("save the table in Python with numpy.save and open the .npy");
    Path arrow = Files.writeString(folder.resolve("a.arrow"), "ARROW1\0\0....");
    assertThatThrownBy(() -> Models.open(arrow))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("a.arrow: is an Arrow file");
  }

  @Test
  void saysThatAPointerIsNotTheWeights() throws IOException {
    Files.writeString(
        folder.resolve("model.safetensors"),
        "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 548105171\n");

    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("model.safetensors: starts with \"version https://git-lfs\"")
        .hasMessageContaining("git lfs pull");
  }

  @Test
  void saysThatThereIsNoSuchFile() {
    assertThatThrownBy(() -> Models.open(folder.resolve("nowhere")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("there is no such file or folder");
  }

  @Test
  void leavesAnOutputTableOutThatItCannotRead() throws IOException {
    RawSafetensors.write(
        folder.resolve("model.safetensors"),
        "{"
            + RawSafetensors.entry("wte.weight", "F32", "[2,1]", 0, 8)
            + ","
            + RawSafetensors.entry("lm_head.weight", "I8", "[2,1]", 8, 10)
            + "}",
        new byte[10]);

    try (Lexicon model = Models.open(folder)) {
      assertThat(model.output()).isEmpty();
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
      assertThat(model.tieEvidence())
          .isEqualTo(
              "the file holds \"wte.weight\" and \"lm_head.weight\", which differ in shape or number"
                  + " format (2 × 1 F32, 2 × 1 I8)");
      assertThat(model.notes())
          .containsExactly(
              "the output table \"lm_head.weight\" is stored as I8, which cannot be read; it is left"
                  + " out");
    }
  }

  @Test
  void closesOnceHoweverOftenItIsAsked() throws IOException {
    GptFolder.write(folder);
    Lexicon model = Models.open(folder);

    model.close();
    model.close();

    assertThatThrownBy(() -> model.input().table().row(0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void listsAllTensors() throws IOException {
    GptFolder.write(folder);

    Inventory inventory = Models.tensors(folder);

    assertThat(inventory.format()).isEqualTo("safetensors");
    assertThat(inventory.tensors())
        .extracting(tensor -> tensor.name() + " " + tensor.shapeText() + tensor.dtype().label())
        .containsExactly("wte.weight 12 × 4F32", "wpe.weight 3 × 4F32");
    assertThat(inventory.storedParameters()).hasValue(60);
  }

  @Test
  void leavesBuffersOutOfTheParameters() throws IOException {
    // GPT-2's official file: causal masks are f32 but not learnt; positions are whole numbers
    RawSafetensors.write(
        folder.resolve("model.safetensors"),
        "{"
            + String.join(
                ",",
                RawSafetensors.entry("wte.weight", "F32", "[1,2]", 0, 8),
                RawSafetensors.entry("h.0.attn.bias", "F32", "[1,1,2,2]", 8, 24),
                RawSafetensors.entry("h.0.attn.c_attn.bias", "F32", "[1]", 24, 28),
                RawSafetensors.entry("position_ids", "I64", "[1,2]", 28, 44))
            + "}",
        new byte[44]);

    assertThat(Models.tensors(folder).storedParameters()).hasValue(3);
  }

  @Test
  void doesNotCountParametersOfPackedWeights() throws IOException {
    RawSafetensors.write(
        folder.resolve("model.safetensors"),
        "{"
            + RawSafetensors.entry("wte.weight", "F32", "[1,2]", 0, 8)
            + ","
            + RawSafetensors.entry("h.0.qweight", "I32", "[1,2]", 8, 16)
            + "}",
        new byte[16]);

    assertThat(Models.tensors(folder).storedParameters()).isEmpty();
  }
}
