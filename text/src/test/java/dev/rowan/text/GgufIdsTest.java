package dev.rowan.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.tokenizer.FoundTokenizer;
import dev.rowan.formats.tokenizer.TokenizerModel;
import dev.rowan.text.Tokenizer.SpecialTokens;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The tokenizers of {@link ReferenceIdsTest} again, out of GGUF files that gguf-py wrote; see
 * {@link Awkward}.
 */
class GgufIdsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "gguf-bytes, llama3",
    "gguf-bpe, gguf-bpe",
    "gguf-unigram, gguf-unigram",
    "gguf-unigram-rules, gguf-unigram-rules",
    "gguf-words, wordpiece-uncased"
  })
  void equalsTheReference(String file, String expected) throws IOException {
    ReferenceIdsTest.check(expected, model(file));
  }

  @ParameterizedTest
  @CsvSource({
    // llama.cpp's defaults: what its kinds of model frame a text with where no key says so
    "gguf-bytes, 0, ''",
    "gguf-bpe, 1, ''",
    "gguf-unigram, '', 2",
    "gguf-words, 2, 3"
  })
  void framesTextAsItsKindDoes(String file, String before, String after) throws IOException {
    try (Tokenizer tokenizer = Tokenizers.of(model(file))) {
      String bare = text(tokenizer.encode("cat"));
      assertThat(text(tokenizer.encode("cat", SpecialTokens.ADD)))
          .isEqualTo((before + " " + bare + " " + after).strip());
    }
  }

  @Test
  void standsInForTheTokenizerOfAnotherModel() throws IOException {
    Path words = Awkward.write(folder, "gguf-words.gguf");
    Path bytes = Awkward.write(folder, "gguf-bytes.gguf");
    FoundTokenizer found =
        Models.tokenizer(bytes, OpenOptions.DEFAULT.withTokenizer(words)).orElseThrow();
    try (Tokenizer tokenizer = Tokenizers.open(found)) {
      assertThat(tokenizer.encode("[MASK]")).containsExactly(4);
    }
  }

  private TokenizerModel model(String name) throws IOException {
    Path file = Awkward.write(folder, name + ".gguf");
    return Models.tokenizer(file, OpenOptions.DEFAULT)
        .map(found -> ((FoundTokenizer.Model) found).model())
        .orElseThrow();
  }

  private static String text(long[] ids) {
    return String.join(" ", Arrays.stream(ids).mapToObj(Long::toString).toArray(String[]::new));
  }
}
