package dev.rowan.formats.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.FuzzFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes either are ranks of tokens in Base64 or are refused with a reason. */
class TiktokenFuzzTest {
  static Stream<byte[]> seeds() {
    return Stream.of("IGNhdA== 0\n5w== 1\n", "IQ== 0\nIg== 1\nISI= 2\n", "YQ== 7\r\nYg== 3\r\n")
        .map(text -> text.getBytes(StandardCharsets.US_ASCII));
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "4m")
  void refusesOrReads(byte[] bytes) throws IOException {
    FuzzFile.refusesOrReads(
        bytes,
        ".tiktoken",
        file -> {
          var model = TiktokenFile.read(file);
          for (int id = 0; id < model.vocabulary().size(); id++) {
            assertThat(model.vocabulary().text(id)).isNotNull();
          }
        });
  }
}
