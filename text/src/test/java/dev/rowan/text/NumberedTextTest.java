package dev.rowan.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.formats.tokenizer.TokenizerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Text of models that number the pieces of their SentencePiece file anew: ids that the slow classes
 * of transformers 4.57.3 give with the same files and a {@code tokenizer_config.json} that names
 * the class.
 */
class NumberedTextTest {
  @TempDir Path folder;

  private Tokenizer tokenizer(String resource, String kind, String more) throws IOException {
    Files.writeString(
        folder.resolve("tokenizer_config.json"),
        "{\"tokenizer_class\": \"%sTokenizer\"%s}"
            .formatted(kind, more.isEmpty() ? "" : ", " + more));
    return Tokenizers.of(TokenizerFile.of(Awkward.write(folder, resource)).model().orElseThrow());
  }

  /**
   * White space around a mark, marks side by side, a ▁ in the text, a token that the class adds.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          XLMRoberta     | <pad>         | ''                      | 4 13 310 149 / 2 4 13 3 / 4 44 1 149
          LayoutXLM      | <pad>         | ''                      | 4 13 310 149 / 2 4 13 3 / 4 44 1 149
          Camembert      | <unk>NOTUSED  | ''                      | 7 16 313 152 / 6 7 16 3 / 7 47 4 152
          MBart          | vi_VN         | ''                      | 4 13 335 149 / 2 4 13 3 / 4 44 333 149
          MBart50        | sl_SI         | ''                      | 4 13 362 149 / 2 4 13 3 / 4 44 361 149
          XGLM           | <madeupword6> | ''                      | 4 13 4 186 150 13 10 40 187 149 / 2 4 13 3 / 4 44 316 149
          PLBart         | __en_XX__     | ''                      | 4 13 313 149 / 2 4 13 3 / 4 44 312 149
          PLBart         | __go__        | "language_codes":"multi" | 4 13 317 149 / 2 4 13 3 / 4 44 316 149
          SeamlessM4T    | <pad>         | ''                      | 4 13 4 186 150 13 10 40 187 149 / 3 4 13 1 / 4 44 0 149
          T5             | <extra_id_1>  | ''                      | 3 12 3 185 149 12 9 39 186 148 / 2 3 12 0 / 3 43 407 148
          T5             | <extra_id_99> | "legacy":false          | 3 12 3 185 149 12 9 39 186 148 / 2 3 12 0 / 3 43 309 62 12 22 39
          DebertaV2      | [MASK]        | ''                      | 3 12 3 185 149 12 9 39 186 148 / 3 185 42 9 186 3 12 185 35 5 39 186 / 3 43 313 148
          RemBert        | [MASK]        | ''                      | 3 12 3 185 149 12 9 39 186 148 / 3 185 42 9 186 3 12 185 35 5 39 186 / 3 43 313 148
          BigBird        | [MASK]        | ''                      | 3 12 3 185 149 12 9 39 186 148 / 2 3 12 0 / 3 43 312 148
          BertGeneration | <::::>        | ''                      | 3 12 3 185 149 12 9 39 186 148 / 2 3 12 0 / 3 43 309 148
          Reformer       | </s>          | ''                      | 3 12 3 185 149 12 9 39 186 148 / 2 3 12 0 / 3 43 2 148
          Udop           | <pad>         | ''                      | 3 12 3 185 149 12 9 39 186 148 / 2 3 12 0 / 3 43 309 148
          """)
  void marksAreFoundFirst(String kind, String mark, String more, String ids) throws IOException {
    List<String> texts =
        List.of("a \t<mask> walk", "</s> a<unk>▁", "é \u3000" + mark + " \u00a0walk");
    try (Tokenizer tokenizer = tokenizer("spm-unigram-plain.model", kind, more)) {
      assertThat(texts.stream().map(tokenizer::encode).map(NumberedTextTest::text).toList())
          .isEqualTo(List.of(ids.split(" / ", -1)));
    }
  }

  /** A space in front where the class sets one, and else where the text has it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Llama     | "legacy":false                           | 148 31 / 3 148 31 / 3 148 31 / 1 148 1 62 12 22 39 / '' / 3 148 / 31 2 3 12
          CodeLlama | ''                                       | 148 31 / 3 148 31 / 3 148 31 / 1 148 1 62 12 22 39 / '' / 3 148 / 31 2 3 12
          Llama     | "legacy":false, "add_prefix_space":false | 62 12 22 39 31 / 148 31 / 148 31 / 1 148 1 62 12 22 39 / '' / 148 / 6 289 2 3 12
          """)
  void llamaKeepsSpacesAsItsClassDoes(String kind, String more, String ids) throws IOException {
    List<String> texts =
        List.of(
            "walk the", " walk the", "  walk  the ", "<s> walk<s>walk", " ", "▁walk", "the</s>  a");
    try (Tokenizer tokenizer = tokenizer("spm-unigram-plain.model", kind, more)) {
      assertThat(texts.stream().map(tokenizer::encode).map(NumberedTextTest::text).toList())
          .isEqualTo(List.of(ids.replace("''", "").split(" / ", -1)));
    }
  }

  /** A config.json may name the class of the tokenizer too, beside the type of the model. */
  @Test
  void theClassThatTheModelsConfigNamesGoesBeforeItsType() throws IOException {
    Files.writeString(
        folder.resolve("config.json"),
        "{\"model_type\": \"mbart\", \"tokenizer_class\": \"MBart50Tokenizer\"}");
    Path file = Awkward.write(folder, "spm-unigram-plain.model");
    try (Tokenizer tokenizer = Tokenizers.of(TokenizerFile.of(file).model().orElseThrow())) {
      assertThat(text(tokenizer.encode("é \u3000sl_SI \u00a0walk"))).isEqualTo("4 44 361 149");
    }
  }

  /**
   * fairseq's rule on every awkward string that no mark stands in: a piece's id is one above its
   * place, which sentencepiece gave; the unknown one's is 3.
   */
  @Test
  void everyPieceIsOneAboveItsPlace() throws IOException {
    List<String> strings = Awkward.strings();
    for (String model : List.of("spm-unigram", "spm-bpe", "spm-unigram-bytes")) {
      List<long[]> places = Awkward.numbers(model + ".ids");
      try (Tokenizer tokenizer = tokenizer(model + ".model", "XLMRoberta", "")) {
        for (int i = 0; i < strings.size(); i++) {
          if (!strings.get(i).matches("(?s).*<(s|/s|pad|unk|mask)>.*")) {
            long[] expected =
                LongStream.of(places.get(i)).map(place -> place == 0 ? 3 : place + 1).toArray();
            assertThat(tokenizer.encode(strings.get(i))).as(strings.get(i)).isEqualTo(expected);
          }
        }
      }
    }
  }

  private static String text(long[] ids) {
    return Arrays.toString(ids).replaceAll("[\\[\\],]", "");
  }
}
