package dev.rowan.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.formats.tokenizer.TokenizerFile;
import dev.rowan.formats.tokenizer.TokenizerModel;
import dev.rowan.formats.tokenizer.TokenizerModel.ByteLevelBpe;
import dev.rowan.formats.tokenizer.TokenizerModel.Lead;
import dev.rowan.formats.tokenizer.TokenizerModel.WholeWord;
import dev.rowan.formats.tokenizer.WordSplit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every id of every awkward string, against the reference implementations; see {@link Awkward}. */
class ReferenceIdsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "gpt2, GPT2, MERGED, NONE",
    "gpt2-space, GPT2, MERGED, SPACE_BEFORE",
    "llama3, LLAMA3, TAKEN, NONE",
    "qwen2, QWEN2, MERGED, NONE",
    "tekken, TEKKEN, MERGED, NONE",
    "deepseek-v3, DEEPSEEK_V3, MERGED, NONE",
    "starcoder, STARCODER, MERGED, NONE"
  })
  void byteLevelBpeEqualsTokenizers(String name, WordSplit split, WholeWord word, Lead lead)
      throws IOException {
    Awkward.write(folder, "bytes/merges.txt");
    Path vocab = Awkward.write(folder, "bytes/vocab.json");
    ByteLevelBpe read = (ByteLevelBpe) TokenizerFile.of(vocab).model().orElseThrow();
    check(
        name,
        new ByteLevelBpe(read.vocabulary(), read.merges(), split, word, lead, read.markers()));
  }

  @ParameterizedTest
  @CsvSource({
    "tiktoken-r50k, GPT2",
    "tiktoken-cl100k, CL100K",
    "tiktoken-o200k, O200K",
    "tiktoken-kimi, KIMI"
  })
  void tiktokenRanksEqualTiktoken(String name, WordSplit split) throws IOException {
    Path file = Awkward.write(folder, "tiny.tiktoken");
    ByteLevelBpe read = (ByteLevelBpe) TokenizerFile.of(file).model().orElseThrow();
    check(
        name,
        new ByteLevelBpe(
            read.vocabulary(),
            read.merges(),
            split,
            read.wholeWord(),
            read.lead(),
            read.markers()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spm-bpe",
        "spm-bpe-llama",
        "spm-bpe-rules",
        "spm-unigram",
        "spm-unigram-bytes",
        "spm-unigram-suffix"
      })
  void sentencePieceEqualsSentencePiece(String name) throws IOException {
    check(name, model(name + ".model"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"wordpiece-uncased", "wordpiece-cased"})
  void wordPieceEqualsTokenizers(String name) throws IOException {
    check(name, model(name + "/vocab.txt"));
  }

  /** BERT's uncased vocabulary holds ℝ, a capital without a small form; ids of tokenizers 0.23. */
  @Test
  void capitalsWithoutASmallFormMakeNoVocabularyCased() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("vocab.txt"), "[UNK]\nthe\ncafe\n##s\nℝ\n##ℝ\n\uD835\uDCB3\nr\n");
    try (Tokenizer tokenizer = Tokenizers.of(TokenizerFile.of(file).model().orElseThrow())) {
      assertThat(tokenizer.encode("The Cafés ℝR rℝ \uD835\uDCB3"))
          .containsExactly(1, 2, 3, 0, 7, 5, 6);
    }
  }

  @Test
  void wordListEqualsTokenizers() throws IOException {
    check("words", model("words.txt"));
  }

  private TokenizerModel model(String resource) throws IOException {
    return TokenizerFile.of(Awkward.write(folder, resource)).model().orElseThrow();
  }

  static void check(String name, TokenizerModel model) throws IOException {
    List<String> strings = Awkward.strings();
    List<long[]> expected = Awkward.numbers(name + ".ids");
    assertThat(expected).hasSameSizeAs(strings).hasSizeGreaterThan(300);
    List<String> wrong = new ArrayList<>();
    try (Tokenizer tokenizer = Tokenizers.of(model)) {
      for (int i = 0; i < strings.size(); i++) {
        long[] ids = tokenizer.encode(strings.get(i));
        if (!Arrays.equals(ids, expected.get(i))) {
          wrong.add(
              "%d \"%s\": %s instead of %s"
                  .formatted(
                      i, strings.get(i), Arrays.toString(ids), Arrays.toString(expected.get(i))));
        }
      }
    }
    assertThat(wrong).as(name).isEmpty();
  }
}
