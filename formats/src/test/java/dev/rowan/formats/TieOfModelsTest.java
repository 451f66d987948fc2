package dev.rowan.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Tie;
import dev.rowan.formats.GptFolder.Entry;
import dev.rowan.formats.safetensors.RawSafetensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tied or not, and what counts as an output table. */
class TieOfModelsTest {
  private static final Entry INPUT = new Entry("wte.weight", 12, 0);

  private static final Entry SAME_HEAD = new Entry("lm_head.weight", 12, 0);

  private static final Entry OTHER_HEAD = new Entry("lm_head.weight", 12, 50);

  @TempDir Path folder;

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

  /** A language model of one's own: an embedding, an LSTM, a linear layer. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fc.weight | none | UNKNOWN | \"fc.weight\" has the same shape and may be it; there is no config.json",
        "fc.weight | {} | UNKNOWN | config.json does not say",
        "fc.weight | {'tie_word_embeddings':false} | UNKNOWN | tie_word_embeddings = false",
        "fc.weight | {'tie_word_embeddings':true} | TIED | serves at both ends",
        "decoder.2.weight | none | UNKNOWN | \"decoder.2.weight\" has the same shape",
        "h.0.mlp.fc.weight | none | TIED | serves at both ends",
        "position_embeddings.weight | none | TIED | serves at both ends",
        "decoder.embed_tokens.weight | none | TIED | serves at both ends"
      },
      quoteCharacter = '`')
  void anUnnamedTableOfTheSameShapeLeavesTheTieOpen(
      String other, String config, Tie tie, String evidence) throws IOException {
    GptFolder model = GptFolder.write(folder);
    model.weights(List.of(new Entry("embedding.weight", 12, 0), new Entry(other, 12, 50)));
    if (config.equals("none")) {
      model.withoutConfig();
    } else {
      model.config(config.replace('\'', '"'));
    }
    try (Lexicon lexicon = Models.open(folder)) {
      assertThat(lexicon.tie()).isEqualTo(tie);
      assertThat(lexicon.tieEvidence()).contains(evidence);
      assertThat(lexicon.output()).isEmpty();
    }
  }

  /** PyTorch's own example calls its input table "encoder" and its output table "decoder". */
  @Test
  void anOutputTableBesideAnUnnamedTwinIsNotTakenForTheInput() throws IOException {
    GptFolder.write(folder)
        .weights(List.of(new Entry("encoder.weight", 12, 0), new Entry("decoder.weight", 12, 50)))
        .withoutConfig();
    assertThatThrownBy(() -> Models.open(folder))
        .hasMessageContaining("encoder.weight [12 × 4], decoder.weight [12 × 4]");
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

  /** The same numbers as bf16 and f32, where bf16 is the upper half of f32; or one of them more. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "4 | TIED_STORED_TWICE | one as bf16 and one as f32, with the same numbers",
        "4.0000005 | UNTIED | one as bf16 and one as f32, whose numbers differ from row 1 on",
      })
  void comparesTablesInTwoNumberFormatsByTheirNumbers(float last, Tie tie, String evidence)
      throws IOException {
    byte[] table = RawSafetensors.shorts(0x3F80, 0xC000, 0x4040, 0x4080);
    byte[] output = RawSafetensors.floats(1, -2, 3, last);
    byte[] data = Arrays.copyOf(table, table.length + output.length);
    System.arraycopy(output, 0, data, table.length, output.length);
    RawSafetensors.write(
        folder.resolve("model.safetensors"),
        "{%s,%s}"
            .formatted(
                RawSafetensors.entry("wte.weight", "BF16", "[2,2]", 0, 8),
                RawSafetensors.entry("lm_head.weight", "F32", "[2,2]", 8, 24)),
        data);
    try (Lexicon lexicon = Models.open(folder)) {
      assertThat(lexicon.tie()).isEqualTo(tie);
      assertThat(lexicon.tieEvidence()).contains(evidence);
      assertThat(lexicon.output().orElseThrow().table().row(1)).containsExactly(3, last);
      assertThat(lexicon.modelParameters()).hasValue(tie.isTied() ? 4 : 8);
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
                  + " format (2 × 1 f32, 2 × 1 i8)");
      assertThat(model.notes())
          .containsExactly(
              "the output table \"lm_head.weight\" is stored as I8, which cannot be read; it is left"
                  + " out");
    }
  }
}
