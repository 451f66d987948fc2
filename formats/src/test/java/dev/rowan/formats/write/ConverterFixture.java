package dev.rowan.formats.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Origin;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.kernel.RowFormat;
import dev.rowan.formats.tensor.BigEndianRows;
import dev.rowan.formats.tensor.DoubleRows;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** Small tables to write, and a folder to write them to. */
abstract class ConverterFixture {
  static final float[] VALUES = {
    0.1f, -1.5f, 3.4028235e38f, Float.MIN_VALUE, -0f, 123456.78f, 1f / 3, 2, 16777216f
  };

  static final List<String> WORDS = List.of("the", "café", "\u00a0東京");

  @TempDir Path folder;

  static Lexicon lexicon(Table table, Optional<Vocabulary> vocabulary) {
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

  static Lexicon words() {
    return lexicon(Table.of(3, VALUES), Optional.of(Vocabulary.ofWords(WORDS)));
  }

  static Lexicon named(String... words) {
    float[] values = new float[2 * words.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    return lexicon(Table.of(2, values), Optional.of(Vocabulary.ofWords(List.of(words))));
  }

  Conversion convert(Lexicon lexicon, String name, TargetFormat format) throws IOException {
    return Converter.convert(lexicon, folder.resolve(name), format, ConvertOptions.DEFAULT);
  }

  void refuses(Lexicon lexicon, TargetFormat format, ConvertOptions options, String reason)
      throws IOException {
    Path target = folder.resolve("refused");
    assertThatThrownBy(() -> Converter.convert(lexicon, target, format, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
    try (Stream<Path> entries = Files.list(folder)) {
      assertThat(entries).as("nothing is written").isEmpty();
    }
  }

  void refuses(Lexicon lexicon, TargetFormat format, String reason) throws IOException {
    refuses(lexicon, format, ConvertOptions.DEFAULT, reason);
  }

  static float[] all(Table table) {
    float[] values = new float[Math.toIntExact(table.parameters())];
    table.copyRows(0, (int) table.rows(), values, 0);
    return values;
  }

  static Lexicon model(Tie tie, float... output) {
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

  /** One row of doubles. */
  static Lexicon doubles(ByteOrder order, double... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * numbers.length).order(order);
    bytes.asDoubleBuffer().put(numbers);
    RowFormat format = order == ByteOrder.LITTLE_ENDIAN ? DoubleRows.F64 : BigEndianRows.F64;
    Table table = Table.over(MemorySegment.ofArray(bytes.array()), 1, numbers.length, format);
    return lexicon(table, Optional.of(Vocabulary.ofWords(List.of("a"))));
  }
}
