package dev.rowan.formats.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.formats.Models;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Quantising takes the table itself, and says what that did to its rows. */
class QuantisedLossTest extends ConverterFixture {
  private static final ConvertOptions INT8 = ConvertOptions.DEFAULT.withNumbers(NumberFormat.INT8);

  @Test
  void saysWhichRowOfInt8TurnedFarthest() throws IOException {
    // one scale, 1/127: (0.005, 0.001) becomes (1, 0), at cosine 5/√26 = 0.980581 from what it was
    Lexicon source =
        lexicon(
            Table.of(2, 1, 0, 0.005f, 0.001f, 0, 0.5f, 0, 0),
            Optional.of(Vocabulary.ofWords(List.of("a", "b", "c", "[UNK]"))));
    Conversion done =
        Converter.convert(source, folder.resolve("out"), TargetFormat.MODEL2VEC, INT8);
    assertThat(done.notes())
        .contains("int8 turned row 1 farthest: what is read back has cosine 0.98058 with it");
  }

  @Test
  void saysThatARowWasLost() throws IOException {
    Lexicon source =
        lexicon(
            Table.of(2, 1, 0, 0.003f, 0.003f),
            Optional.of(Vocabulary.ofWords(List.of("a", "[UNK]"))));
    Conversion done =
        Converter.convert(source, folder.resolve("out"), TargetFormat.MODEL2VEC, INT8);
    assertThat(done.notes())
        .contains("int8 turned row 1 farthest: what is read back has cosine 0.00000 with it");
  }

  @Test
  void saysWhichRowOfQ8TurnedFarthest() throws IOException {
    float[] rows = new float[64];
    Arrays.fill(rows, 0, 32, 1);
    Arrays.fill(rows, 33, 64, 0.4f); // below half a step of 127/127
    rows[32] = 127;
    Lexicon source = lexicon(Table.of(32, rows), Optional.empty());
    Conversion done = Converter.convert(source, folder.resolve("x.gguf"), TargetFormat.GGUF, INT8);
    // 127 / √(127² + 31 · 0.16) = 0.999846
    assertThat(done.notes())
        .contains("q8_0 turned row 1 farthest: what is read back has cosine 0.99985 with it");
  }

  /** The row and its cosine, held against the written file, by plain loops. */
  @Test
  void theRowIsTheOneThatTheFileShows() throws IOException {
    Random random = new Random(5);
    float[] numbers = new float[64 * 500];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (float) (random.nextGaussian() * Math.exp(random.nextGaussian()));
    }
    Table table = Table.of(64, numbers);
    String said;
    try (Workers workers = Workers.of(3)) {
      Conversion done =
          Converter.convert(
              lexicon(table, Optional.empty()),
              folder.resolve("x.gguf"),
              TargetFormat.GGUF,
              INT8.withWorkers(workers));
      said = done.notes().stream().filter(n -> n.startsWith("q8_0")).findFirst().orElseThrow();
    }
    int farthest = -1;
    double least = 2;
    try (Lexicon back = Models.open(folder.resolve("x.gguf"))) {
      for (int row = 0; row < 500; row++) {
        double cosine = cosine(table.row(row), back.input().table().row(row));
        if (cosine < least) {
          least = cosine;
          farthest = row;
        }
      }
    }
    assertThat(said)
        .isEqualTo(
            "q8_0 turned row %d farthest: what is read back has cosine %.5f with it"
                .formatted(farthest, least));
  }

  private static double cosine(float[] a, float[] b) {
    double product = 0;
    double first = 0;
    double second = 0;
    for (int i = 0; i < a.length; i++) {
      product += (double) a[i] * b[i];
      first += (double) a[i] * a[i];
      second += (double) b[i] * b[i];
    }
    return product / Math.sqrt(first * second);
  }
}
