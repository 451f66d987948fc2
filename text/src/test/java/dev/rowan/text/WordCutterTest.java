package dev.rowan.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.formats.tokenizer.WordSplit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every cut of every awkward string, against the models' own expressions as run by the tokenizers
 * library and by Python's regex; see {@link Awkward}.
 */
class WordCutterTest {
  @ParameterizedTest
  @CsvSource({
    "gpt2, GPT2",
    "r50k, GPT2",
    "llama3, LLAMA3",
    "qwen2, QWEN2",
    "cl100k, CL100K",
    "o200k, O200K",
    "kimi, KIMI",
    "tekken, TEKKEN",
    "deepseek-v3, DEEPSEEK_V3",
    "bloom, BLOOM"
  })
  void cutsWhereTheExpressionDoes(String name, WordSplit split) throws IOException {
    List<String> strings = Awkward.strings();
    List<long[]> expected = Awkward.numbers(name + ".cuts");
    assertThat(expected).hasSameSizeAs(strings).hasSizeGreaterThan(300);
    WordCutter cutter = WordCutter.of(split);
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < strings.size(); i++) {
      char[] text = Characters.wellFormed(strings.get(i));
      Ints ends = new Ints();
      cutter.cut(text, 0, text.length, ends);
      long[] lengths = ends.toLongs();
      for (int word = lengths.length - 1; word > 0; word--) {
        lengths[word] -= lengths[word - 1];
      }
      if (!Arrays.equals(lengths, expected.get(i))) {
        wrong.add(
            "%d \"%s\": %s instead of %s"
                .formatted(
                    i, strings.get(i), Arrays.toString(lengths), Arrays.toString(expected.get(i))));
      }
    }
    assertThat(wrong).as(name).isEmpty();
  }
}
