package dev.rowan.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tokenizer.TokenizerFile;
import dev.rowan.formats.tokenizer.TokenizerModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rules that vocab.json and merges.txt leave to a class: ids that the classes of transformers
 * 5.24.0 gave with the tokens and merges of {@code bytes}.
 */
class SavedClassTest {
  /** Accents, syllables and signs apart; the Ångström sign; digits. */
  private static final List<String> TEXTS =
      List.of(
          "cafe\u0301 12",
          "A\u030angstro\u0308m 2024",
          "\u1112\u1161\u11ab the",
          "\u212b\u2126",
          " the cat");

  @TempDir Path folder;

  private Path vocab() throws IOException {
    Awkward.write(folder, "bytes/merges.txt");
    return Awkward.write(folder, "bytes/vocab.json");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GPT2Tokenizer         | 67 464 69 137 224 386 18 / 33 137 233 482 355 79 137 231 77 615 16 18 20 / 158 227 241 158 228 95 158 229 105 336 / 159 227 105 159 227 100 / 336 297 265
          Qwen2Tokenizer        | 67 464 309 221 17 18 / 572 482 355 364 77 221 18 16 18 20 / 170 244 251 336 / 572 139 103 / 336 297 265
          GPTNeoXTokenizerFast  | 67 464 309 386 18 / 572 482 355 364 77 615 16 18 20 / 170 244 251 336 / 572 139 103 / 336 297 265
          CohereTokenizerFast   | 67 464 309 221 17 18 / 572 482 355 364 77 221 18 16 18 20 / 170 244 251 336 / 572 139 103 / 336 297 265
          BlenderbotTokenizer   | 297 464 69 137 224 386 18 / 221 33 137 233 482 355 79 137 231 77 615 16 18 20 / 221 158 227 241 158 228 95 158 229 105 336 / 267 227 105 159 227 100 / 336 297 265
          """)
  void splitsTextAsTheClassDoes(String name, String ids) throws IOException {
    Path vocab = vocab();
    Files.writeString(
        folder.resolve("tokenizer_config.json"), "{\"tokenizer_class\": \"%s\"}".formatted(name));
    assertThat(ids(TokenizerFile.of(vocab).model().orElseThrow())).isEqualTo(ids);
  }

  @Test
  void theTypeOfTheModelStandsInForTheClass() throws IOException {
    Path vocab = vocab();
    Files.writeString(folder.resolve("config.json"), "{\"model_type\": \"qwen2_moe\"}");
    assertThat(ids(TokenizerFile.of(vocab).model().orElseThrow())).startsWith("67 464 309 221 17");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"CLIPTokenizer", "OpenAIGPTTokenizer", "HerbertTokenizer", "Qwen3_5Tokenizer"})
  void refusesClassesWithOtherRules(String name) throws IOException {
    Path vocab = vocab();
    Files.writeString(
        folder.resolve("tokenizer_config.json"), "{\"tokenizer_class\": \"%s\"}".formatted(name));
    TokenizerFile file = TokenizerFile.of(vocab);
    assertThatThrownBy(file::model)
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("the kind \"%s\", whose rules for splitting text".formatted(name));
    assertThat(file.vocabulary().size()).isGreaterThan(500);
  }

  @Test
  void refusesTokensThatMarkTheEndsOfWords() throws IOException {
    Files.writeString(folder.resolve("merges.txt"), "#version: 0.2\nc a\nca t</w>\n");
    TokenizerFile file =
        TokenizerFile.of(
            Files.writeString(
                folder.resolve("vocab.json"),
                "{\"c\": 0, \"a\": 1, \"t</w>\": 2, \"ca\": 3, \"cat</w>\": 4}"));
    assertThatThrownBy(file::model)
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("is no byte-level BPE");
    assertThat(file.vocabulary().size()).isEqualTo(5);
  }

  private static String ids(TokenizerModel model) {
    try (Tokenizer tokenizer = Tokenizers.of(model)) {
      return TEXTS.stream()
          .map(tokenizer::encode)
          .map(ids -> Arrays.toString(ids).replaceAll("[\\[\\],]", ""))
          .reduce("%s / %s"::formatted)
          .orElseThrow();
    }
  }
}
