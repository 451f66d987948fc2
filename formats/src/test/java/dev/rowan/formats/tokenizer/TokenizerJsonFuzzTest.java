package dev.rowan.formats.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.GptFolder;
import dev.rowan.formats.file.FormatException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes either read as a vocabulary whose tokens can be shown, or are refused as such. */
class TokenizerJsonFuzzTest {
  static Stream<byte[]> seeds() {
    return Stream.of(
            GptFolder.tokenizerJson(),
            "{\"model\":{\"type\":\"Unigram\",\"vocab\":[[\"▁a\",-1.5e3],[\"\\u00e9\",0]]}}",
            "{\"decoder\":{\"type\":\"WordPiece\"},\"model\":{\"vocab\":{\"##a\":1,\"b\":0}}}")
        .map(json -> json.getBytes(StandardCharsets.UTF_8));
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "5m")
  void refusesOrReads(byte[] file) {
    Vocabulary vocabulary;
    try {
      vocabulary = TokenizerJson.read(Path.of("tokenizer.json"), MemorySegment.ofArray(file));
    } catch (FormatException e) {
      assertThat(e).hasMessageStartingWith("tokenizer.json: ");
      return;
    }
    int tokens = 0;
    for (int id = 0; id < vocabulary.size(); id++) {
      if (vocabulary.has(id)) {
        tokens++;
        assertThat(vocabulary.text(id)).isNotNull();
        assertThat(vocabulary.id(vocabulary.bytes(id)).orElseThrow()).isLessThanOrEqualTo(id);
      }
    }
    assertThat(vocabulary.tokens()).isEqualTo(tokens).isPositive();
  }
}
