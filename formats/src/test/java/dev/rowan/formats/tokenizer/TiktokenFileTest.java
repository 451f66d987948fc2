package dev.rowan.formats.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.tokenizer.TokenizerModel.ByteLevelBpe;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines written by hand: " cat" is IGNhdA== in Base64, the byte 0xE7 alone 5w==. */
class TiktokenFileTest {
  @TempDir Path folder;

  private ByteLevelBpe read(String name, String lines) throws IOException {
    return TiktokenFile.read(Files.writeString(folder.resolve(name), lines));
  }

  @Test
  void readsTokensOfAnyBytes() throws IOException {
    ByteLevelBpe model = read("x.tiktoken", "IGNhdA== 0\n5w== 1\n");
    assertThat(model.vocabulary().text(0)).isEqualTo(" cat");
    assertThat(model.vocabulary().stored(1)).isEqualTo("ç"); // how byte-level spelling writes 0xE7
    assertThat(model.merges()).isEmpty();
  }

  @Test
  void saysWhatItHadToAssume() throws IOException {
    ByteLevelBpe model = read("x.tiktoken", "IGNhdA== 0\n");
    assertThat(model.split()).isEqualTo(WordSplit.CL100K);
    assertThat(model.vocabulary().notes()).hasSize(1);
    assertThat(model.vocabulary().notes().getFirst()).contains("cl100k_base");
  }

  @ParameterizedTest
  @CsvSource({
    "r50k_base.tiktoken, GPT2",
    "o200k_base.tiktoken, O200K",
    "cl100k_base.tiktoken, CL100K",
    "qwen.tiktoken, QWEN2",
    "kimi.tiktoken, KIMI"
  })
  void knowsEncodingsByName(String name, WordSplit split) throws IOException {
    ByteLevelBpe model = read(name, "IGNhdA== 0\n");
    assertThat(model.split()).isEqualTo(split);
    assertThat(model.vocabulary().notes()).isEmpty();
    assertThat(model.markers().inText()).isEmpty(); // too few tokens to be the real one
  }

  @Test
  void knowsLlama3ByItsNumberOfTokens() throws IOException {
    String lines =
        IntStream.range(0, 128_000)
            .mapToObj(id ->
                Base64.getEncoder().encodeToString(("t" + id).getBytes(StandardCharsets.UTF_8))
                    + " "
                    + id)
            .collect(Collectors.joining("\n"));
    ByteLevelBpe model = read("tokenizer.model", lines);
    assertThat(model.split()).isEqualTo(WordSplit.LLAMA3);
    assertThat(model.vocabulary().text(128_009)).isEqualTo("<|eot_id|>");
    assertThat(model.markers().before()).containsExactly(128_000);
  }

  @ParameterizedTest
  @CsvSource({
    "'IGNhdA==', 'line 1 is not a token in Base64, a space and an id'",
    "'IGNhdA== x', 'line 1 is not a token in Base64, a space and an id'",
    "'!! 0', 'line 1 is not a token in Base64, a space and an id'",
    "'IGNhdA== -1', 'line 1 has an empty token or an id outside [0, 2^31 − 1)'",
    "' 0', 'line 1 has an empty token or an id outside [0, 2^31 − 1)'",
    "'IGNhdA== 2000000000', 'ids that sparse are not supported'",
    "'', 'holds no tokens'"
  })
  void refusesWhatIsNoToken(String line, String message) {
    assertThatThrownBy(() -> read("x.tiktoken", line))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("x.tiktoken: ")
        .hasMessageContaining(message);
  }

  @Test
  void refusesAnIdThatOccursTwice() {
    assertThatThrownBy(() -> read("x.tiktoken", "IGNhdA== 0\n5w== 0\n"))
        .isInstanceOf(FormatException.class)
        .hasMessage("x.tiktoken: line 2 has the id 0, as line 1 has (at byte 11)");
  }
}
