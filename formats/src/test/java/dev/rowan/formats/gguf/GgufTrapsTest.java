package dev.rowan.formats.gguf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.Models;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a file says beside its table. */
class GgufTrapsTest extends GgufFixture {
  /**
   * 1 normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte: special tokens have 3 or 4.
   */
  @Test
  void tokenTypesTellWhichTokensAreSpecial() throws IOException {
    Path path =
        file(
            table(
                3,
                b ->
                    b.textKey("tokenizer.ggml.model", "llama")
                        .textsKey(
                            "tokenizer.ggml.tokens", "▁a", "<unk>", "<s>", "<user>", "▁b", "<0x41>")
                        .key("tokenizer.ggml.token_type", 9)
                        .u32(5)
                        .i64(6)
                        .u32(1)
                        .u32(2)
                        .u32(3)
                        .u32(4)
                        .u32(1)
                        .u32(6)));
    try (Lexicon lexicon = Models.open(path)) {
      Vocabulary vocabulary = lexicon.vocabulary().orElseThrow();
      assertThat(IntStream.range(0, 6).filter(vocabulary::isAdded)).contains(1, 2, 3);
      assertThat(vocabulary.isAdded(0)).isFalse();
      assertThat(vocabulary.isAdded(4)).isFalse();
    }
  }

  /** BERT's segments and positions are tables too, and nearer to the number of tokens at times. */
  @Test
  void segmentsAndPositionsAreNotTheTable() throws IOException {
    Path path =
        file(
            GgufBytes.header(3, 1)
                .textsKey("tokenizer.ggml.tokens", "a", "b")
                .tensor("token_types.weight", F32, 0, 1, 2)
                .tensor("position_embd.weight", F32, 32, 1, 2)
                .tensor("token_embd.weight", F32, 64, 1, 3)
                .align(32)
                .raw(new byte[64])
                .f32(7)
                .f32(8)
                .f32(9));
    try (Lexicon lexicon = Models.open(path)) {
      assertThat(lexicon.input().tensor()).isEqualTo("token_embd.weight");
      assertThat(lexicon.input().table().row(2)).containsExactly(9);
    }
  }

  /** llama.cpp scales rows by embedding_scale; Granite's and MiniCPM's scores it divides. */
  @ParameterizedTest
  @CsvSource({
    "minicpm, embedding_scale, 12, 'multiplies its input rows by 12.0 (minicpm.embedding_scale)'",
    "granite, embedding_scale, 12, 'multiplies its input rows by 12.0 (granite.embedding_scale)'",
    "granite, logit_scale, 8, divides its scores by 8.0 (granite.logit_scale)",
    "minicpm, logit_scale, 8, divides its scores by 8.0 (minicpm.logit_scale)",
    "command-r, logit_scale, 0.0625, multiplies its scores by 0.0625 (command-r.logit_scale)"
  })
  void tellsTheFactorsOfTheModelAndKeepsRowsAsTheyAre(
      String architecture, String key, double factor, String note) throws IOException {
    Path path =
        file(
            table(
                2,
                b ->
                    b.textKey("general.architecture", architecture)
                        .key(architecture + "." + key, 6)
                        .f32(factor)));
    try (Lexicon lexicon = Models.open(path)) {
      assertThat(lexicon.notes()).singleElement().asString().contains(note);
      assertThat(lexicon.input().table().row(0)).containsExactly(1, 2);
    }
  }

  /** The C++ reader wants tensors in the order of their offsets; files in another order exist. */
  @Test
  void tensorsMayStandInAnyOrder() throws IOException {
    Path path =
        file(
            GgufBytes.header(2, 0)
                .tensor("output.weight", F32, 32, 1, 2)
                .tensor("token_embd.weight", F32, 0, 1, 2)
                .align(32)
                .f32(1)
                .f32(2)
                .align(32)
                .f32(3)
                .f32(4));
    try (Lexicon lexicon = Models.open(path)) {
      assertThat(lexicon.input().table().row(1)).containsExactly(2);
      assertThat(lexicon.output().orElseThrow().table().row(0)).containsExactly(3);
    }
  }

  /** The C++ reader ends names at 63 bytes; nothing here depends on that. */
  @Test
  void namesMayBeLong() throws IOException {
    Path path =
        file(
            GgufBytes.header(2, 0)
                .tensor("blk.0." + "x".repeat(200) + ".weight", F32, 0, 1, 1)
                .tensor("token_embd.weight", F32, 32, 1, 1)
                .align(32)
                .f32(1)
                .align(32)
                .f32(2));
    try (Lexicon lexicon = Models.open(path)) {
      assertThat(lexicon.input().table().row(0)).containsExactly(2);
    }
  }
}
