package dev.rowan.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tokenizer.TokenizerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tokens added beside a tokenizer file: ids of transformers 5.24.0 with the same files. */
class AddedBesideTest {
  private static final List<String> TEXTS =
      List.of("<|im_start|>user a", "a<|im_start|> b", "a <x>walk", "<s>a");

  @TempDir Path folder;

  private TokenizerFile file(String resource, String config) throws IOException {
    Files.writeString(folder.resolve("tokenizer_config.json"), config);
    return TokenizerFile.of(Awkward.write(folder, resource));
  }

  private static String decoder(int first) {
    return "\"added_tokens_decoder\": {\"1\": {\"content\": \"<s>\", \"special\": true}, \"%d\": {\"content\": \"<|im_start|>\", \"lstrip\": false, \"special\": true}, \"%d\": {\"content\": \"<x>\", \"special\": false}}"
        .formatted(first, first + 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          spm-bpe-llama.model     | LlamaTokenizer | 700 | 700 461 459 262 439 / 439 700 269 / 439 452 701 476 286 / 1 455
          spm-unigram-plain.model | T5Tokenizer    | 309 | 309 3 35 134 4 3 12 / 3 12 309 65 / 3 12 310 148 / 1 3 12
          """)
  void areFoundInTextBeforeAnythingElse(String resource, String name, int first, String ids)
      throws IOException {
    TokenizerFile file =
        file(resource, "{\"tokenizer_class\": \"%s\", %s}".formatted(name, decoder(first)));
    Vocabulary vocabulary = file.vocabulary();
    assertThat(vocabulary.stored(first)).isEqualTo("<|im_start|>");
    assertThat(vocabulary.isAdded(first + 1)).isTrue();
    assertThat(ids(file, TEXTS)).isEqualTo(ids);
  }

  @Test
  void areReadFromTheirOwnFileToo() throws IOException {
    Files.writeString(folder.resolve("added_tokens.json"), "{\"<|im_start|>\": 700, \"<x>\": 701}");
    TokenizerFile file = file("spm-bpe-llama.model", "{\"tokenizer_class\": \"LlamaTokenizer\"}");
    assertThat(file.vocabulary().size()).isEqualTo(702);
    assertThat(ids(file, TEXTS.subList(0, 3)))
        .isEqualTo("700 461 459 262 439 / 439 700 269 / 439 452 701 476 286");
  }

  @Test
  void nameRowsOfWordPieceToo() throws IOException {
    Files.writeString(folder.resolve("vocab.txt"), "[UNK]\nthe\n##s\n");
    Files.writeString(folder.resolve("added_tokens.json"), "{\"[NEW]\": 4}");
    TokenizerFile file = TokenizerFile.of(folder.resolve("vocab.txt"));
    assertThat(file.vocabulary().stored(4)).isEqualTo("[NEW]");
    assertThat(file.vocabulary().has(3)).isFalse();
    // without a space around it, and as it is spelled
    assertThat(ids(file, List.of("The[NEW]the"))).isEqualTo("1 4 1");
  }

  /** XLM-R's ids lie one above those of its SentencePiece model, which the config shows. */
  @Test
  void showWhereTheIdsOfAModelWereMoved() throws IOException {
    TokenizerFile file =
        file(
            "spm-unigram-plain.model",
            "{\"added_tokens_decoder\": {\"0\": {\"content\": \"<s>\", \"special\": true}}}");
    assertThat(file.vocabulary().notes())
        .anyMatch(note -> note.contains("give the id 0 to \"<s>\", not to \"<unk>\""));
    assertThatThrownBy(file::model)
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("the ids of the model are others");
  }

  private static String ids(TokenizerFile file, List<String> texts) throws IOException {
    try (Tokenizer tokenizer = Tokenizers.of(file.model().orElseThrow())) {
      return texts.stream()
          .map(tokenizer::encode)
          .map(ids -> Arrays.toString(ids).replaceAll("[\\[\\],]", ""))
          .reduce("%s / %s"::formatted)
          .orElseThrow();
    }
  }
}
