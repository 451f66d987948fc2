package dev.rowan.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.tokenizer.TokenizerFile;
import dev.rowan.formats.tokenizer.TokenizerJson;
import dev.rowan.text.Resolution.Several;
import dev.rowan.text.Resolution.Single;
import dev.rowan.text.Resolution.Unknown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokenizer files that say one thing and hold another. */
class TokenizerTrapsTest {
  @TempDir Path folder;

  private Path file(String processor, String unknown) throws IOException {
    return Files.writeString(
        folder.resolve("tokenizer.json"),
        """
        {"version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
         "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                        "strip_accents": null, "lowercase": true},
         "pre_tokenizer": {"type": "BertPreTokenizer"},
         "post_processor": %s,
         "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
         "model": {"type": "WordPiece", "unk_token": "%s", "continuing_subword_prefix": "##",
                   "max_input_chars_per_word": 100,
                   "vocab": {"[PAD]": 0, "[UNK]": 1, "×": 2, "ß": 3, "cat": 4, "##s": 5}}}
        """
            .formatted(processor, unknown));
  }

  private Resolution resolve(Path file, String word) throws IOException {
    try (Tokenizer tokenizer = Tokenizers.open(TokenizerFile.of(file).found())) {
      Vocabulary vocabulary = TokenizerJson.read(file);
      return TokenResolver.of(
              Optional.of(vocabulary), vocabulary.size(), () -> Optional.of(tokenizer))
          .resolve(word);
    }
  }

  /**
   * potion-base-8M kept BERT's post-processor, whose ids are "×" and "ß" in the vocabulary that was
   * made smaller: text is split without it.
   */
  @Test
  void idsOfAnotherVocabularyAreNotPutAroundText() throws IOException {
    Path file =
        file(
            """
            {"type": "TemplateProcessing",
             "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}},
                        {"Sequence": {"id": "A", "type_id": 0}},
                        {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
             "pair": [{"Sequence": {"id": "A", "type_id": 0}},
                      {"Sequence": {"id": "B", "type_id": 1}}],
             "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]},
                                "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}}
            """,
            "[UNK]");
    try (Tokenizer tokenizer = Tokenizers.open(TokenizerFile.of(file).found())) {
      assertThat(tokenizer.encode("cats")).containsExactly(4, 5);
    }
    assertThat(resolve(file, "cats"))
        .isInstanceOfSatisfying(
            Several.class, several -> assertThat(several.pieces()).containsExactly(4L, 5L));
  }

  /** potion-multilingual-128M declares an unknown token that its vocabulary does not hold. */
  @Test
  void anUnknownTokenThatIsNotThereKeepsNobodyOut() throws IOException {
    Path file = file("null", "<missing>");
    assertThat(TokenizerJson.read(file).size()).isEqualTo(6);
    try (Tokenizer tokenizer = Tokenizers.open(TokenizerFile.of(file).found())) {
      assertThat(tokenizer.encode("cats cat")).containsExactly(4, 5, 4);
    }
    assertThat(resolve(file, "cat")).isInstanceOf(Single.class);
    assertThat(resolve(file, "zebra")).isInstanceOf(Unknown.class);
  }
}
