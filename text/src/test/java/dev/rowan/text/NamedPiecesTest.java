package dev.rowan.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tokenizer.TokenizerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A {@code vocab.json} that gives pieces their ids: those that the slow classes of transformers
 * 4.57.3 give with the same files.
 */
class NamedPiecesTest {
  /** The piece "n" and most others have no id, and "ꙮ𐎀" is an id without a piece. */
  private static final String LIST =
      "{\"<s>\": 0, \"<pad>\": 1, \"</s>\": 2, \"<unk>\": 3, \"▁w\": 4, \"walk\": 5, \"ꙮ𐎀\": 6, \"▁\": 7, \"a\": 8, \">>fra<<\": 9, \"alk\": 10, \"k\": 11, \"w\": 12, \"▁walk\": 13}";

  private static final List<String> TEXTS =
      List.of(
          "a walk",
          "ꙮ𐎀 walk",
          "aꙮ𐎀a",
          "aꙮ𐎀ꙮ </s>walk",
          "__en__ <lang:fr>a",
          "__zu__",
          ">>fra<< a walk",
          ">>x<<a",
          ">>fra<<",
          " >>fra<<a");

  @TempDir Path folder;

  private TokenizerFile file(String kind, String more) throws IOException {
    Path pieces = Awkward.write(folder, "spm-unigram-plain.model");
    String name = kind.equals("Marian") ? "source.spm" : "sentencepiece.bpe.model";
    Files.move(pieces, folder.resolve(name));
    Files.writeString(
        folder.resolve("tokenizer_config.json"),
        "{\"tokenizer_class\": \"%sTokenizer\"%s}".formatted(kind, more));
    Files.writeString(folder.resolve("vocab.json"), LIST);
    return TokenizerFile.of(folder);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          M2M100      | ''                      | 7 8 13 / 7 6 13 / 7 8 6 8 / 7 8 3 2 13 / 7 3 3 3 3 7 3 3 3 3 3 3 3 8 / 7 3 3 3 3 / 7 3 3 3 3 3 3 7 8 13 / 7 3 3 3 3 3 8 / 7 3 3 3 3 3 3 / 7 3 3 3 3 3 3 8
          Speech2Text | ''                      | 7 8 13 / 7 6 13 / 7 8 6 8 / 7 8 3 2 13 / 7 3 3 3 3 7 3 3 3 3 3 3 3 8 / 7 3 3 3 3 / 7 3 3 3 3 3 3 7 8 13 / 7 3 3 3 3 3 8 / 7 3 3 3 3 3 3 / 7 3 3 3 3 3 3 8
          Speech2Text | , "lang_codes": "mustc" | 7 8 13 / 7 6 13 / 7 8 6 8 / 7 8 3 2 13 / 7 3 3 3 3 15 7 8 / 7 3 3 3 3 / 7 3 3 3 3 3 3 7 8 13 / 7 3 3 3 3 3 8 / 7 3 3 3 3 3 3 / 7 3 3 3 3 3 3 8
          Marian      | ''                      | 7 8 13 / 7 6 13 / 7 8 6 8 / 7 8 3 2 13 / 7 3 3 3 3 7 3 3 3 3 3 3 3 8 / 7 3 3 3 3 / 9 7 8 13 / 3 7 8 / 9 / 7 3 3 3 3 3 3 8
          """)
  void idsAreThoseOfTheList(String kind, String more, String ids) throws IOException {
    assertThat(ids(file(kind, more), TEXTS)).isEqualTo(ids);
  }

  /** As the folders of M2M-100 do, in a special_tokens_map.json; here of two languages. */
  @Test
  void languagesAreFoundInTextWhereTheyAreListed() throws IOException {
    TokenizerFile file = file("M2M100", "");
    Files.writeString(
        folder.resolve("special_tokens_map.json"),
        "{\"bos_token\": \"<s>\", \"additional_special_tokens\": [\"__en__\", {\"content\": \"__zu__\", \"special\": true}]}");
    assertThat(ids(file, List.of("__en__ a", "__zu__"))).isEqualTo("32 7 8 / 113");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                          | 114 | __af__ __am__ __ar__ __ast__ __az__
          , "language_codes": "wmt21" | 22  | __en__ __ha__ __is__ __ja__ __cs__
          """)
  void languagesStandBehindTheList(String more, int tokens, String first) throws IOException {
    Vocabulary vocabulary = file("M2M100", more).vocabulary();
    assertThat(vocabulary.size()).isEqualTo(tokens);
    assertThat(IntStream.range(14, 19).mapToObj(vocabulary::stored))
        .containsExactly(first.split(" ", -1));
  }

  @Test
  void saysWhatIsMissing() throws IOException {
    TokenizerFile file = file("Speech2Text", ", \"do_lower_case\": true");
    assertThatThrownBy(file::model)
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("makes text small first");
    Files.delete(folder.resolve("sentencepiece.bpe.model"));
    assertThat(file.vocabulary().size()).isEqualTo(14);
    assertThatThrownBy(file::model)
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("needs the file sentencepiece.bpe.model beside it");
  }

  /** A run without end is not looked up at every character. */
  @Test
  void longUnknownTextIsOneToken() throws IOException {
    assertThat(ids(file("M2M100", ""), List.of("ꙮ".repeat(100_000)))).isEqualTo("7 3");
  }

  private static String ids(TokenizerFile file, List<String> texts) throws IOException {
    try (Tokenizer tokenizer = Tokenizers.of(file.model().orElseThrow())) {
      return String.join(
          " / ",
          texts.stream()
              .map(tokenizer::encode)
              .map(ids -> Arrays.toString(ids).replaceAll("[\\[\\],]", ""))
              .toList());
    }
  }
}
