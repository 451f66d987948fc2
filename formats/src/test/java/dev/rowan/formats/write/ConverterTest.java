package dev.rowan.formats.write;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Origin;
import dev.rowan.core.Spelling;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.kernel.BlockFormat;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.GptFolder;
import dev.rowan.formats.Models;
import dev.rowan.formats.write.ConvertOptions.RowChoice;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ConverterTest {
  private static final float[] VALUES = {
    0.1f, -1.5f, 3.4028235e38f, Float.MIN_VALUE, -0f, 123456.78f, 1f / 3, 2, 16777216f
  };
  private static final List<String> WORDS = List.of("the", "café", "\u00a0東京");

  @TempDir Path folder;

  private static Lexicon lexicon(Table table, Optional<Vocabulary> vocabulary) {
    return new Lexicon(
        new NamedTable("vectors", table),
        Optional.empty(),
        vocabulary,
        Tie.NO_OUTPUT,
        "made for a test",
        new Origin(
            Path.of("source.txt"), "test", Optional.empty(), OptionalLong.empty(), List.of()),
        () -> {});
  }

  private static Lexicon words() {
    return lexicon(Table.of(3, VALUES), Optional.of(Vocabulary.ofWords(WORDS)));
  }

  private static Lexicon named(String... words) {
    float[] values = new float[2 * words.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    return lexicon(Table.of(2, values), Optional.of(Vocabulary.ofWords(List.of(words))));
  }

  private Conversion convert(Lexicon lexicon, String name, TargetFormat format) throws IOException {
    return Converter.convert(lexicon, folder.resolve(name), format, ConvertOptions.DEFAULT);
  }

  private void refuses(Lexicon lexicon, TargetFormat format, ConvertOptions options, String reason)
      throws IOException {
    Path target = folder.resolve("refused");
    assertThatThrownBy(() -> Converter.convert(lexicon, target, format, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
    try (Stream<Path> entries = Files.list(folder)) {
      assertThat(entries).as("nothing is written").isEmpty();
    }
  }

  private void refuses(Lexicon lexicon, TargetFormat format, String reason) throws IOException {
    refuses(lexicon, format, ConvertOptions.DEFAULT, reason);
  }

  private static float[] all(Table table) {
    float[] values = new float[Math.toIntExact(table.parameters())];
    table.copyRows(0, (int) table.rows(), values, 0);
    return values;
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "SAFETENSORS",
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

  @ParameterizedTest
  @EnumSource(names = {"GGUF", "NPZ"})
  void tokensComeBackInTheirSpelling(TargetFormat format) throws IOException {
    Vocabulary gap =
        Vocabulary.of(Spelling.BYTE_LEVEL, Arrays.asList("a", null, "Ġc"), new BitSet());
    convert(lexicon(Table.of(1, 1, 2, 3), Optional.of(gap)), "out", format);
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      Vocabulary vocabulary = back.vocabulary().orElseThrow();
      assertThat(vocabulary.spelling()).isEqualTo(Spelling.BYTE_LEVEL);
      assertThat(vocabulary.stored(2)).isEqualTo("Ġc");
      assertThat(vocabulary.has(1)).isFalse();
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

  @Test
  void bytesThatAreNotUtf8ComeBackFromWord2vec() throws IOException {
    byte[][] entries = {{'a', (byte) 0xE3}, {(byte) 0xFF}};
    Vocabulary vocabulary = Vocabulary.of(Spelling.PLAIN, entries, new BitSet(), new BitSet());
    for (TargetFormat format : List.of(TargetFormat.WORD2VEC_TEXT, TargetFormat.WORD2VEC_BINARY)) {
      convert(lexicon(Table.of(1, 1, 2), Optional.of(vocabulary)), "out", format);
      try (Lexicon back = Models.open(folder.resolve("out"))) {
        assertThat(back.vocabulary().orElseThrow().bytes(0)).isEqualTo(entries[0]);
        assertThat(back.vocabulary().orElseThrow().bytes(1)).isEqualTo(entries[1]);
      }
    }
  }

  @Test
  void spacesComeBackFromGloveText() throws IOException {
    Lexicon source = named(". . .", "at name@domain.com", "the", "a ", "in 2012");
    convert(source, "out", TargetFormat.GLOVE_TEXT);
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      assertThat(back.input().table().width()).isEqualTo(2);
      for (int id = 0; id < 5; id++) {
        assertThat(back.vocabulary().orElseThrow().stored(id))
            .isEqualTo(source.vocabulary().orElseThrow().stored(id));
      }
    }
  }

  @Test
  void textIsWrittenAsSpecified() throws IOException {
    convert(named("a", "b"), "out", TargetFormat.WORD2VEC_TEXT);
    assertThat(folder.resolve("out")).hasContent("2 2\na 0.0 1.0\nb 2.0 3.0\n");
    convert(named("a", "b"), "out", TargetFormat.GLOVE_TEXT);
    assertThat(folder.resolve("out")).hasContent("a 0.0 1.0\nb 2.0 3.0\n");
  }

  @Test
  void csvQuotesWhatNeedsIt() throws IOException {
    convert(named("a,b", "say \"x\"", "line\nbreak"), "out.csv", TargetFormat.CSV);
    assertThat(Files.readString(folder.resolve("out.csv")))
        .isEqualTo(
            """
            id,token,d0,d1
            0,"a,b",0.0,1.0
            1,"say ""x""\",2.0,3.0
            2,"line
            break",4.0,5.0
            """);
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
  void tsvKeepsIds() throws IOException {
    convert(named("a", "b"), "out.tsv", TargetFormat.TSV);
    assertThat(Files.readString(folder.resolve("out.tsv")))
        .isEqualTo(
            """
            id\ttoken\td0\td1
            0\ta\t0.0\t1.0
            1\tb\t2.0\t3.0
            """);
  }

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
    refuses(source, TargetFormat.WORD2VEC_TEXT, "row 1 has no token");
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
  void model2VecGetsARowForUnknownWords() throws IOException {
    Conversion done = convert(words(), "out", TargetFormat.MODEL2VEC);
    assertThat(done.notes()).anyMatch(note -> note.contains("\"[UNK]\" was added"));
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      assertThat(back.input().table().rows()).isEqualTo(4);
      assertThat(back.input().table().row(3)).containsExactly(0, 0, 0);
      assertThat(back.vocabulary().orElseThrow().id("[UNK]")).hasValue(3);
    }
  }

  @Test
  void safetensorsFolderKeepsTokenizerTieAndRows() throws IOException {
    Path model = Files.createDirectory(folder.resolve("gpt"));
    GptFolder.write(model);
    try (Lexicon source = Models.open(model)) {
      convert(source, "out", TargetFormat.SAFETENSORS);
      try (Lexicon back = Models.open(folder.resolve("out"))) {
        assertThat(back.input().tensor()).isEqualTo(source.input().tensor());
        assertThat(all(back.input().table())).containsExactly(all(source.input().table()));
        assertThat(back.tie()).isEqualTo(source.tie());
        assertThat(back.origin().architecture()).isEqualTo(source.origin().architecture());
        assertThat(back.vocabulary().orElseThrow().spelling()).isEqualTo(Spelling.BYTE_LEVEL);
      }
    }
    assertThat(Files.readAllBytes(folder.resolve("out/tokenizer.json")))
        .isEqualTo(Files.readAllBytes(model.resolve("tokenizer.json")));
    assertThat(Files.readString(folder.resolve("out/model.safetensors"), ISO_8859_1))
        .contains("\"rowan.source.name\":\"gpt\"");
  }

  @ParameterizedTest
  @EnumSource(Spelling.class)
  void writtenTokenizersSpellAsTheSourceDid(Spelling spelling) throws IOException {
    List<@Nullable String> tokens = List.of("Ġcat", "▁cat", "##s", "[CLS]");
    BitSet added = new BitSet();
    added.set(3);
    Lexicon source =
        lexicon(Table.of(1, 1, 2, 3, 4), Optional.of(Vocabulary.of(spelling, tokens, added)));
    convert(source, "out", TargetFormat.SAFETENSORS);
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      Vocabulary vocabulary = back.vocabulary().orElseThrow();
      assertThat(vocabulary.spelling()).isEqualTo(spelling);
      assertThat(vocabulary.isAdded(3)).isTrue();
      for (int id = 0; id < 4; id++) {
        assertThat(vocabulary.stored(id)).isEqualTo(tokens.get(id));
      }
    }
  }

  private static Lexicon model(Tie tie, float... output) {
    Optional<NamedTable> table =
        output.length == 0
            ? Optional.empty()
            : Optional.of(new NamedTable("lm_head.weight", Table.of(2, output)));
    return new Lexicon(
        new NamedTable("model.embed_tokens.weight", Table.of(2, 1, 2, 3, 4)),
        table,
        Optional.of(Vocabulary.ofWords(List.of("a", "b"))),
        tie,
        "made for a test",
        new Origin(
            Path.of("source"), "test", Optional.of("llama"), OptionalLong.empty(), List.of()),
        () -> {});
  }

  @ParameterizedTest
  @EnumSource(names = {"SAFETENSORS", "GGUF", "NPZ"})
  void outputTableOfItsOwnComesBack(TargetFormat format) throws IOException {
    Converter.convert(
        model(Tie.UNTIED, 5, 6, 7, 8),
        folder.resolve("out"),
        format,
        ConvertOptions.DEFAULT.withNumbers(NumberFormat.F16));
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      assertThat(back.tie()).isEqualTo(Tie.UNTIED);
      assertThat(all(back.input().table())).containsExactly(1, 2, 3, 4);
      assertThat(all(back.output().orElseThrow().table())).containsExactly(5, 6, 7, 8);
      assertThat(back.output().orElseThrow().table().format()).isEqualTo(FloatFormat.F16);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TargetFormat.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"SAFETENSORS", "GGUF", "NPZ"})
  void saysWhereTheOutputTableWasLeftOut(TargetFormat format) throws IOException {
    Conversion done = convert(model(Tie.UNTIED, 5, 6, 7, 8), "out", format);
    assertThat(done.notes()).anyMatch(note -> note.startsWith("the output table was not written"));
  }

  @ParameterizedTest
  @EnumSource(Tie.class)
  void ggufSaysOfTheTieWhatTheSourceSaid(Tie tie) throws IOException {
    float[] output = tie == Tie.UNTIED ? new float[] {5, 6, 7, 8} : new float[0];
    convert(model(tie, output), "out", TargetFormat.GGUF);
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      assertThat(back.tie()).isEqualTo(tie == Tie.TIED_STORED_TWICE ? Tie.TIED : tie);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Tie.class,
      names = {"TIED", "UNTIED", "NO_OUTPUT"})
  void npzSaysOfTheTieWhatTheSourceSaid(Tie tie) throws IOException {
    float[] output = tie == Tie.UNTIED ? new float[] {5, 6, 7, 8} : new float[0];
    Conversion done = convert(model(tie, output), "out", TargetFormat.NPZ);
    assertThat(done.notes()).noneMatch(note -> note.contains("no place"));
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      assertThat(back.tie()).isEqualTo(tie);
    }
  }

  @Test
  void storedTwiceStaysSoInAnotherNumberFormat() throws IOException {
    Converter.convert(
        model(Tie.TIED_STORED_TWICE, 1, 2, 3, 4),
        folder.resolve("out"),
        TargetFormat.SAFETENSORS,
        ConvertOptions.DEFAULT.withNumbers(NumberFormat.BF16));
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      assertThat(back.tie()).isEqualTo(Tie.TIED_STORED_TWICE);
    }
  }

  @ParameterizedTest
  @EnumSource(Tie.class)
  void noFileCallsTiedWhatWasNot(Tie tie) throws IOException {
    float[] output = tie == Tie.UNTIED ? new float[] {5, 6, 7, 8} : new float[0];
    for (TargetFormat format : TargetFormat.values()) {
      String name = "out-" + tie + format;
      Conversion done = convert(model(tie, output), name, format);
      try (Lexicon back = Models.open(folder.resolve(name))) {
        if (tie.isTied() && !back.tie().isTied()) {
          assertThat(done.notes())
              .as("%s", format)
              .anyMatch(note -> note.contains("no place to say so"));
        }
        assertThat(back.tie().isTied() && !tie.isTied()).as("%s", format).isFalse();
      }
    }
  }

  @Test
  void saysThatAnOutputTableOfOtherRowsCannotFollow() throws IOException {
    Vocabulary gap = Vocabulary.of(Spelling.PLAIN, Arrays.asList("a", null), new BitSet());
    Lexicon source =
        new Lexicon(
            new NamedTable("embed_tokens.weight", Table.of(1, 1, 2)),
            Optional.of(new NamedTable("lm_head.weight", Table.of(1, 1, 2, 3))),
            Optional.of(gap),
            Tie.UNTIED,
            "made for a test",
            new Origin(Path.of("x"), "test", Optional.empty(), OptionalLong.empty(), List.of()),
            () -> {});
    Conversion done =
        Converter.convert(
            source,
            folder.resolve("out.gguf"),
            TargetFormat.GGUF,
            ConvertOptions.DEFAULT.withRows(RowChoice.WITH_TOKEN));
    assertThat(done.notes()).anyMatch(note -> note.contains("it has 3 rows and the input table 2"));
    try (Lexicon back = Models.open(folder.resolve("out.gguf"))) {
      assertThat(back.tie()).isEqualTo(Tie.NO_OUTPUT);
    }
  }

  @Test
  void npyHasTheHeaderThatNumpyWrites() throws IOException {
    convert(words(), "out.npy", TargetFormat.NPY);
    byte[] bytes = Files.readAllBytes(folder.resolve("out.npy"));
    // np.save of a 3 × 3 float32 array starts with these 128 bytes
    String header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 3), }";
    assertThat(Arrays.copyOf(bytes, 10))
        .containsExactly(0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0);
    assertThat(new String(bytes, 10, 118, UTF_8))
        .isEqualTo(header + " ".repeat(118 - 1 - header.length()) + "\n");
    ByteBuffer numbers = ByteBuffer.wrap(bytes, 128, 36).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : VALUES) {
      assertThat(numbers.getFloat()).isEqualTo(value);
    }
    assertThat(bytes).hasSize(128 + 36);
  }

  @Test
  void npzHoldsRowsTokensAndSource() throws IOException {
    convert(words(), "out.npz", TargetFormat.NPZ);
    Map<String, byte[]> members = new HashMap<>();
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(folder.resolve("out.npz")))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        members.put(entry.getName(), zip.readAllBytes());
      }
    }
    assertThat(members.keySet())
        .containsExactlyInAnyOrder("embeddings.npy", "tokens.npy", "source.npy");
    byte[] tokens = members.get("tokens.npy");
    assertThat(new String(tokens, 10, 118, UTF_8)).contains("'<U4'").contains("'shape': (3,)");
    assertThat(new String(tokens, 128 + 16, 16, StandardCharsets.UTF_32LE)).isEqualTo("café");
    assertThat(members.get("embeddings.npy")).hasSize(128 + 36);
  }

  @Test
  void ggufIsLaidOutAsSpecified() throws IOException {
    convert(named("a", "b"), "out.gguf", TargetFormat.GGUF);
    ByteBuffer in =
        ByteBuffer.wrap(Files.readAllBytes(folder.resolve("out.gguf")))
            .order(ByteOrder.LITTLE_ENDIAN);
    assertThat(in.getInt()).isEqualTo(0x46554747);
    assertThat(in.getInt()).isEqualTo(3);
    assertThat(in.getLong()).isEqualTo(1);
    long settings = in.getLong();
    Map<String, Object> found = new HashMap<>();
    for (long i = 0; i < settings; i++) {
      found.put(text(in), value(in, in.getInt()));
    }
    assertThat(found)
        .containsEntry("general.alignment", 32)
        .containsEntry("tokenizer.ggml.model", "none")
        .containsEntry("tokenizer.ggml.tokens", List.of("a", "b"))
        .containsEntry("tokenizer.ggml.token_type", List.of(1, 1))
        .containsEntry("rowan.source.name", "source.txt");
    assertThat(text(in)).isEqualTo("token_embd.weight");
    assertThat(in.getInt()).isEqualTo(2);
    assertThat(in.getLong()).isEqualTo(2); // width first
    assertThat(in.getLong()).isEqualTo(2);
    assertThat(in.getInt()).isZero();
    assertThat(in.getLong()).isZero();
    in.position(Math.ceilDiv(in.position(), 32) * 32);
    assertThat(in.remaining()).isEqualTo(16);
    assertThat(in.getFloat(in.position() + 12)).isEqualTo(3);
  }

  private static String text(ByteBuffer in) {
    byte[] bytes = new byte[(int) in.getLong()];
    in.get(bytes);
    return new String(bytes, UTF_8);
  }

  private static Object value(ByteBuffer in, int type) {
    return switch (type) {
      case 4, 5 -> in.getInt();
      case 8 -> text(in);
      case 9 -> {
        int items = in.getInt();
        Object[] array = new Object[(int) in.getLong()];
        Arrays.setAll(array, i -> value(in, items));
        yield List.of(array);
      }
      default -> throw new IllegalArgumentException("unexpected type " + type);
    };
  }

  @Test
  void q8IsWhatGgmlWrites() throws IOException {
    float[] row = new float[32];
    for (int i = 0; i < 32; i++) {
      row[i] = (i * 37 % 64 - 31.5f) / 10;
    }
    Converter.convert(
        lexicon(Table.of(32, row), Optional.empty()),
        folder.resolve("out.gguf"),
        TargetFormat.GGUF,
        ConvertOptions.DEFAULT.withNumbers(NumberFormat.INT8));
    byte[] bytes = Files.readAllBytes(folder.resolve("out.gguf"));
    // gguf-py: quantize(np.array([(i * 37 % 64 - 31.5) / 10], np.float32), Q8_0)
    assertThat(Arrays.copyOfRange(bytes, bytes.length - 34, bytes.length))
        .containsExactly(Q8_BLOCK);
  }

  private static final byte[] Q8_BLOCK = {
    89, 38, -127, 22, -87, 62, -46, 103, -6, -115, 34, -75, 75, -34, 115, 6, -103, 46, -62, 87, -22,
    127, 18, -91, 58, -50, 99, -10, -119, 30, -79, 71, -38, 111
  };

  @Test
  void bertTokensAreRespelledInGguf() throws IOException {
    Lexicon source =
        lexicon(
            Table.of(1, 1, 2, 3),
            Optional.of(
                Vocabulary.of(Spelling.WORDPIECE, List.of("[CLS]", "cat", "##s"), new BitSet())));
    convert(source, "out.gguf", TargetFormat.GGUF);
    assertThat(new String(Files.readAllBytes(folder.resolve("out.gguf")), UTF_8))
        .contains("[CLS]")
        .contains("▁cat")
        .doesNotContain("##s");
  }

  @Test
  void bertTokensComeBackThroughGgufByName() throws IOException {
    List<@Nullable String> tokens =
        List.of(
            "[PAD]", "[unused0]", "[CLS]", "cat", "##s", "##", "#", "###", "[", "]", "▁", "##▁");
    BitSet added = new BitSet();
    added.set(2);
    Vocabulary vocabulary = Vocabulary.of(Spelling.WORDPIECE, tokens, added);
    float[] values = new float[tokens.size()];
    try (Lexicon source = lexicon(Table.of(1, values), Optional.of(vocabulary))) {
      convert(source, "a.gguf", TargetFormat.GGUF);
    }
    List<TargetFormat> targets =
        List.of(TargetFormat.GGUF, TargetFormat.SAFETENSORS, TargetFormat.WORD2VEC_TEXT);
    for (TargetFormat target : targets) {
      try (Lexicon middle = Models.open(folder.resolve("a.gguf"))) {
        convert(middle, "b" + target, target);
      }
      try (Lexicon back = Models.open(folder.resolve("b" + target))) {
        Vocabulary read = back.vocabulary().orElseThrow();
        for (int id = 0; id < tokens.size(); id++) {
          assertThat(read.stored(id)).as("%s %d", target, id).isEqualTo(tokens.get(id));
        }
      }
    }
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
  void saysWhatIsLost() throws IOException {
    Conversion done = convert(words(), "out", TargetFormat.NPY);
    assertThat(done.notes()).contains("npy holds numbers alone: tokens were not written");
    assertThat(done.rows()).isEqualTo(3);
  }
}
