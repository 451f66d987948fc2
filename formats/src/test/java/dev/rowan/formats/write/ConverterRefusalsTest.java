package dev.rowan.formats.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Spelling;
import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.Models;
import dev.rowan.formats.write.ConvertOptions.RowChoice;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is refused, before anything is written. */
class ConverterRefusalsTest extends ConverterFixture {
  @Test
  void refusesTextThatWouldNotComeBack() throws IOException {
    // gensim writes the first and cannot read it
    refuses(
        named("hello", "my name"),
        TargetFormat.WORD2VEC_TEXT,
        "\"my name\" of row 1 holds a space");
    refuses(named("my name"), TargetFormat.WORD2VEC_BINARY, "holds a space");
    refuses(named("a\nb"), TargetFormat.GLOVE_TEXT, "\"a\\nb\" of row 0 holds a line break");
    refuses(named("a", ""), TargetFormat.WORD2VEC_TEXT, "row 1 is empty");
    refuses(named("a\tb"), TargetFormat.PROJECTOR, "holds a tab");
    refuses(named("a\tb"), TargetFormat.TSV, "holds a tab");
    refuses(named("in 1", "in 2", "in"), TargetFormat.GLOVE_TEXT, "most tokens end in a space");
    refuses(named("a", "a"), TargetFormat.MODEL2VEC, "\"a\" of rows 0 and 1 occurs twice");
    refuses(named("a\0"), TargetFormat.NPZ, "NumPy drops");
    refuses(named("a", ""), TargetFormat.SAFETENSORS_FILE, "is empty");
    for (String blank : List.of(" ", "\u00a0", "\u3000", "\f", "\ufeff\u2003")) {
      refuses(named("a", blank), TargetFormat.PROJECTOR, "is white space alone");
    }
    for (TargetFormat format : List.of(TargetFormat.PROJECTOR, TargetFormat.GLOVE_TEXT)) {
      refuses(named("\ufeffa"), format, "begins with a byte order mark");
    }
  }

  @Test
  void refusesTokensThatAreNotUtf8WhereJsonHoldsThem() throws IOException {
    Vocabulary broken =
        Vocabulary.of(Spelling.PLAIN, new byte[][] {{(byte) 0xFF}}, new BitSet(), new BitSet());
    refuses(lexicon(Table.of(1, 1), Optional.of(broken)), TargetFormat.SAFETENSORS, "is not UTF-8");
  }

  @Test
  void refusesRowsWithoutTokenUnlessTheyAreLeftOut() throws IOException {
    Vocabulary gap = Vocabulary.of(Spelling.PLAIN, Arrays.asList("a", null, "c"), new BitSet());
    Lexicon source = lexicon(Table.of(1, 1, 2, 3, 4), Optional.of(gap));
    refuses(
        source,
        TargetFormat.WORD2VEC_TEXT,
        "row 1 has no token, and word2vec text needs one for each row; leave out the rows without a token (--with-token)");
    Conversion done =
        Converter.convert(
            source,
            folder.resolve("out"),
            TargetFormat.WORD2VEC_TEXT,
            ConvertOptions.DEFAULT.withRows(RowChoice.WITH_TOKEN));
    assertThat(folder.resolve("out")).hasContent("2 1\na 1.0\nc 3.0\n");
    assertThat(done.notes())
        .anyMatch(note ->
            note.equals("2 rows without a token were left out, so that later ids have moved up"));
  }

  @Test
  void refusesATableWithoutTokensWhereRowsNeedThem() throws IOException {
    Lexicon source = lexicon(Table.of(1, 1, 2), Optional.empty());
    refuses(source, TargetFormat.WORD2VEC_TEXT, "needs a token for each row");
    refuses(source, TargetFormat.SAFETENSORS, "no vocabulary");
    convert(source, "out.npy", TargetFormat.NPY);
    assertThat(folder.resolve("out.npy")).exists();
  }

  @Test
  void refusesNumbersThatTheTargetCannotHold() throws IOException {
    ConvertOptions f16 = ConvertOptions.DEFAULT.withNumbers(NumberFormat.F16);
    refuses(words(), TargetFormat.SAFETENSORS, f16, "row 0 holds 3.4028235E38, but f16 ends at");
    refuses(words(), TargetFormat.WORD2VEC_TEXT, f16, "word2vec text cannot hold f16");
    ConvertOptions int8 = ConvertOptions.DEFAULT.withNumbers(NumberFormat.INT8);
    refuses(words(), TargetFormat.SAFETENSORS, int8, "no agreed place for the scale");
    refuses(words(), TargetFormat.GGUF, int8, "Q8_0, whose blocks have 32");
    refuses(
        words(),
        TargetFormat.NPY,
        ConvertOptions.DEFAULT.withNumbers(NumberFormat.BF16),
        "npy cannot hold bf16");
  }

  @Test
  void refusesWhatTensorBoardTakesForALabel() throws IOException {
    Lexicon source =
        lexicon(Table.of(1, 1, Float.NaN), Optional.of(Vocabulary.ofWords(List.of("a", "b"))));
    refuses(source, TargetFormat.PROJECTOR, "row 1 holds NaN");
  }

  /** 2⁻²⁵ is half of the least f16, and ties go to even, which is zero. */
  @Test
  void countsRowsThatBecomeZeros() throws IOException {
    Lexicon source =
        lexicon(
            Table.of(2, 0x1p-25f, -1e-9f, 0, 0, 0x1.000002p-25f, 0, 1, 1e-9f),
            Optional.of(Vocabulary.ofWords(List.of("a", "b", "c", "d"))));
    Conversion done =
        Converter.convert(
            source,
            folder.resolve("out.npz"),
            TargetFormat.NPZ,
            ConvertOptions.DEFAULT.withNumbers(NumberFormat.F16));
    assertThat(done.notes()).contains("1 row became zeros: all numbers are too small for f16");
  }

  @Test
  void refusesWordPieceThatGgufWouldMistake() throws IOException {
    Vocabulary vocabulary =
        Vocabulary.of(Spelling.WORDPIECE, List.of("cat", "##[x]"), new BitSet());
    refuses(
        lexicon(Table.of(1, 1, 2), Optional.of(vocabulary)),
        TargetFormat.GGUF,
        "\"##[x]\" of row 1 would not come back");
  }

  @Test
  void neverReplacesAFolderThatHoldsSomething() throws IOException {
    Path target = Files.createDirectory(folder.resolve("out"));
    Files.writeString(target.resolve("mine.txt"), "keep");
    assertThatThrownBy(() -> convert(words(), "out", TargetFormat.MODEL2VEC))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("not empty");
    assertThat(target.resolve("mine.txt")).hasContent("keep");
  }

  @Test
  void leavesTheOldFileWhereWritingFails() throws IOException {
    Path target = Files.writeString(folder.resolve("out"), "old");
    byte[] bytes = new byte[8];
    MemorySegment gone;
    try (var arena = Arena.ofConfined()) {
      gone = arena.allocate(8).copyFrom(MemorySegment.ofArray(bytes));
    }
    Table table = Table.over(gone, 2, 1, FloatFormat.F32);
    Lexicon source = lexicon(table, Optional.of(Vocabulary.ofWords(List.of("a", "b"))));
    assertThatThrownBy(() ->
            Converter.convert(source, target, TargetFormat.WORD2VEC_TEXT, ConvertOptions.DEFAULT))
        .isInstanceOf(IllegalStateException.class);
    assertThat(target).hasContent("old");
    try (Stream<Path> entries = Files.list(folder)) {
      assertThat(entries).containsExactly(target);
    }
  }

  @Test
  void refusesAnEmptyTokenBesideRowsWithoutOneInNpz() throws IOException {
    Vocabulary both = Vocabulary.of(Spelling.PLAIN, Arrays.asList("", null), new BitSet());
    refuses(
        lexicon(Table.of(1, 1, 2), Optional.of(both)), TargetFormat.NPZ, "would not tell apart");
  }

  @Test
  void refusesDoublesThatWouldBecomeInfinite() throws IOException {
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      Lexicon source = doubles(order, 1, 1e300);
      String reason = "row 0 holds 1.0E300, but f32 ends at 3.4028235E38";
      for (TargetFormat format :
          List.of(
              TargetFormat.CSV,
              TargetFormat.TSV,
              TargetFormat.WORD2VEC_TEXT,
              TargetFormat.WORD2VEC_BINARY,
              TargetFormat.GLOVE_TEXT,
              TargetFormat.PROJECTOR)) {
        refuses(source, format, reason);
      }
      refuses(source, TargetFormat.NPY, as(NumberFormat.F32), reason);
      refuses(source, TargetFormat.NPY, as(NumberFormat.F16), "holds 1.0E300, but f16 ends at");
      refuses(source, TargetFormat.SAFETENSORS, as(NumberFormat.BF16), "but bf16 ends at");
      refuses(source, TargetFormat.MODEL2VEC, as(NumberFormat.INT8), "holds 1.0E300, which int8");
    }
    // FLT_MAX and half a step: the first double that rounds to infinity, and the last that does not
    double first = 0x1.FFFFFFp127;
    refuses(doubles(ByteOrder.LITTLE_ENDIAN, first), TargetFormat.NPY, as(NumberFormat.F32), "f32");
    Lexicon last = doubles(ByteOrder.LITTLE_ENDIAN, Math.nextDown(first), Double.NEGATIVE_INFINITY);
    Converter.convert(last, folder.resolve("x.npy"), TargetFormat.NPY, as(NumberFormat.F32));
    try (Lexicon back = Models.open(folder.resolve("x.npy"))) {
      assertThat(back.input().table().row(0))
          .containsExactly(Float.MAX_VALUE, Float.NEGATIVE_INFINITY);
    }
  }

  private static ConvertOptions as(NumberFormat numbers) {
    return ConvertOptions.DEFAULT.withNumbers(numbers);
  }
}
