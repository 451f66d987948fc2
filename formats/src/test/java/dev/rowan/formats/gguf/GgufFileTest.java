package dev.rowan.formats.gguf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.formats.Fixture;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** How a file is found, laid out and tied. */
class GgufFileTest extends GgufFixture {
  @Test
  void absentOutputMeansTied() throws IOException {
    try (Lexicon lexicon = Models.open(Fixture.write(folder, "gguf/gpt2.gguf"))) {
      assertThat(lexicon.tie()).isEqualTo(Tie.TIED);
      assertThat(lexicon.tieEvidence())
          .isEqualTo(
              "the file holds no output table, so the input table serves at both ends; GGUF files"
                  + " leave the output table out where it is tied");
    }
  }

  @Test
  void encoderHasNoOutputToTie() throws IOException {
    Path path = file(table(1, bytes -> bytes.textKey("general.architecture", "bert")));
    try (Lexicon lexicon = Models.open(path)) {
      assertThat(lexicon.tie()).isEqualTo(Tie.NO_OUTPUT);
    }
  }

  @Test
  void modelThatSeesAheadHasNoOutputToTie() throws IOException {
    Path path =
        file(
            table(
                2,
                bytes ->
                    bytes
                        .textKey("general.architecture", "llama")
                        .key("llama.attention.causal", 7)
                        .raw((byte) 0)));
    try (Lexicon lexicon = Models.open(path)) {
      assertThat(lexicon.tie()).isEqualTo(Tie.NO_OUTPUT);
    }
  }

  @Test
  void readsEveryTypeOfValue() throws IOException {
    Path path =
        file(
            table(
                14,
                b ->
                    b.key("u8", 0)
                        .raw((byte) 200)
                        .key("i8", 1)
                        .raw((byte) -1)
                        .key("u16", 2)
                        .raw((byte) 1, (byte) 2)
                        .key("i16", 3)
                        .raw((byte) 1, (byte) 2)
                        .key("u32", 4)
                        .u32(0xFFFFFFFFL)
                        .key("i32", 5)
                        .u32(-5)
                        .key("f32", 6)
                        .f32(1.5)
                        .key("bool", 7)
                        .raw((byte) 1)
                        .textKey("text", "x")
                        .key("array", 9)
                        .u32(1)
                        .i64(3)
                        .raw((byte) 1, (byte) 2, (byte) 3)
                        .key("u64", 10)
                        .i64(-1)
                        .key("i64", 11)
                        .i64(-1)
                        .key("f64", 12)
                        .i64(Double.doubleToLongBits(2.5))
                        .key("arrays", 9)
                        .u32(9)
                        .i64(2)
                        .u32(8)
                        .i64(1)
                        .text("y")
                        .u32(4)
                        .i64(0)));
    try (Lexicon lexicon = Models.open(path)) {
      assertThat(lexicon.input().table().row(2)).containsExactly(5, 6);
      assertThat(lexicon.vocabulary()).isEmpty();
    }
  }

  @Test
  void ownConfigYieldsToOneBeside() throws IOException {
    Files.writeString(
        folder.resolve("config.json"), "{\"model_type\":\"x\",\"tie_word_embeddings\":false}");
    try (Lexicon lexicon = Models.open(Fixture.write(folder, "gguf/gpt2.gguf"))) {
      assertThat(lexicon.origin().architecture()).contains("x");
      assertThat(lexicon.tie()).isEqualTo(Tie.NO_OUTPUT);
    }
  }

  @Test
  void opensAFolderWithOneFile() throws IOException {
    Fixture.write(folder, "gguf/gpt2.gguf");
    try (Lexicon lexicon = Models.open(folder)) {
      assertThat(lexicon.input().table().rows()).isEqualTo(6);
    }
  }

  @Test
  void asksWhichOfSeveralFiles() throws IOException {
    byte[] bytes = Fixture.bytes("gguf/gpt2.gguf");
    Files.write(folder.resolve("gpt2-Q4_K.gguf"), bytes);
    Files.write(folder.resolve("gpt2-Q8_0.gguf"), bytes);
    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(FormatException.class)
        .hasMessageEndingWith(
            "holds several models (gpt2-Q4_K.gguf, gpt2-Q8_0.gguf); name the file to open");
  }

  private void split(String first, String second) throws IOException {
    Files.write(
        folder.resolve(first),
        table(1, b -> b.key("split.count", 2).raw((byte) 2, (byte) 0)).bytes());
    Files.write(
        folder.resolve(second),
        GgufBytes.header(1, 1)
            .key("split.count", 2)
            .raw((byte) 2, (byte) 0)
            .tensor("output.weight", F32, 0, 2, 3)
            .align(32)
            .raw(new byte[24])
            .bytes());
  }

  @Test
  void opensThePartsOfASplitFile() throws IOException {
    split("m-00001-of-00002.gguf", "m-00002-of-00002.gguf");
    for (String name : new String[] {"", "m-00001-of-00002.gguf", "m-00002-of-00002.gguf"}) {
      try (Lexicon lexicon = Models.open(folder.resolve(name))) {
        assertThat(lexicon.input().table().row(0)).containsExactly(1, 2);
        assertThat(lexicon.tie()).isEqualTo(Tie.UNTIED);
      }
    }
  }

  @Test
  void refusesASplitFileWithoutItsOtherPart() throws IOException {
    split("m-00001-of-00002.gguf", "elsewhere.gguf");
    assertThatThrownBy(() -> Models.open(folder.resolve("m-00001-of-00002.gguf")))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("its part \"m-00002-of-00002.gguf\" is missing");
    assertThatThrownBy(() -> Models.open(folder.resolve("elsewhere.gguf")))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("is one of 2 parts (split.count) but is not named like one");
  }

  @Test
  void alignsTheDataAsTheFileSays() throws IOException {
    Path path =
        file(
            GgufBytes.header(1, 1)
                .key("general.alignment", 4)
                .u32(256)
                .tensor("token_embd.weight", F32, 256, 1, 1)
                .align(256)
                .raw(new byte[256])
                .f32(2.5));
    try (Lexicon lexicon = Models.open(path)) {
      assertThat(lexicon.input().table().row(0)).containsExactly(2.5f);
    }
  }

  @Test
  void readsVersion2() throws IOException {
    byte[] bytes = table(0, _ -> {}).bytes();
    bytes[4] = 2;
    try (Lexicon lexicon = Models.open(Files.write(folder.resolve("v2.gguf"), bytes))) {
      assertThat(lexicon.input().table().row(1)).containsExactly(3, 4);
    }
  }

  @Test
  void opensTheNamedTensorInstead() throws IOException {
    Path path =
        file(
            GgufBytes.header(2, 0)
                .tensor("token_embd.weight", F32, 0, 2, 3)
                .tensor("position_embd.weight", F32, 32, 1, 2)
                .align(32)
                .raw(new byte[40]));
    try (Lexicon lexicon =
        Models.open(path, OpenOptions.DEFAULT.withTensor("position_embd.weight"))) {
      assertThat(lexicon.input().table().rows()).isEqualTo(2);
      assertThat(lexicon.input().table().width()).isEqualTo(1);
    }
  }
}
