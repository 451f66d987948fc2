package dev.rowan.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.text.Resolution.Single;
import dev.rowan.text.Resolution.Unknown;
import dev.rowan.text.Tokenizer.SpecialTokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ids follow from the vocabularies below by hand: greedy longest match, lower-cased. */
class NativeTokenizerTest {
  private static final String WORDPIECE =
      """
      {"version": "1.0",
       "truncation": {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0},
       "padding": {"strategy": {"Fixed": 8}, "direction": "Right", "pad_to_multiple_of": null,
                   "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"},
       "added_tokens": [],
       "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                      "strip_accents": null, "lowercase": true},
       "pre_tokenizer": {"type": "BertPreTokenizer"},
       "post_processor": {"type": "TemplateProcessing",
         "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}},
                    {"Sequence": {"id": "A", "type_id": 0}}],
         "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
         "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]}}},
       "decoder": null,
       "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                 "max_input_chars_per_word": 100,
                 "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "the": 3, "cat": 4, "##s": 5,
                           "sat": 6}}}
      """;

  @TempDir Path folder;

  private NativeTokenizer open(String json) throws IOException {
    return NativeTokenizer.open(Files.writeString(folder.resolve("tokenizer.json"), json));
  }

  @Test
  void encodesWithoutSpecialTokens() throws IOException {
    try (NativeTokenizer tokenizer = open(WORDPIECE)) {
      assertThat(tokenizer.encode("The cats")).containsExactly(3, 4, 5);
    }
  }

  @Test
  void addsSpecialTokensWhenAsked() throws IOException {
    try (NativeTokenizer tokenizer = open(WORDPIECE)) {
      assertThat(tokenizer.encode("cat", SpecialTokens.ADD)).containsExactly(2, 4);
    }
  }

  @Test
  void neitherCutsOffNorPads() throws IOException {
    try (NativeTokenizer tokenizer = open(WORDPIECE)) {
      assertThat(tokenizer.encode("the cats sat the cat sat")).containsExactly(3, 4, 5, 6, 3, 4, 6);
      assertThat(tokenizer.encode("")).isEmpty();
    }
  }

  @Test
  void refusesAFileThatIsNoTokenizer() {
    assertThatThrownBy(() -> open("{\"model\": 1}"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("tokenizer.json")
        .hasMessageContaining("not a tokenizer that can be run");
  }

  @Test
  void namesTheTokenOfUnknownTextWhateverItIsCalled() throws IOException {
    String words =
        """
        {"version": "1.0", "added_tokens": [], "pre_tokenizer": {"type": "Whitespace"},
         "model": {"type": "WordLevel", "vocab": {"w0": 0, "w1": 1, "w2": 2}, "unk_token": "w2"}}
        """;
    Vocabulary vocabulary = Vocabulary.ofWords(List.of("w0", "w1", "w2"));
    try (NativeTokenizer tokenizer = open(words)) {
      assertThat(tokenizer.encode("nosuch")).containsExactly(2);
      assertThat(tokenizer.unknown(vocabulary)).hasValue(2);
      TokenResolver resolver =
          TokenResolver.of(Optional.of(vocabulary), 3, () -> Optional.of(tokenizer));
      assertThat(resolver.resolve("nosuch")).isInstanceOf(Unknown.class);
      assertThat(resolver.resolve("#-1")).isInstanceOf(Unknown.class);
      assertThat(resolver.resolve("w2")).isInstanceOf(Single.class);
    }
  }

  @Test
  void refusesToEncodeOnceClosed() throws IOException {
    NativeTokenizer tokenizer = open(WORDPIECE);
    tokenizer.close();
    tokenizer.close();
    assertThatThrownBy(() -> tokenizer.encode("cat")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void neverLetsTheLibraryReportItsUse() throws IOException {
    open(WORDPIECE).close();
    assertThat(System.getProperty("OPT_OUT_TRACKING")).isEqualTo("true");
    assertThat(System.getProperty("ai.djl.offline")).isEqualTo("true");
  }

  /** The library itself would answer "a b", with the ids 0 and 1. */
  @Test
  void refusesAFileThatNamesTokensAndHoldsNoMerges() {
    assertThatThrownBy(() -> open(bpe("{\"a\": 0, \"b\": 1, \"ab\": 2}", "")))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("no merges");
  }

  @Test
  void takesLettersAloneAndMergesThatAreThere() throws IOException {
    try (NativeTokenizer letters = open(bpe("{\"a\": 0, \"b\": 1}", ""))) {
      assertThat(letters.encode("ab")).containsExactly(0, 1);
    }
    try (NativeTokenizer merged = open(bpe("{\"a\": 0, \"b\": 1, \"ab\": 2}", "\"a b\""))) {
      assertThat(merged.encode("ab")).containsExactly(2);
    }
  }

  private static String bpe(String vocabulary, String merges) {
    return """
    {"version": "1.0", "added_tokens": [], "normalizer": null, "pre_tokenizer": null,
     "post_processor": null, "decoder": null,
     "model": {"type": "BPE", "vocab": %s, "merges": [%s]}}
    """
        .formatted(vocabulary, merges);
  }
}
