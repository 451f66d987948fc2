package dev.rowan.formats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Tie;
import dev.rowan.formats.GptFolder.Entry;
import dev.rowan.formats.safetensors.RawSafetensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the families of models call their tables, each with what its files hold beside them. */
class FamilyNamesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // family | input table | output table | config
        "GPT-2 | wte.weight | - | {'model_type':'gpt2'} | TIED",
        "GPT-J | transformer.wte.weight | lm_head.weight | {'model_type':'gptj'} | UNTIED",
        "Llama | model.embed_tokens.weight | lm_head.weight | {'tie_word_embeddings':false} | UNTIED",
        "small Llama | model.embed_tokens.weight | - | {'tie_word_embeddings':true} | TIED",
        "Gemma | model.embed_tokens.weight | - | {'model_type':'gemma2'} | TIED",
        "Llama .pth | tok_embeddings.weight | output.weight | {} | UNTIED",
        "Pythia | gpt_neox.embed_in.weight | embed_out.weight | {'tie_word_embeddings':false} | UNTIED",
        "BLOOM | word_embeddings.weight | - | {} | TIED",
        "Falcon | transformer.word_embeddings.weight | lm_head.weight | {} | UNTIED",
        "OPT | model.decoder.embed_tokens.weight | - | {} | TIED",
        "phi-2 | model.embed_tokens.weight | lm_head.weight | {'tie_word_embeddings':false} | UNTIED",
        "phi-1 | transformer.embd.wte.weight | lm_head.linear.weight | {} | UNTIED",
        "MPT | transformer.wte.weight | - | {} | TIED",
        "Mamba | backbone.embedding.weight | lm_head.weight | {} | UNTIED",
        "Mamba HF | backbone.embeddings.weight | - | {} | TIED",
        "BERT | bert.embeddings.word_embeddings.weight | cls.predictions.decoder.weight | {} | UNTIED",
        "RoBERTa | roberta.embeddings.word_embeddings.weight | lm_head.decoder.weight | {} | UNTIED",
        "ELECTRA | electra.embeddings.word_embeddings.weight | generator_lm_head.weight | {} | UNTIED",
        "DistilBERT | distilbert.embeddings.word_embeddings.weight | vocab_projector.weight | {} | UNTIED",
        "T5 v1.0 | shared.weight | - | {'model_type':'t5'} | TIED",
        "T5 v1.1 | shared.weight | lm_head.weight | {'tie_word_embeddings':false} | UNTIED",
        "T5 encoder | encoder.embed_tokens.weight | - | {'tie_word_embeddings':false} | NO_OUTPUT",
        "InternLM2 | model.tok_embeddings.weight | output.weight | {} | UNTIED",
        "ChatGLM | transformer.embedding.word_embeddings.weight | transformer.output_layer.weight | {} | UNTIED",
        "Grok | transformer.in_out_embed.weight | - | {} | TIED",
        "RWKV | rwkv.embeddings.weight | head.weight | {} | UNTIED",
        "Gemma 3 | language_model.model.embed_tokens.weight | - | {'text_config':{'tie_word_embeddings':true}} | TIED",
        "Qwen3-VL | model.language_model.embed_tokens.weight | lm_head.weight | {'text_config':{'vocab_size':12}} | UNTIED",
        "Llama 4 | language_model.model.embed_tokens.weight | language_model.lm_head.weight | {} | UNTIED",
        "ModernBERT | model.embeddings.tok_embeddings.weight | decoder.weight | {} | UNTIED",
        "fairseq | decoder.embed_tokens.weight | decoder.output_projection.weight | {} | UNTIED",
        "XLM | transformer.embeddings.weight | pred_layer.proj.weight | {} | UNTIED",
        "XLNet | transformer.word_embedding.weight | lm_loss.weight | {} | UNTIED",
        "first GPT | transformer.tokens_embed.weight | lm_head.weight | {} | UNTIED",
        "CTRL | transformer.w.weight | lm_head.weight | {} | UNTIED",
        "CPM-Ant | cpmant.input_embedding.weight | lm_head.weight | {'tie_word_embeddings':true} | UNTIED",
        "Marian of two languages | model.encoder.embed_tokens.weight | model.decoder.embed_tokens.weight | {'tie_word_embeddings':true} | UNTIED",
        "two BERTs | encoder.embeddings.word_embeddings.weight | decoder.bert.embeddings.word_embeddings.weight | {} | UNTIED",
        "Whisper | model.decoder.embed_tokens.weight | proj_out.weight | {} | UNTIED"
      })
  void familiesTablesAreFound(String family, String input, String output, String config, Tie tie)
      throws IOException {
    List<Entry> entries = new ArrayList<>();
    // tables that are not of tokens, as large as those that are
    entries.add(new Entry("h.0.position_embeddings.weight", 12, 7));
    entries.add(new Entry("vision_tower.embeddings.patch_embedding.weight", 12, 8));
    entries.add(new Entry("h.0.attention.output.dense.weight", 12, 9));
    entries.add(new Entry(input, 12, 0));
    if (output != null) {
      entries.add(new Entry(output, 12, 50));
    }
    GptFolder.write(folder).weights(entries).config(config.replace('\'', '"'));
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.input().tensor()).as(family).isEqualTo(input);
      assertThat(model.output().map(NamedTable::tensor).orElse(null)).as(family).isEqualTo(output);
      assertThat(model.tie()).as(family).isEqualTo(tie);
    }
  }

  /** The halves of T5 may be stored beside what they share. */
  @Test
  void sharedTableOfT5GoesBeforeItsHalves() throws IOException {
    GptFolder.write(folder)
        .weights(
            List.of(
                new Entry("decoder.embed_tokens.weight", 12, 30),
                new Entry("encoder.embed_tokens.weight", 12, 20),
                new Entry("shared.weight", 12, 0)));
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.input().tensor()).isEqualTo("shared.weight");
    }
  }

  /** The halves of T5 may be stored as copies; a translator may have two tables and a head. */
  @Test
  void tableOfTheDecoderServesAtTheOutputForLackOfAnother() throws IOException {
    Entry encoder = new Entry("model.encoder.embed_tokens.weight", 12, 0);
    GptFolder files = GptFolder.write(folder);
    files.weights(List.of(encoder, new Entry("model.decoder.embed_tokens.weight", 12, 0)));
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.tie()).isEqualTo(Tie.TIED_STORED_TWICE);
      assertThat(model.tieEvidence())
          .contains(
              "the input table \"model.encoder.embed_tokens.weight\" and the decoder's table \"model.decoder.embed_tokens.weight\", which serves at the output with the same bytes");
    }
    files.weights(List.of(encoder, new Entry("model.decoder.embed_tokens.weight", 12, 40)));
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.tieEvidence()).contains("bytes differ").doesNotContain("though");
    }
    files.config("{\"tie_word_embeddings\":false}");
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.tie()).isEqualTo(Tie.NO_OUTPUT);
    }
    files.weights(
        List.of(
            encoder,
            new Entry("lm_head.weight", 12, 70),
            new Entry("model.decoder.embed_tokens.weight", 12, 40)));
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.output().orElseThrow().tensor()).isEqualTo("lm_head.weight");
    }
  }

  @Test
  void evidenceSaysWhereTheModelItselfScoresNoTokens() throws IOException {
    GptFolder files = GptFolder.write(folder);
    files.weights(List.of(new Entry("wte.weight", 12, 0)));
    for (String silent :
        List.of("BertModel", "CLIPTextModel", "BertForSequenceClassification", "T5EncoderModel")) {
      files.config("{\"architectures\":[\"%s\"]}".formatted(silent));
      try (Lexicon model = Models.open(folder)) {
        assertThat(model.tieEvidence()).endsWith("; a " + silent + " itself scores no tokens");
      }
    }
    for (String scoring :
        List.of("GPT2LMHeadModel", "MarianMTModel", "LlamaForCausalLM", "BertForPreTraining")) {
      files.config("{\"architectures\":[\"%s\"]}".formatted(scoring));
      try (Lexicon model = Models.open(folder)) {
        assertThat(model.tieEvidence()).doesNotContain("scores no tokens");
      }
    }
    files.weights(List.of(new Entry("lm_head.weight", 12, 0)));
    files.config("{\"architectures\":[\"Wav2Vec2ForCTC\"]}");
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.tie()).isEqualTo(Tie.UNKNOWN);
      assertThat(model.tieEvidence()).contains("which hears, has no input table");
    }
  }

  @Test
  void codebooksAndPackedOutputsAreSeen() throws IOException {
    GptFolder files = GptFolder.write(folder);
    Entry input = new Entry("model.embed_tokens.weight", 12, 0);
    files.weights(List.of(input, new Entry("model.vqmodel.quantize.embedding.weight", 12, 30)));
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.input().tensor()).isEqualTo("model.embed_tokens.weight");
    }
    files.weights(List.of(input, new Entry("lm_head.qweight", 3, 30)));
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
      assertThat(model.tieEvidence()).contains("packed by a quantizer as \"lm_head.qweight\"");
    }
  }

  /** GPT-J's output has a bias, and 50,400 rows for 50,257 tokens. */
  @Test
  void biasOfTheOutputIsNoTable() throws IOException {
    RawSafetensors.write(
        folder.resolve("model.safetensors"),
        "{"
            + String.join(
                ",",
                RawSafetensors.entry("lm_head.bias", "F32", "[2]", 0, 8),
                RawSafetensors.entry("lm_head.weight", "F32", "[2,1]", 8, 16),
                RawSafetensors.entry("transformer.wte.weight", "F32", "[2,1]", 16, 24))
            + "}",
        RawSafetensors.floats(1, 2, 3, 4, 5, 6));
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.output().orElseThrow().tensor()).isEqualTo("lm_head.weight");
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
    }
  }

  /** OPT-350m has rows of 512 numbers in a model of 1,024. */
  @Test
  void rowsMayBeNarrowerThanTheModel() throws IOException {
    GptFolder.write(folder)
        .weights(List.of(new Entry("model.decoder.embed_tokens.weight", 12, 0)))
        .config("{\"model_type\":\"opt\",\"hidden_size\":8,\"word_embed_proj_dim\":4}");
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.input().table().width()).isEqualTo(4);
      assertThat(model.tie()).isEqualTo(Tie.TIED);
    }
  }

  /**
   * safetensors knows the 8-bit floats; their scales are tensors of their own, which we do not use.
   */
  @ParameterizedTest
  @CsvSource({"F8_E4M3, 8", "F8_E5M2, 8", "U8, 8", "I16, 16", "F64, 64"})
  void tablesOfOtherNumbersAreReadOrNamed(String dtype, int bits) throws IOException {
    RawSafetensors.write(
        folder.resolve("model.safetensors"),
        "{" + RawSafetensors.entry("wte.weight", dtype, "[2,2]", 0, 4L * bits / 8) + "}",
        new byte[4 * bits / 8]);
    if (dtype.equals("F64")) {
      try (Lexicon model = Models.open(folder)) {
        assertThat(model.input().table().row(1)).containsExactly(0, 0);
      }
    } else {
      org.assertj.core.api.Assertions.assertThatThrownBy(() -> Models.open(folder))
          .hasMessageContaining("is stored as " + dtype + ", which cannot be read");
    }
  }
}
