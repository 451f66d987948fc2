package dev.rowan.formats.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes either read as a tokenizer whose tokens can be shown, or are refused as such. */
class TokenizerFileFuzzTest {
  static Stream<byte[]> seeds() {
    return Stream.concat(
        Stream.of(SentencePieceModelTest.small()),
        Stream.of(
                "{\"a\": 0, \"Ġa\": 1}",
                "IQ== 0\nIg== 1\n",
                "[UNK]\n[CLS]\n[SEP]\nthe\n##s\n",
                "the\ncat\n")
            .map(text -> text.getBytes(StandardCharsets.UTF_8)));
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "5m")
  void refusesOrReads(byte[] bytes) throws IOException {
    Path file = Files.createTempFile("tokenizer", ".fuzz");
    try {
      Files.write(file, bytes);
      TokenizerFile tokenizer = TokenizerFile.of(file);
      Vocabulary vocabulary = tokenizer.vocabulary();
      for (int id = 0; id < vocabulary.size(); id++) {
        assertThat(vocabulary.text(id)).isNotNull();
      }
      tokenizer.model();
    } catch (FormatException e) {
      assertThat(e).hasMessageMatching("(?s)(tokenizer.*\\.fuzz|vocab.json|merges.txt): .*");
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
