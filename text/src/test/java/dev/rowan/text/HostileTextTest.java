package dev.rowan.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.rowan.formats.tokenizer.TokenizerFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Text made to be slow: what is quadratic takes minutes on it, what is not, a moment. */
class HostileTextTest {
  private static final int LENGTH = 1 << 18;
  private static final int MEGABYTE = 1 << 20;
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @TempDir Path folder;

  private static final List<String> MODELS =
      List.of(
          "bytes/vocab.json",
          "tiny.tiktoken",
          "spm-bpe.model",
          "spm-bpe-rules.model",
          "spm-unigram.model",
          "wordpiece-uncased/vocab.txt",
          "words.txt");

  private static final List<String> TEXTS =
      List.of("the", " ", " \n", "A", "é", "猫", "'", "1", "<", "\u0301", "<user", "▁");

  static Stream<Arguments> cases() {
    Stream<Arguments> letters = MODELS.stream().map(model -> Arguments.of(model, "a", MEGABYTE));
    Stream<Arguments> others =
        TEXTS.stream()
            .flatMap(text -> MODELS.stream().map(model -> Arguments.of(model, text, LENGTH)));
    return Stream.concat(letters, others);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void takesAsLongAsTheTextIs(String resource, String repeated, int length) throws IOException {
    Awkward.write(folder, "bytes/merges.txt");
    Path file = Awkward.write(folder, resource);
    try (Tokenizer tokenizer = Tokenizers.open(TokenizerFile.of(file).found())) {
      String text = repeated.repeat(length / repeated.length());
      long[] ids = assertTimeoutPreemptively(LIMIT, () -> tokenizer.encode(text));
      assertThat(ids.length).isLessThanOrEqualTo(3 * length); // a byte has one id at most
    }
  }
}
