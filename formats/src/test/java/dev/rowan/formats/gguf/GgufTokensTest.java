package dev.rowan.formats.gguf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.Fixture;
import dev.rowan.formats.Models;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tokens and their spelling. */
class GgufTokensTest extends GgufFixture {
  @Test
  void readsByteLevelTokensAndLeavesPlaceholdersOut() throws IOException {
    try (Lexicon lexicon = Models.open(Fixture.write(folder, "gguf/gpt2.gguf"))) {
      Vocabulary vocabulary = lexicon.vocabulary().orElseThrow();
      assertThat(vocabulary.spelling()).isEqualTo(Spelling.BYTE_LEVEL);
      assertThat(vocabulary.text(1)).isEqualTo(" cat");
      assertThat(vocabulary.id("cat")).hasValue(0);
      assertThat(vocabulary.isAdded(3)).isTrue();
      assertThat(vocabulary.isAdded(1)).isFalse();
      assertThat(vocabulary.has(4)).isFalse();
      assertThat(lexicon.rowsWithoutToken()).isEqualTo(2);
      assertThat(lexicon.notes())
          .containsExactly(
              "2 ids have a placeholder for a token, such as \"[PAD4]\"; they count as rows without"
                  + " a token");
    }
  }

  @Test
  void spellsWordPieceBack() throws IOException {
    Path path =
        file(
            table(
                2,
                b ->
                    b.textKey("tokenizer.ggml.model", "bert")
                        .textsKey(
                            "tokenizer.ggml.tokens",
                            "[CLS]",
                            "▁cat",
                            "s",
                            "[unused0]",
                            "▁[unused1]",
                            "▁[",
                            "",
                            "▁▁",
                            "▁")));
    try (Lexicon lexicon = Models.open(path)) {
      Vocabulary vocabulary = lexicon.vocabulary().orElseThrow();
      assertThat(vocabulary.spelling()).isEqualTo(Spelling.WORDPIECE);
      assertThat(stored(vocabulary))
          .containsExactly("[CLS]", "cat", "##s", "[unused0]", "[unused1]", "[", "##", "▁", "##▁");
      assertThat(vocabulary.notes())
          .containsExactly(
              "the file spells WordPiece as \"▁cat\" and \"s\"; the tokens here are spelled back,"
                  + " as \"cat\" and \"##s\"");
    }
  }

  @Test
  void keepsWordPieceThatWasNotRespelled() throws IOException {
    Path path =
        file(
            table(
                2,
                b ->
                    b.textKey("tokenizer.ggml.model", "bert")
                        .textsKey("tokenizer.ggml.tokens", "[CLS]", "cat", "##s")));
    try (Lexicon lexicon = Models.open(path)) {
      Vocabulary vocabulary = lexicon.vocabulary().orElseThrow();
      assertThat(stored(vocabulary)).containsExactly("[CLS]", "cat", "##s");
      assertThat(vocabulary.notes()).isEmpty();
    }
  }

  @Test
  void warnsOfCapitalsThatLowerCasingLeavesOut() throws IOException {
    Consumer<GgufBytes> cased =
        b ->
            b.textKey("tokenizer.ggml.model", "bert")
                .textsKey("tokenizer.ggml.tokens", "[CLS]", "▁the", "▁Paris");
    try (Lexicon lexicon = Models.open(file(table(2, cased)))) {
      assertThat(lexicon.vocabulary().orElseThrow().notes())
          .anyMatch(note -> note.contains("such as \"Paris\", are then never reached from text"));
    }
    Path told =
        file(
            table(
                3,
                cased.andThen(b -> b.key("tokenizer.ggml.normalizer.lowercase", 7).raw((byte) 0))));
    try (Lexicon lexicon = Models.open(told)) {
      assertThat(lexicon.vocabulary().orElseThrow().notes()).hasSize(1);
    }
  }

  private static List<String> stored(Vocabulary vocabulary) {
    return IntStream.range(0, vocabulary.size()).mapToObj(vocabulary::stored).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "gpt2, cat, BYTE_LEVEL",
    "t5, ▁cat, SENTENCEPIECE",
    "rwkv, cat, PLAIN",
    "newer, Ġcat, BYTE_LEVEL",
    "newer, ▁cat, SENTENCEPIECE",
    "newer, cat, PLAIN"
  })
  void tokenizerTellsTheSpelling(String model, String token, Spelling spelling) throws IOException {
    Path path =
        file(
            table(
                2,
                b ->
                    b.textKey("tokenizer.ggml.model", model)
                        .textsKey("tokenizer.ggml.tokens", token)));
    try (Lexicon lexicon = Models.open(path)) {
      assertThat(lexicon.vocabulary().orElseThrow().spelling()).isEqualTo(spelling);
    }
  }

  @Test
  void opensWithFewerAndMoreTokensThanRows() throws IOException {
    Path fewer = file(table(1, b -> b.textsKey("tokenizer.ggml.tokens", "a", "b")));
    try (Lexicon lexicon = Models.open(fewer)) {
      assertThat(lexicon.rowsWithoutToken()).isEqualTo(1);
    }
    Path more = file(table(1, b -> b.textsKey("tokenizer.ggml.tokens", "a", "b", "c", "d")));
    try (Lexicon lexicon = Models.open(more)) {
      assertThat(lexicon.rowsWithoutToken()).isZero();
      assertThat(lexicon.vocabulary().orElseThrow().size()).isEqualTo(4);
    }
  }
}
