package dev.rowan.formats.fasttext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Lexicon;
import dev.rowan.core.SubwordVectors;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.Models;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Rows of words and of words that have none. */
class FastTextFileTest extends FastTextFixture {
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
}
