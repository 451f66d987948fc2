package dev.rowan.formats.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Origin;
import dev.rowan.core.Spelling;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.Models;
import dev.rowan.formats.write.ConvertOptions.RowChoice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a written file says of its output table and the tie. */
class ConvertedTieTest extends ConverterFixture {
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
      names = {"SAFETENSORS", "SAFETENSORS_FILE", "GGUF", "NPZ"})
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
}
