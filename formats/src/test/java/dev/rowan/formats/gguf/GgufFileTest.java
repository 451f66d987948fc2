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
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Fixtures named {@code gguf/…} were written by gguf-py 0.19.0 (make_gguf_fixtures.py), which also
 * made the numbers expected of them; the other files are made here byte by byte.
 */
class GgufFileTest {
  private static final int F32 = 0;

  @TempDir Path folder;

  private Path file(GgufBytes bytes) throws IOException {
    return Files.write(folder.resolve("model.gguf"), bytes.bytes());
  }

  /** A good file of one 3 × 2 table, whose keys the caller adds. */
  private static GgufBytes table(int keys, Consumer<GgufBytes> adding) {
    return GgufBytes.header(1, keys)
        .also(adding)
        .tensor("token_embd.weight", F32, 0, 2, 3)
        .align(32)
        .also(bytes -> {
          for (int i = 1; i <= 6; i++) {
            bytes.f32(i);
          }
        });
  }

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
  void readsByteLevelTokensAndLeavesPlaceholdersOut() throws IOException {
    try (Lexicon lexicon = Models.open(Fixture.write(folder, "gguf/gpt2.gguf"))) {
      Vocabulary vocabulary = lexicon.vocabulary().orElseThrow();
      assertThat(vocabulary.spelling()).isEqualTo(Spelling.BYTE_LEVEL);
      assertThat(vocabulary.text(1)).isEqualTo(" cat");
      assertThat(vocabulary.id("cat")).hasValue(0);
      assertThat(vocabulary.isAdded(3)).isTrue();
      assertThat(vocabulary.isAdded(1)).isFalse();
      assertThat(vocabulary.has(4)).isFalse();
      assertThat(lexicon.rowsWithoutToken()).isEqualTo(2);
      assertThat(lexicon.notes())
          .containsExactly(
              "2 ids have a placeholder for a token, such as \"[PAD4]\"; they count as rows without"
                  + " a token");
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
  void spellsWordPieceBack() throws IOException {
    Path path =
        file(
            table(
                2,
                b ->
                    b.textKey("tokenizer.ggml.model", "bert")
                        .textsKey(
                            "tokenizer.ggml.tokens",
                            "[CLS]",
                            "▁cat",
                            "s",
                            "[unused0]",
                            "▁[unused1]",
                            "▁[",
                            "",
                            "▁▁",
                            "▁")));
    try (Lexicon lexicon = Models.open(path)) {
      Vocabulary vocabulary = lexicon.vocabulary().orElseThrow();
      assertThat(vocabulary.spelling()).isEqualTo(Spelling.WORDPIECE);
      assertThat(stored(vocabulary))
          .containsExactly("[CLS]", "cat", "##s", "[unused0]", "[unused1]", "[", "##", "▁", "##▁");
      assertThat(vocabulary.notes())
          .containsExactly(
              "the file spells WordPiece as \"▁cat\" and \"s\"; the tokens here are spelled back,"
                  + " as \"cat\" and \"##s\"");
    }
  }

  @Test
  void keepsWordPieceThatWasNotRespelled() throws IOException {
    Path path =
        file(
            table(
                2,
                b ->
                    b.textKey("tokenizer.ggml.model", "bert")
                        .textsKey("tokenizer.ggml.tokens", "[CLS]", "cat", "##s")));
    try (Lexicon lexicon = Models.open(path)) {
      Vocabulary vocabulary = lexicon.vocabulary().orElseThrow();
      assertThat(stored(vocabulary)).containsExactly("[CLS]", "cat", "##s");
      assertThat(vocabulary.notes()).isEmpty();
    }
  }

  @Test
  void warnsOfCapitalsThatLowerCasingLeavesOut() throws IOException {
    Consumer<GgufBytes> cased =
        b ->
            b.textKey("tokenizer.ggml.model", "bert")
                .textsKey("tokenizer.ggml.tokens", "[CLS]", "▁the", "▁Paris");
    try (Lexicon lexicon = Models.open(file(table(2, cased)))) {
      assertThat(lexicon.vocabulary().orElseThrow().notes())
          .anyMatch(note -> note.contains("such as \"Paris\", are then never reached from text"));
    }
    Path told =
        file(
            table(
                3,
                cased.andThen(b -> b.key("tokenizer.ggml.normalizer.lowercase", 7).raw((byte) 0))));
    try (Lexicon lexicon = Models.open(told)) {
      assertThat(lexicon.vocabulary().orElseThrow().notes()).hasSize(1);
    }
  }

  private static List<String> stored(Vocabulary vocabulary) {
    return IntStream.range(0, vocabulary.size()).mapToObj(vocabulary::stored).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "gpt2, cat, BYTE_LEVEL",
    "t5, ▁cat, SENTENCEPIECE",
    "rwkv, cat, PLAIN",
    "newer, Ġcat, BYTE_LEVEL",
    "newer, ▁cat, SENTENCEPIECE",
    "newer, cat, PLAIN"
  })
  void tokenizerTellsTheSpelling(String model, String token, Spelling spelling) throws IOException {
    Path path =
        file(
            table(
                2,
                b ->
                    b.textKey("tokenizer.ggml.model", model)
                        .textsKey("tokenizer.ggml.tokens", token)));
    try (Lexicon lexicon = Models.open(path)) {
      assertThat(lexicon.vocabulary().orElseThrow().spelling()).isEqualTo(spelling);
    }
  }

  @Test
  void opensWithFewerAndMoreTokensThanRows() throws IOException {
    Path fewer = file(table(1, b -> b.textsKey("tokenizer.ggml.tokens", "a", "b")));
    try (Lexicon lexicon = Models.open(fewer)) {
      assertThat(lexicon.rowsWithoutToken()).isEqualTo(1);
    }
    Path more = file(table(1, b -> b.textsKey("tokenizer.ggml.tokens", "a", "b", "c", "d")));
    try (Lexicon lexicon = Models.open(more)) {
      assertThat(lexicon.rowsWithoutToken()).isZero();
      assertThat(lexicon.vocabulary().orElseThrow().size()).isEqualTo(4);
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
  void refusesVersion1() throws IOException {
    Path path = file(new GgufBytes(ByteOrder.LITTLE_ENDIAN).magic().u32(1).i64(0).i64(0));
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage(
            "model.gguf: has GGUF version 1; 2 and 3 can be read, so convert the model again with"
                + " a newer llama.cpp");
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
              "tensor \"w\" has a dimension of -1; 0 is the least (at byte 45)",
              GgufBytes.header(1, 0).tensor("w", F32, 0, -1, 2)),
          Map.entry(
              "tensor \"w\" has 5 dimensions; 0 to 4 are legal (at byte 37)",
              GgufBytes.header(1, 0).tensor("w", F32, 0, 1, 1, 1, 1, 1)),
          Map.entry(
              "tensor \"w\" has 4294967295 dimensions; 0 to 4 are legal (at byte 37)",
              GgufBytes.header(1, 0).text("w").u32(-1).raw(new byte[24])),
          // a dimension of 0 is an empty tensor, and no table
          Map.entry(
              "no tensor has a name that says it is a token table; choose one by name, those with"
                  + " rows are: none",
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
