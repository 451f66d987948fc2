package dev.rowan.formats.fasttext;

import static dev.rowan.formats.fasttext.FastTextBytes.MAGIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Lexicon;
import dev.rowan.core.SubwordVectors;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.Models;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FastTextFileTest {
  /** gensim sums in another order than fastText; rows agree to the last bits of a float. */
  private static final Offset<Float> CLOSE = within(1e-7f);

  @TempDir Path folder;

  private Path file(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("model.bin"), bytes);
  }

  /**
   * Skip-gram of 4 numbers over 5 words, n-grams of 2 and 3, 50 buckets; trained and saved by
   * gensim 4.4.0 (save_facebook_model). Expected rows below are what gensim's load_facebook_model
   * gives.
   */
  static byte[] gensim() throws IOException {
    try (InputStream in = FastTextFileTest.class.getResourceAsStream("gensim.bin")) {
      assertThat(in).isNotNull();
      return in.readAllBytes();
    }
  }

  /** Settings of 3 numbers a row, n-grams of one character in 10 buckets. */
  private static FastTextBytes settings(int width, int kind, int bucket, int longest) {
    return new FastTextBytes()
        .ints(width, 5, 5, 1, 5, 1, 2, kind, bucket, Math.min(1, longest), longest, 100)
        .doubles(1e-4);
  }

  private static FastTextBytes modern(int version, int width, int kind, int bucket, int longest) {
    FastTextBytes front = new FastTextBytes().ints(MAGIC, version);
    byte[] settings = settings(width, kind, bucket, longest).toBytes();
    for (byte b : settings) {
      front.bytes(b);
    }
    return front;
  }

  @Test
  void readsAModelThatGensimSaved() throws IOException {
    try (Lexicon model = Models.open(file(gensim()))) {
      Table table = model.input().table();
      Vocabulary words = model.vocabulary().orElseThrow();
      assertThat(model.origin().format()).isEqualTo("fasttext");
      assertThat(table.rows()).isEqualTo(5);
      assertThat(words.id("кот")).hasValue(0);
      assertThat(words.id("the")).hasValue(2);
      assertThat(table.row(0))
          .containsExactly(
              new float[] {-0.024569571f, -0.0498433f, -0.049135976f, 0.03618638f}, CLOSE);
      assertThat(table.row(2))
          .containsExactly(
              new float[] {0.030924607f, -0.0045860223f, -0.044823673f, 0.051164594f}, CLOSE);
    }
  }

  @Test
  void makesVectorsOfUnseenWords() throws IOException {
    try (Lexicon model = Models.open(file(gensim()))) {
      SubwordVectors subwords = model.subwords().orElseThrow();
      assertThat(model.vocabulary().orElseThrow().id("котик")).isEmpty();
      assertThat(subwords.vectorOf("cats").orElseThrow())
          .containsExactly(
              new float[] {0.058554634f, 0.014415554f, -0.017312162f, 0.040516786f}, CLOSE);
      assertThat(subwords.vectorOf("котик").orElseThrow())
          .containsExactly(
              new float[] {-0.0003116239f, -0.004569058f, 0.06266513f, 0.032920387f}, CLOSE);
    }
  }

  @Test
  void vectorOfAKnownWordIsItsRow() throws IOException {
    try (Lexicon model = Models.open(file(gensim()))) {
      assertThat(model.subwords().orElseThrow().vectorOf("café").orElseThrow())
          .containsExactly(model.input().table().row(3));
    }
  }

  @Test
  void negativeSamplingKeepsAnOutputRowForEachWord() throws IOException {
    try (Lexicon model = Models.open(file(gensim()))) {
      assertThat(model.output().orElseThrow().table().rows()).isEqualTo(5);
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
    }
  }

  @Test
  void scansComposedRowsWithAnyNumberOfThreads() throws IOException {
    try (Lexicon model = Models.open(file(gensim()));
        Workers workers = Workers.of(3)) {
      Table table = model.input().table();
      float[] row = table.row(4);
      double sum = 0;
      for (float number : row) {
        sum += (double) number * number;
      }
      assertThat(table.statistics(workers).norm(4))
          .isCloseTo((float) Math.sqrt(sum), within(1e-7f));
    }
  }

  // a = mean of row 0 and the n-gram "a": FNV-1a("a") = 3826002220, in 10 buckets: 0, so row 2 + 0
  private static FastTextBytes twoWords(FastTextBytes settings) {
    return settings.ints(2, 2, 0).longs(100);
  }

  private static FastTextBytes plainRows(FastTextBytes out, int rows) {
    out.longs(rows, 3);
    for (int row = 0; row < rows; row++) {
      out.floats(row + 1, 10 * (row + 1), -row);
    }
    return out;
  }

  @Test
  void endOfSentenceHasNoGramsSinceVersion11() throws IOException {
    byte[] bytes =
        plainRows(
                plainRows(
                        twoWords(modern(12, 3, 2, 10, 1))
                            .longs(-1)
                            .entry("a", 0)
                            .entry("</s>", 0)
                            .bytes(0),
                        12)
                    .bytes(0),
                2)
            .toBytes();
    try (Lexicon model = Models.open(file(bytes))) {
      // (1, 10, 0) and (3, 30, -2)
      assertThat(model.input().table().row(0)).containsExactly(2, 20, -1);
      assertThat(model.input().table().row(1)).containsExactly(2, 20, -1);
    }
  }

  static byte[] old() {
    return plainRows(
            plainRows(twoWords(settings(3, 2, 10, 1)).entry("a", 0).entry("</s>", 0), 12), 2)
        .toBytes();
  }

  @Test
  void endOfSentenceHasGramsInOldFilesWithoutMagic() throws IOException {
    try (Lexicon model = Models.open(file(old()))) {
      assertThat(model.origin().format()).isEqualTo("fasttext");
      assertThat(model.input().table().row(0)).containsExactly(2, 20, -1);
      // "<</s>>" without its edges: <, /, s, > with FNV-1a 957132539, 705468254, 4127999362,
      // 990687777, mod 10: 9, 4, 2, 7, so rows 11, 6, 4, 9 beside its own row 1;
      // (2 + 12 + 7 + 5 + 10) / 5 = 7.2 and (1 + 11 + 6 + 4 + 9) / 5 = 6.2
      assertThat(model.input().table().row(1))
          .containsExactly(new float[] {7.2f, 72f, -6.2f}, within(1e-5f));
    }
  }

  static byte[] supervised() {
    return plainRows(
            plainRows(
                    modern(11, 3, 3, 10, 4)
                        .ints(3, 1, 2)
                        .longs(100, -1)
                        .entry("word", 0)
                        .entry("__label__a", 1)
                        .entry("__label__b", 1)
                        .bytes(0),
                    11)
                .bytes(0),
            2)
        .toBytes();
  }

  @Test
  void readsSupervisedModelsWithoutSubwordsInPlace() throws IOException {
    try (Lexicon model = Models.open(file(supervised()))) {
      // version 11 says maxn 4, but supervised models had no subwords then
      assertThat(model.subwords()).isEmpty();
      assertThat(model.input().table().format()).isEqualTo(FloatFormat.F32);
      assertThat(model.input().table().rows()).isEqualTo(1);
      assertThat(model.input().table().row(0)).containsExactly(1, 10, 0);
      assertThat(model.tie()).isEqualTo(Tie.NO_OUTPUT);
      assertThat(model.notes()).anyMatch(note -> note.contains("2 labels"));
    }
  }

  /** Part 0 of two numbers has centroids (c, 10c), part 1 of one number has 100c. */
  private static FastTextBytes centroids(FastTextBytes out) {
    out.ints(3, 2, 2, 1);
    for (int c = 0; c < 256; c++) {
      out.floats(c, 10 * c);
    }
    for (int c = 0; c < 256; c++) {
      out.floats(100 * c);
    }
    return out;
  }

  /** Rows (1, 10, 200), 0, (3, 30, 400): a, the end of sentence, and the kept n-gram "a". */
  static FastTextBytes quantized(boolean norms) {
    FastTextBytes out =
        twoWords(modern(12, 3, 2, 10, 1))
            .longs(1)
            .entry("a", 0)
            .entry("</s>", 0)
            .ints(0, 0) // bucket 0 is kept in row 0 behind the words
            .bytes(1);
    centroids(out.bytes(norms ? 1 : 0).longs(3, 3).ints(6).bytes(1, 2, 0, 0, 3, 4));
    if (norms) {
      out.bytes(2, 0, 1).ints(1, 1, 1, 1);
      for (int c = 0; c < 256; c++) {
        out.floats(c + 1);
      }
    }
    return plainRows(out.bytes(0), 2);
  }

  @Test
  void readsProductQuantisedRows() throws IOException {
    try (Lexicon model = Models.open(file(quantized(false).toBytes()))) {
      assertThat(model.input().table().row(0)).containsExactly(2, 20, 300);
      assertThat(model.input().table().row(1)).containsExactly(0, 0, 0);
    }
  }

  @Test
  void readsProductQuantisedRowsWithNorms() throws IOException {
    try (Lexicon model = Models.open(file(quantized(true).toBytes()))) {
      // 3 × (1, 10, 200) and 2 × (3, 30, 400)
      assertThat(model.input().table().row(0)).containsExactly(4.5f, 45, 700);
      assertThat(model.subwords().orElseThrow().vectorOf("aa").orElseThrow())
          .containsExactly(6, 60, 800);
    }
  }

  @Test
  void unseenWordWhoseGramsArePrunedHasNoVector() throws IOException {
    try (Lexicon model = Models.open(file(quantized(true).toBytes()))) {
      // FNV-1a("b") = 3876335077, bucket 7, which was not kept
      assertThat(model.subwords().orElseThrow().vectorOf("b")).isEmpty();
    }
  }

  @Test
  void refusesNewerVersions() throws IOException {
    Path file = file(modern(13, 3, 2, 10, 1).toBytes());
    assertThatThrownBy(() -> Models.open(file).close())
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("version 13; 11 and 12 can be read");
  }

  @Test
  void refusesPrunedButUnquantised() throws IOException {
    Path file =
        file(
            plainRows(
                    twoWords(modern(12, 3, 2, 10, 1))
                        .longs(1)
                        .entry("a", 0)
                        .entry("</s>", 0)
                        .ints(0, 0)
                        .bytes(0),
                    3)
                .bytes(0)
                .longs(0, 3)
                .toBytes());
    assertThatThrownBy(() -> Models.open(file).close())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("pruned but the input matrix is not quantised");
  }

  @Test
  void refusesAMatrixWithTooFewRows() throws IOException {
    Path file =
        file(
            plainRows(
                    plainRows(
                            twoWords(modern(12, 3, 2, 10, 1))
                                .longs(-1)
                                .entry("a", 0)
                                .entry("b", 0)
                                .bytes(0),
                            11)
                        .bytes(0),
                    2)
                .toBytes());
    assertThatThrownBy(() -> Models.open(file).close())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("has 11 rows; 2 words and 10 n-grams need 12");
  }

  @Test
  void refusesBytesBehindTheEnd() throws IOException {
    byte[] bytes = gensim();
    Path file = file(Arrays.copyOf(bytes, bytes.length + 1));
    assertThatThrownBy(() -> Models.open(file).close())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("1 bytes follow the output matrix");
  }

  @Test
  void refusesFilesCutAtEveryByte() throws IOException {
    for (byte[] whole : new byte[][] {gensim(), quantized(true).toBytes()}) {
      for (int length = 0; length < whole.length; length++) {
        Path cut = file(Arrays.copyOf(whole, length));
        assertThatThrownBy(() -> Models.open(cut).close())
            .as("cut to %d bytes", length)
            .isInstanceOf(FormatException.class);
      }
    }
  }

  @Test
  void refusesCountsThatPromiseTheSky() throws IOException {
    Path file =
        file(
            modern(12, 3, 2, 10, 1)
                .ints(Integer.MAX_VALUE, Integer.MAX_VALUE, 0)
                .longs(1, -1)
                .entry("a", 0)
                .toBytes());
    assertThatThrownBy(() -> Models.open(file).close())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("2,147,483,647 entries");
  }
}
