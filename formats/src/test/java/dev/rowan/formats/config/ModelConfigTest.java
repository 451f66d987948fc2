package dev.rowan.formats.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.file.FormatException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelConfigTest {
  private static ModelConfig read(String json) {
    return ModelConfig.read(
        Path.of("config.json"), MemorySegment.ofArray(json.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void readsWhatConcernsTheTable() {
    ModelConfig config =
        read(
            """
            {"architectures":["LlamaForCausalLM"],"model_type":"llama","vocab_size":128256,
             "hidden_size":2048,"tie_word_embeddings":true,"rope_scaling":{"factor":32.0},
             "eos_token_id":[1,2],"attn_logit_cap":Infinity}
            """);

    assertThat(config.architecture()).contains("llama");
    assertThat(config.architectures()).containsExactly("LlamaForCausalLM");
    assertThat(config.vocabularySize()).hasValue(128256);
    assertThat(config.hiddenSize()).hasValue(2048);
    assertThat(config.tie()).isEqualTo(TieSetting.TIED);
  }

  @Test
  void looksIntoTheTextConfigOnlyForWhatTheRootDoesNotSay() {
    ModelConfig config =
        read(
            """
            {"model_type":"gemma3","text_config":{"model_type":"gemma3_text","vocab_size":262208,
             "hidden_size":2560,"tie_word_embeddings":false},"vision_config":{"hidden_size":1152}}
            """);

    assertThat(config.architecture()).contains("gemma3");
    assertThat(config.vocabularySize()).hasValue(262208);
    assertThat(config.hiddenSize()).hasValue(2560);
    assertThat(config.tie()).isEqualTo(TieSetting.TEXT_UNTIED);
    assertThat(config.tie().deniesTie()).isTrue();
  }

  @Test
  void passesOverValuesOfAnotherKind() {
    ModelConfig config =
        read(
            """
            {"model_type":{"x":1},"architectures":"none","vocab_size":null,"hidden_size":[768],
             "tie_word_embeddings":"yes","text_config":null}
            """);

    assertThat(config)
        .isEqualTo(
            new ModelConfig(
                java.util.Optional.empty(),
                java.util.List.of(),
                java.util.OptionalLong.empty(),
                java.util.OptionalLong.empty(),
                TieSetting.SILENT));
  }

  /** Gemma, MiniCPM, Granite and BART scale when they run; the stored rows are unscaled. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'model_type':'gemma2'} | a gemma2 model multiplies its input rows by the square root",
        "{'model_type':'recurrent_gemma'} | a recurrent_gemma model multiplies its input rows by the square root",
        "{'model_type':'ctrl'} | a ctrl model multiplies its input rows by the square root",
        "{'model_type':'t5'} | a tied t5 model divides its scores by the square root",
        "{'lm_head_multiplier':0.5} | multiplies its scores by 0.5 (lm_head_multiplier)",
        "{'model_type':'minicpm','scale_emb':12} | multiplies its input rows by 12 (scale_emb)",
        "{'embedding_multiplier':12.0} | multiplies its input rows by 12.0 (embedding_multiplier)",
        "{'logits_scaling':8.0} | divides its scores by 8.0 (logits_scaling)",
        "{'text_config':{'logit_scale':0.0625}} | multiplies its scores by 0.0625 (logit_scale)",
        "{'scale_embedding':true} | by the square root of the width (scale_embedding)"
      })
  void notesFactorsThatTheModelAppliesWhenItRuns(String config, String note) {
    assertThat(read(config.replace('\'', '"')).notes())
        .singleElement()
        .asString()
        .startsWith("at run time")
        .contains(note);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"model_type\":\"llama\"}",
        "{\"model_type\":\"t5\",\"tie_word_embeddings\":false}",
        "{\"scale_embedding\":false,\"logit_scale\":1.0,\"scale_emb\":null}",
        "{\"embedding_multiplier\":\"x\",\"logits_scaling\":[1]}"
      })
  void notesNoFactorWhereThereIsNone(String config) {
    assertThat(read(config).notes()).isEmpty();
  }

  @Test
  void refusesWhatIsNotAnObject() {
    assertThatThrownBy(() -> read("[]"))
        .isInstanceOf(FormatException.class)
        .hasMessage("config.json: the config should be an object but is an array (at byte 1)");
    assertThatThrownBy(() -> read("{\"model_type\":\"gpt2\""))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("ends too early; the file looks cut off");
  }
}
