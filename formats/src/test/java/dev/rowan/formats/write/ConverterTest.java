package dev.rowan.formats.write;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Spelling;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.kernel.BlockFormat;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.Models;
import dev.rowan.formats.tensor.BigEndianRows;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows through a file and back. */
class ConverterTest extends ConverterFixture {
  @ParameterizedTest
  @EnumSource(
      names = {
        "SAFETENSORS",
        "SAFETENSORS_FILE",
        "MODEL2VEC",
        "WORD2VEC_TEXT",
        "WORD2VEC_BINARY",
        "GLOVE_TEXT",
        "NPZ",
        "PROJECTOR"
      })
  void rowsAndWordsComeBack(TargetFormat format) throws IOException {
    convert(words(), "out", format);
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      float[] values = all(back.input().table());
      assertThat(Arrays.copyOf(values, VALUES.length)).containsExactly(VALUES);
      Vocabulary vocabulary = back.vocabulary().orElseThrow();
      assertThat(vocabulary.spelling()).isEqualTo(Spelling.PLAIN);
      for (int id = 0; id < WORDS.size(); id++) {
        assertThat(vocabulary.stored(id)).isEqualTo(WORDS.get(id));
      }
      assertThat(back.tie()).isEqualTo(Tie.NO_OUTPUT);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"GGUF", "NPY"})
  void rowsComeBackFromTensorFiles(TargetFormat format) throws IOException {
    convert(words(), "out", format);
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      assertThat(all(back.input().table())).containsExactly(VALUES);
    }
  }

  @Test
  void blocksAreKeptAsTheyAre() throws IOException {
    byte[] blocks = new byte[2 * 34];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = (byte) (37 * i + 11);
    }
    Table table = Table.over(MemorySegment.ofArray(blocks), 2, 32, BlockFormat.Q8_0);
    Conversion done = convert(lexicon(table, Optional.empty()), "out", TargetFormat.GGUF);
    assertThat(done.numbers()).isEqualTo("q8_0");
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      assertThat(back.input().table().data().mismatch(MemorySegment.ofArray(blocks))).isEqualTo(-1);
      assertThat(back.input().table().format()).isEqualTo(BlockFormat.Q8_0);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"WORD2VEC_TEXT", "WORD2VEC_BINARY", "GLOVE_TEXT", "PROJECTOR"})
  void everyPairOfFormatsIsExact(TargetFormat first) throws IOException {
    convert(words(), "first", first);
    for (TargetFormat second :
        List.of(
            TargetFormat.WORD2VEC_TEXT,
            TargetFormat.WORD2VEC_BINARY,
            TargetFormat.GLOVE_TEXT,
            TargetFormat.PROJECTOR)) {
      String direct = "direct" + second;
      String through = "through" + second;
      convert(words(), direct, second);
      try (Lexicon middle = Models.open(folder.resolve("first"))) {
        convert(middle, through, second);
      }
      String inner = second.isFolder() ? "/tensors.tsv" : "";
      assertThat(Files.readAllBytes(folder.resolve(through + inner)))
          .isEqualTo(Files.readAllBytes(folder.resolve(direct + inner)));
      if (second.isFolder()) {
        deleteFolder(through);
        deleteFolder(direct);
      }
    }
  }

  private void deleteFolder(String name) throws IOException {
    try (Stream<Path> entries = Files.list(folder.resolve(name))) {
      for (Path entry : entries.toList()) {
        Files.delete(entry);
      }
    }
    Files.delete(folder.resolve(name));
  }

  @ParameterizedTest
  @EnumSource(names = {"CSV", "TSV"})
  void columnsComeBackAsTheyWere(TargetFormat format) throws IOException {
    float[] numbers = {0.1f, -1e-38f, Float.MIN_VALUE, 16_777_217, Float.NaN, -0.0f};
    Vocabulary tokens = Vocabulary.ofWords(List.of("a,b", "\"q", "ż ż"));
    Lexicon source = lexicon(Table.of(2, numbers), Optional.of(tokens));
    convert(source, "out", format);
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      assertThat(back.vocabulary().orElseThrow().text(0)).isEqualTo("a,b");
      assertThat(back.vocabulary().orElseThrow().text(1)).isEqualTo("\"q");
      assertThat(back.vocabulary().orElseThrow().text(2)).isEqualTo("ż ż");
      for (int row = 0; row < 3; row++) {
        assertThat(back.input().table().row(row))
            .containsExactly(numbers[2 * row], numbers[2 * row + 1]);
      }
    }
  }

  @Test
  void keepsTheNumberFormat() throws IOException {
    for (FloatFormat format : List.of(FloatFormat.F16, FloatFormat.BF16)) {
      byte[] bytes = {1, 2, 3, 4, 5, 6, 7, 8};
      Lexicon source =
          lexicon(
              Table.over(MemorySegment.ofArray(bytes), 2, 2, format),
              Optional.of(Vocabulary.ofWords(List.of("a", "b"))));
      Conversion done = convert(source, "out" + format, TargetFormat.SAFETENSORS);
      assertThat(done.numbers()).isEqualTo(format.label());
      try (Lexicon back = Models.open(folder.resolve("out" + format))) {
        assertThat(back.input().table().format()).isEqualTo(format);
        assertThat(back.input().table().data().mismatch(MemorySegment.ofArray(bytes)))
            .isEqualTo(-1);
      }
    }
  }

  @Test
  void roundsOnceToTheFormatAskedFor() throws IOException {
    Conversion done =
        Converter.convert(
            lexicon(Table.of(2, 0.1f, 65519f), Optional.of(Vocabulary.ofWords(List.of("a")))),
            folder.resolve("out"),
            TargetFormat.SAFETENSORS,
            ConvertOptions.DEFAULT.withNumbers(NumberFormat.F16));
    assertThat(done.numbers()).isEqualTo("f16");
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      // numpy: np.float16(0.1) = 0.0999755859375, np.float16(65519) = 65504
      assertThat(back.input().table().row(0)).containsExactly(0.099975586f, 65504f);
    }
  }

  @Test
  void int8OfModel2VecKeepsDirections() throws IOException {
    Converter.convert(
        lexicon(
            Table.of(2, 1, -0.5f, 0.25f, 0),
            Optional.of(Vocabulary.ofWords(List.of("a", "[UNK]")))),
        folder.resolve("out"),
        TargetFormat.MODEL2VEC,
        ConvertOptions.DEFAULT.withNumbers(NumberFormat.INT8));
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      // scale 1/127: 127, round(-63.5) = -64 to even, round(31.75) = 32
      assertThat(back.input().table().row(0)).containsExactly(127, -64);
      assertThat(back.input().table().row(1)).containsExactly(32, 0);
    }
  }

  @Test
  void saysWhatIsLost() throws IOException {
    Conversion done = convert(words(), "out", TargetFormat.NPY);
    assertThat(done.notes()).contains("npy holds numbers alone: tokens were not written");
    assertThat(done.rows()).isEqualTo(3);
  }

  // np.array(…).astype(np.float16); by way of float32 seven of the eight differ
  @ParameterizedTest
  @EnumSource(names = {"NPY", "SAFETENSORS"})
  void roundsDoublesOnce(TargetFormat format) throws IOException {
    double[] numbers = {
      1.0004882812509095,
      1.00048828125,
      1.0004882812490905,
      -3.0009765625000284,
      2.9802322388562674e-08,
      65519.999999999,
      6.106495857327587e-05,
      0.1
    };
    int[] halves = {0x3c01, 0x3c00, 0x3c00, 0xc201, 0x1, 0x7bff, 0x401, 0x2e66};
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      String name = "out" + order;
      ConvertOptions f16 = ConvertOptions.DEFAULT.withNumbers(NumberFormat.F16);
      Converter.convert(doubles(order, numbers), folder.resolve(name), format, f16);
      try (Lexicon back = Models.open(folder.resolve(name))) {
        float[] row = back.input().table().row(0);
        for (int i = 0; i < halves.length; i++) {
          assertThat(row[i]).isEqualTo(Float.float16ToFloat((short) halves[i]));
        }
      }
    }
  }

  @Test
  void roundsDoublesToBfloat16Once() throws IOException {
    // 1 + 2⁻⁸ lies between 1 and 1 + 2⁻⁷; what is above it goes up, though float32 says equal
    double above = 1 + 0x1p-8 + 0x1p-40;
    ConvertOptions bf16 = ConvertOptions.DEFAULT.withNumbers(NumberFormat.BF16);
    Lexicon source = doubles(ByteOrder.LITTLE_ENDIAN, above, -above, 1 + 0x1p-8, Double.NaN);
    Converter.convert(source, folder.resolve("out"), TargetFormat.SAFETENSORS, bf16);
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      assertThat(back.input().table().row(0))
          .containsExactly(1.0078125f, -1.0078125f, 1f, Float.NaN);
    }
  }

  @Test
  void keepsDoublesAsTheyAreWhereTheTargetHasThem() throws IOException {
    byte[] little = {0x42, 0, 0, 0, 0, 0, (byte) 0xe0, 0x3f, 7, 6, 5, 4, 3, 2, 1, 0x7e};
    ByteBuffer numbers = ByteBuffer.wrap(little).order(ByteOrder.LITTLE_ENDIAN);
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      Lexicon source = doubles(order, numbers.getDouble(0), numbers.getDouble(8));
      String name = "out" + order + ".npy";
      assertThat(convert(source, name, TargetFormat.NPY).numbers()).isEqualTo("f64");
      try (Lexicon back = Models.open(folder.resolve(name))) {
        assertThat(back.input().table().data().toArray(JAVA_BYTE)).containsExactly(little);
      }
    }
  }

  @Test
  void keepsBigEndianHalvesAsHalves() throws IOException {
    byte[] big = {0x3c, 0x00, (byte) 0xc2, 0x01};
    Table table = Table.over(MemorySegment.ofArray(big), 1, 2, BigEndianRows.F16);
    Lexicon source = lexicon(table, Optional.of(Vocabulary.ofWords(List.of("a"))));
    Conversion done = convert(source, "out.npy", TargetFormat.NPY);
    assertThat(done.numbers()).isEqualTo("f16");
    assertThat(done.notes()).noneMatch(note -> note.contains("f32"));
    try (Lexicon back = Models.open(folder.resolve("out.npy"))) {
      assertThat(back.input().table().row(0)).containsExactly(1, -0x1.804p1f);
    }
  }
}
