package dev.rowan.formats.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.tokenizer.TokenizerFile.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenizerFileTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "'{\"version\": \"1.0\", \"model\": {}}', TOKENIZER_JSON",
    "'{\"a\": 0, \"b\": 1}', VOCAB_JSON",
    "'IQ== 0', TIKTOKEN",
    "'the', LINES",
    "'<s>', LINES"
  })
  void knowsAFileByItsBytes(String text, Kind kind) throws IOException {
    Path file = Files.writeString(folder.resolve("anything"), text);
    assertThat(TokenizerFile.of(file).kind()).isEqualTo(kind);
  }

  @Test
  void findsATiktokenFileWhateverItIsCalled() throws IOException {
    Files.writeString(folder.resolve("phi.tiktoken"), "IQ== 0\n");
    assertThat(TokenizerFile.of(folder).path()).isEqualTo(folder.resolve("phi.tiktoken"));
    Files.writeString(folder.resolve("cl100k_base.tiktoken"), "IQ== 0\n");
    assertThatThrownBy(() -> TokenizerFile.of(folder))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(
            "holds several tokenizers (cl100k_base.tiktoken, phi.tiktoken); choose one with --tokenizer");
    Files.writeString(folder.resolve("tiktoken.model"), "IQ== 0\n");
    assertThat(TokenizerFile.of(folder).path()).isEqualTo(folder.resolve("tiktoken.model"));
  }

  @Test
  void knowsASentencePieceModel() throws IOException {
    Path file = Files.write(folder.resolve("anything"), SentencePieceModelTest.small());
    assertThat(TokenizerFile.of(file).kind()).isEqualTo(Kind.SENTENCEPIECE);
    assertThat(TokenizerFile.of(file).vocabulary().size()).isEqualTo(4);
  }

  /** Lines of any text may be a list of words, but not under this name. */
  @ParameterizedTest
  @CsvSource({"<!doctype html>, is a web page", "'[\"a\",\"b\"]', 'starts with '"})
  void refusesAJsonFileThatIsNone(String text, String message) throws IOException {
    Path file = Files.writeString(folder.resolve("tokenizer.json"), text);
    assertThatThrownBy(() -> TokenizerFile.of(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(message);
  }

  @Test
  void takesMergesForTheirVocabulary() throws IOException {
    Files.writeString(folder.resolve("vocab.json"), "{\"a\": 0}");
    Path merges = Files.writeString(folder.resolve("merges.txt"), "#version: 0.2\n");
    assertThat(TokenizerFile.of(merges).kind()).isEqualTo(Kind.VOCAB_JSON);
  }

  @Test
  void prefersTokenizerJsonInAFolder() throws IOException {
    Files.writeString(folder.resolve("vocab.txt"), "the");
    assertThat(TokenizerFile.in(folder).orElseThrow().kind()).isEqualTo(Kind.LINES);
    Files.writeString(folder.resolve("tokenizer.json"), "{\"model\": {}}");
    assertThat(TokenizerFile.of(folder).kind()).isEqualTo(Kind.TOKENIZER_JSON);
  }

  @Test
  void saysWhatItLookedFor() {
    assertThatThrownBy(() -> TokenizerFile.of(folder))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(
            "looked for tokenizer.json, vocab.json, encoder.json, tokenizer.model");
  }

  @Test
  void refusesWhatIsNoTokenizer() throws IOException {
    Path zip = Files.writeString(folder.resolve("x.bin"), "PK\u0003\u0004");
    assertThatThrownBy(() -> TokenizerFile.of(zip))
        .isInstanceOf(FormatException.class)
        .hasMessage("x.bin: is a zip archive, such as a PyTorch checkpoint, not a tokenizer");
    Path binary = Files.write(zip, "ab\0c".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> TokenizerFile.of(binary))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("is no tokenizer that is known here");
  }
}
