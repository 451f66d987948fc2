package dev.rowan.formats.gguf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Spelling;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.Fixture;
import dev.rowan.formats.Models;
import dev.rowan.formats.file.UnsupportedFormatException;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Number formats and byte orders. */
class GgufNumbersTest extends GgufFixture {
  @Test
  void readsQuantisedRowsAsTheReferenceDoes() throws IOException {
    try (Lexicon lexicon = Models.open(Fixture.write(folder, "gguf/gpt2.gguf"))) {
      Table table = lexicon.input().table();
      assertThat(lexicon.input().tensor()).isEqualTo("token_embd.weight");
      assertThat(table.rows()).isEqualTo(6);
      assertThat(table.width()).isEqualTo(32);
      assertThat(table.format().label()).isEqualTo("q8_0");
      assertThat(table.row(1)).startsWith(-5.999634f, -5.85791f, -5.7634277f, -5.621704f);
      assertThat(table.row(5)[31]).isEqualTo(13.875122f);
      assertThat(lexicon.origin().format()).isEqualTo("gguf");
      assertThat(lexicon.origin().architecture()).contains("gpt2");
      assertThat(lexicon.modelParameters()).hasValue(6 * 32 + 32);
    }
  }

  @Test
  void readsBigEndianNumbersTokensAndNotes() throws IOException {
    try (Lexicon lexicon = Models.open(Fixture.write(folder, "gguf/llama-big-endian.gguf"))) {
      assertThat(lexicon.input().table().row(1)).containsExactly(4, -5, 6);
      assertThat(lexicon.input().table().row(2)).containsExactly(0.5f, 65504, 0x1p-24f);
      assertThat(lexicon.output().orElseThrow().table().row(1)).containsExactly(8, -10, 12);
      assertThat(lexicon.tie()).isEqualTo(Tie.UNTIED);
      Vocabulary vocabulary = lexicon.vocabulary().orElseThrow();
      assertThat(vocabulary.spelling()).isEqualTo(Spelling.SENTENCEPIECE);
      assertThat(vocabulary.id("▁cat")).hasValue(1);
      assertThat(vocabulary.isAdded(0)).isTrue();
      assertThat(vocabulary.isAdded(2)).isFalse();
      assertThat(vocabulary.isAdded(3)).isTrue();
      assertThat(lexicon.notes())
          .containsExactly(
              "at run time the model multiplies its scores by 0.0625 (llama.logit_scale); here they"
                  + " are without it");
    }
  }

  @Test
  void readsBfloat16AndSaysThatGemmaScales() throws IOException {
    try (Lexicon lexicon = Models.open(Fixture.write(folder, "gguf/gemma.gguf"))) {
      assertThat(lexicon.input().table().row(1)).containsExactly(3, -4);
      assertThat(lexicon.input().table().row(2)).containsExactly(0.5f, 96);
      assertThat(lexicon.origin().notes())
          .containsExactly(
              "at run time a gemma2 model multiplies its input rows by the square root of the"
                  + " width; the rows here are as stored");
      assertThat(lexicon.vocabulary().orElseThrow().isAdded(2)).isTrue();
    }
  }

  /**
   * One row of one block whose byte j is (37j + 11) & 255, with scale 1 and minimum 0.5; numbers by
   * gguf-py.
   */
  @ParameterizedTest
  @CsvSource({
    "2, 32, 18, 0, -1, -3, -21",
    "3, 32, 20, 0, 2, 15.5, 261",
    "6, 32, 22, 0, -1, 9, 15",
    "7, 32, 24, 0, 2, 19.5, 521",
    "8, 32, 34, 0, -1, 85, -176",
    "20, 32, 18, 0, -1, -35, -257",
    "10, 256, 84, 80, 82, 33, 2059",
    "11, 256, 110, 108, -1, 81, 958",
    "12, 256, 144, 0, 2, 315.5, 54440",
    "13, 256, 176, 0, 2, 811.5, 116216",
    "14, 256, 210, 208, -1, -1431, 4612",
    "23, 256, 136, 0, -1, 65, -11005",
    "21, 256, 110, 0, -1, -81, 1456",
  })
  void decodesEachBlockType(
      int type, int width, int bytes, int scaleAt, int minimumAt, float first, double sum)
      throws IOException {
    byte[] block = new byte[bytes];
    for (int j = 0; j < bytes; j++) {
      block[j] = (byte) (37 * j + 11);
    }
    block[scaleAt] = 0;
    block[scaleAt + 1] = 0x3C; // 1 as a binary16
    if (minimumAt >= 0) {
      block[minimumAt] = 0;
      block[minimumAt + 1] = 0x38; // 0.5
    }
    Path path =
        file(
            GgufBytes.header(1, 0)
                .tensor("token_embd.weight", type, 0, width, 2)
                .align(32)
                .raw(block)
                .raw(block));
    try (Lexicon lexicon = Models.open(path)) {
      float[] row = lexicon.input().table().row(1);
      double total = 0;
      for (float value : row) {
        total += value;
      }
      assertThat(row).hasSize(width);
      assertThat(row[0]).isEqualTo(first);
      assertThat(total).isEqualTo(sum, within(1e-9));
    }
  }

  @Test
  void readsBigEndianBfloat16AndBinary64() throws IOException {
    Path path =
        file(
            new GgufBytes(ByteOrder.BIG_ENDIAN)
                .magic()
                .u32(2)
                .i64(2)
                .i64(0)
                .tensor("token_embd.weight", 30, 0, 2, 1)
                .tensor("output.weight", 28, 32, 1, 1)
                .align(32)
                .raw((byte) 0x40, (byte) 0x40, (byte) 0xC1, (byte) 0x20) // 3 and -10
                .align(32)
                .i64(Double.doubleToLongBits(-0.75)));
    try (Lexicon lexicon = Models.open(path)) {
      assertThat(lexicon.input().table().row(0)).containsExactly(3, -10);
      assertThat(lexicon.output().orElseThrow().table().row(0)).containsExactly(-0.75f);
    }
  }

  @Test
  void refusesBigEndianBlocks() throws IOException {
    Path path =
        file(
            new GgufBytes(ByteOrder.BIG_ENDIAN)
                .magic()
                .u32(3)
                .i64(1)
                .i64(0)
                .tensor("token_embd.weight", 8, 0, 32, 1)
                .align(32)
                .raw(new byte[34]));
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageStartingWith(
            "model.gguf: the table \"token_embd.weight\" is stored as Q8_0 big-endian, which cannot"
                + " be read");
  }

  @ParameterizedTest
  @CsvSource({"16, IQ2_XXS", "9, Q8_1", "26, I32", "4, Q4_2 (removed)", "77, ggml type 77"})
  void namesATypeThatIsNoTable(int type, String label) throws IOException {
    Path path =
        file(
            GgufBytes.header(1, 0)
                .tensor("token_embd.weight", type, 0, 256, 1)
                .align(32)
                .raw(new byte[1024]));
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageStartingWith(
            "model.gguf: the table \"token_embd.weight\" is stored as " + label + ", which");
  }

  @Test
  void anUnknownTypeElsewhereDoesNotHideTheTable() throws IOException {
    Path path =
        file(
            GgufBytes.header(2, 0)
                .tensor("blk.0.ffn_up.weight", 77, 32, 64, 1)
                .tensor("token_embd.weight", F32, 0, 2, 3)
                .align(32)
                .raw(new byte[64]));
    try (Lexicon lexicon = Models.open(path)) {
      assertThat(lexicon.input().table().rows()).isEqualTo(3);
    }
  }
}
