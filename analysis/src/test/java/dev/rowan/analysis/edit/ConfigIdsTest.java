package dev.rowan.analysis.edit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.formats.json.JsonTree;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ids in the places where configs of Transformers have them. */
class ConfigIdsTest {
  /** Ids 100 and up move down by 90, 30 has gone, others stay; expected texts by hand. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "eos_token_id | 100 | 10",
        "eos_token_id | [100,30,5] | [10,5]",
        "pad_token_id | 30 | null",
        "pad_token_id | -1 | -1",
        "suppress_tokens | [30,101] | [11]",
        "bad_words_ids | [[100],[5,30],[5,6]] | [[10],[5,6]]",
        "force_words_ids | [[[100],[5,30]],[[30]]] | [[[10]]]",
        "forced_decoder_ids | [[5,100],[100,5],[7,30],[1,null]] | [[5,10],[100,5],[1,null]]",
        "sequence_bias | [[[100,5],-1.5],[[30],100]] | [[[10,5],-1.5]]",
        "lang_to_id | {'<en>':100,'<de>':30} | {'<en>':10}",
        "task_to_id | {'translate':5} | {'translate':5}"
      })
  void idsGetTheirNewNumbers(String name, String before, String after) {
    assertThat(ConfigIds.holds(name)).isTrue();
    String text = "{\"%s\":%s}".formatted(name, before.replace('\'', '"'));
    JsonTree.Members root =
        JsonTree.read(
            Path.of("config.json"), MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)));
    root.put(
        name,
        ConfigIds.mapped(
            name, root.find(name).orElseThrow(), id -> id == 30 ? -1 : id < 100 ? id : id - 90));
    assertThat(new String(root.text(JsonTree.Layout.COMPACT), StandardCharsets.UTF_8))
        .isEqualTo("{\"%s\":%s}".formatted(name, after.replace('\'', '"')));
  }

  @ParameterizedTest
  @CsvSource({"num_beams", "max_length", "alignment_heads", "no_speech_threshold", "label2id"})
  void otherSettingsHoldNone(String name) {
    assertThat(ConfigIds.holds(name)).isFalse();
  }
}
