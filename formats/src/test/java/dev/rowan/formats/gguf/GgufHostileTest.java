package dev.rowan.formats.gguf;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.Fixture;
import dev.rowan.formats.Models;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that are cut off, damaged or made to do harm. */
class GgufHostileTest extends GgufFixture {
  @ParameterizedTest
  @CsvSource({"gpt2", "llama-big-endian", "gemma"})
  void refusesEveryCut(String name) throws IOException {
    byte[] whole = Fixture.bytes("gguf/" + name + ".gguf");
    // the writer pads the end of the file, which nothing needs
    int end = whole.length;
    while (whole[end - 1] == 0) {
      end--;
    }
    Fixture.refusesEveryCut(folder, Arrays.copyOf(whole, end), ".gguf");
  }

  @Test
  void refusesVersion1() throws IOException {
    Path path = file(new GgufBytes(ByteOrder.LITTLE_ENDIAN).magic().u32(1).i64(0).i64(0));
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage(
            "model.gguf: has GGUF version 1; 2 and 3 can be read, so convert the model again with"
                + " a newer llama.cpp");
  }

  /** What a file says wrong, and what is said about it. */
  private static final Map<String, GgufBytes> HOSTILE =
      Map.ofEntries(
          // dimensions whose product overflows, or only does not fit the file
          Map.entry(
              "tensor \"token_embd.weight\" has more than 2^63 numbers: [4398046511105, 4398046511105]"
                  + " (at byte 24)",
              GgufBytes.header(1, 0)
                  .tensor("token_embd.weight", 1, 0, (1L << 42) + 1, (1L << 42) + 1)
                  .align(32)
                  .raw(new byte[64])),
          Map.entry(
              "tensor \"token_embd.weight\" of shape [4398046511105, 2] at offset 0 of the data does"
                  + " not end within the file (192 bytes); the file looks cut off, copy it again (at"
                  + " byte 24)",
              GgufBytes.header(1, 0)
                  .tensor("token_embd.weight", 1, 0, 2, (1L << 42) + 1)
                  .align(32)
                  .raw(new byte[96])),
          Map.entry(
              "tensor \"w\" has a dimension of 18446744073709551615; 2^63 − 1 is the most (at byte 45)",
              GgufBytes.header(1, 0).tensor("w", F32, 0, -1, 2)),
          Map.entry(
              "tensor \"w\" has 5 dimensions; 0 to 4 are legal (at byte 37)",
              GgufBytes.header(1, 0).tensor("w", F32, 0, 1, 1, 1, 1, 1)),
          Map.entry(
              "tensor \"w\" has 4294967295 dimensions; 0 to 4 are legal (at byte 37)",
              GgufBytes.header(1, 0).text("w").u32(-1).raw(new byte[24])),
          // a dimension of 0 is an empty tensor, and no table
          Map.entry(
              "holds no table, which has two dimensions, rows × width, neither of them 0; it holds"
                  + " \"token_embd.weight\" (3 × 0)",
              GgufBytes.header(1, 0).tensor("token_embd.weight", F32, 0, 0, 3).align(32)),
          Map.entry(
              "general.alignment is 0; it should be a power of two, 1 or more; convert the model"
                  + " again",
              GgufBytes.header(0, 1).key("general.alignment", 4).u32(0)),
          Map.entry(
              "general.alignment is 48; it should be a power of two, 1 or more; convert the model"
                  + " again",
              GgufBytes.header(0, 1).key("general.alignment", 4).u32(48)),
          Map.entry(
              "key \"general.alignment\" should be u32 but is a string",
              GgufBytes.header(0, 1).textKey("general.alignment", "32")),
          Map.entry(
              "tensor \"w\" has offset 8, which is not a multiple of the alignment 32 (at byte 65)",
              GgufBytes.header(1, 0).tensor("w", F32, 8, 2, 1).raw(new byte[64])),
          Map.entry(
              "key \"tokenizer.ggml.scores\" should be an array of f32 but is an array of u8",
              table(
                  2,
                  b ->
                      b.textsKey("tokenizer.ggml.tokens", "a")
                          .key("tokenizer.ggml.scores", 9)
                          .u32(0)
                          .i64(1)
                          .raw((byte) 1))),
          Map.entry(
              "key \"tokenizer.ggml.tokens\" should be an array of string but is an array of i32",
              table(1, b -> b.key("tokenizer.ggml.tokens", 9).u32(5).i64(1).u32(1))),
          Map.entry(
              "tokenizer.ggml.token_type has 1 items but tokenizer.ggml.tokens has 2; both should"
                  + " have one a token",
              table(
                  2,
                  b ->
                      b.textsKey("tokenizer.ggml.tokens", "a", "b")
                          .key("tokenizer.ggml.token_type", 9)
                          .u32(5)
                          .i64(1)
                          .u32(1))),
          Map.entry(
              "the array \"x\" claims 9223372036854775807 items of at least 8 bytes but only 0 bytes"
                  + " are left; the file looks cut off or damaged (at byte 49)",
              GgufBytes.header(0, 1).key("x", 9).u32(8).i64(Long.MAX_VALUE)),
          Map.entry(
              "the array \"x\" claims 18446744073709551615 items of at least 4 bytes but only 0"
                  + " bytes are left; the file looks cut off or damaged (at byte 49)",
              GgufBytes.header(0, 1).key("x", 9).u32(6).i64(-1)),
          Map.entry(
              "the value of \"x\" claims 18446744073709551615 bytes but only 0 are left; the file"
                  + " looks cut off or damaged (at byte 37)",
              GgufBytes.header(0, 1).key("x", 8).i64(-1)),
          Map.entry(
              "key \"x\" has value type 13, which is not known; 0 to 12 are (at byte 37)",
              GgufBytes.header(0, 1).key("x", 13)),
          Map.entry(
              "duplicate key: \"x\" occurs twice (at byte 52)",
              GgufBytes.header(0, 2).key("x", 7).raw((byte) 1).key("x", 0).raw((byte) 1).raw()),
          Map.entry(
              "duplicate name: tensor \"w\" occurs twice (at byte 106)",
              GgufBytes.header(2, 0).tensor("w", F32, 0, 2, 1).tensor("w", F32, 0, 2, 1).u32(0)),
          Map.entry(
              "tensor \"b\" overlaps tensor \"a\" (at byte 128)",
              GgufBytes.header(2, 0)
                  .tensor("a", F32, 0, 2, 1)
                  .tensor("b", F32, 0, 2, 1)
                  .align(32)
                  .raw(new byte[64])),
          Map.entry(
              "tensor \"w\" has rows of 33 numbers, which is not a whole number of Q8_0 blocks of 32"
                  + " (at byte 24)",
              GgufBytes.header(1, 0).tensor("w", 8, 0, 33, 32).align(32).raw(new byte[2048])),
          Map.entry(
              "the count of keys claims 72057594037927936 items of at least 13 bytes but only 0"
                  + " bytes are left; the file looks cut off or damaged (at byte 24)",
              GgufBytes.header(0, 1L << 56)),
          Map.entry(
              "the count of tensors claims 18446744073709551615 items of at least 24 bytes but only"
                  + " 0 bytes are left; the file looks cut off or damaged (at byte 24)",
              GgufBytes.header(-1, 0)));

  @Test
  void saysWhatIsWrong() throws IOException {
    for (var hostile : HOSTILE.entrySet()) {
      Path path = file(hostile.getValue());
      assertThatThrownBy(() -> Models.open(path))
          .isInstanceOf(FormatException.class)
          .hasMessage("model.gguf: " + hostile.getKey());
    }
  }

  @Test
  void refusesArraysNestedWithoutEnd() throws IOException {
    GgufBytes bytes = GgufBytes.header(0, 1).key("x", 9);
    for (int i = 0; i < 100_000; i++) {
      bytes.u32(9).i64(1);
    }
    Path path = file(bytes);
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("key \"x\" nests arrays deeper than 8");
  }
}
