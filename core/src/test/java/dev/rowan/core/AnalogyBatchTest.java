package dev.rowan.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.AnalogyBatch.Question;
import dev.rowan.core.AnalogyBatch.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AnalogyBatchTest {
  private static final Workers ONE = Workers.of(1);
  private static final Workers THREE = Workers.of(3);

  @AfterAll
  static void endThreads() {
    ONE.close();
    THREE.close();
  }

  private static Table random(int rows, int width, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] values = new float[rows * width];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return Table.of(width, values);
  }

  private static List<Question> questions(int count, int rows, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Question> questions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      questions.add(new Question(random.nextInt(rows), random.nextInt(rows), random.nextInt(rows)));
    }
    return questions;
  }

  private static Scope.Range all(Table table) {
    return new Scope.Range(0, table.rows());
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 3", "40, 7", "700, 33", "3000, 100"})
  void sumsEqualOneSearchAQuestion(int rows, int width) {
    Table table = random(rows, width, rows);
    List<Question> questions = questions(60, rows, 5);
    Search search = Search.over(table, THREE);
    List<List<Hit>> answers = AnalogyBatch.nearest(search, questions, Rule.ADD, 4, all(table));
    for (int q = 0; q < questions.size(); q++) {
      Question ask = questions.get(q);
      Query sum =
          Expression.analogy(ask.b(), ask.a(), ask.c()).evaluate(table, Expression.Inputs.UNIT);
      assertThat(answers.get(q)).isEqualTo(search.nearest(sum, Metric.COSINE, 4));
    }
  }

  /** 3CosMul from its definition, in plain loops of the test's own. */
  private static List<Hit> product(Table table, Question ask, int k) {
    List<Hit> hits = new ArrayList<>();
    for (long id = 0; id < table.rows(); id++) {
      double a = (1 + cosine(table.row(ask.a()), table.row(id))) / 2;
      double b = (1 + cosine(table.row(ask.b()), table.row(id))) / 2;
      double c = (1 + cosine(table.row(ask.c()), table.row(id))) / 2;
      hits.add(new Hit(id, b * c / (a + 1e-6)));
    }
    hits.sort(Comparator.comparingDouble(Hit::score).reversed());
    return hits.subList(0, Math.min(k, hits.size()));
  }

  private static double cosine(float[] x, float[] y) {
    double xy = 0;
    double xx = 0;
    double yy = 0;
    for (int i = 0; i < x.length; i++) {
      xy += (double) x[i] * y[i];
      xx += (double) x[i] * x[i];
      yy += (double) y[i] * y[i];
    }
    return xy / Math.sqrt(xx * yy);
  }

  @ParameterizedTest
  @CsvSource({"5, 3", "700, 33", "2000, 100"})
  void productsEqualTheDefinition(int rows, int width) {
    Table table = random(rows, width, rows);
    List<Question> questions = questions(40, rows, 6);
    List<List<Hit>> answers =
        AnalogyBatch.nearest(Search.over(table, THREE), questions, Rule.MULTIPLY, 4, all(table));
    for (int q = 0; q < questions.size(); q++) {
      List<Hit> expected = product(table, questions.get(q), 4);
      assertThat(answers.get(q)).extracting(Hit::id).isEqualTo(ids(expected));
      for (int i = 0; i < expected.size(); i++) {
        double score = expected.get(i).score();
        assertThat(answers.get(q).get(i).score()).isCloseTo(score, within(1e-9 * score));
      }
    }
  }

  private static List<Long> ids(List<Hit> hits) {
    return hits.stream().map(Hit::id).toList();
  }

  @ParameterizedTest
  @CsvSource({"ADD", "MULTIPLY"})
  void threadsDoNotChangeABit(Rule rule) {
    Table table = random(5000, 20, 9);
    List<Question> questions = questions(300, 5000, 7);
    assertThat(AnalogyBatch.nearest(Search.over(table, THREE), questions, rule, 5, all(table)))
        .isEqualTo(AnalogyBatch.nearest(Search.over(table, ONE), questions, rule, 5, all(table)));
  }

  @ParameterizedTest
  @CsvSource({"ADD", "MULTIPLY"})
  void equalRowsComeInTheOrderOfTheirIds(Rule rule) {
    // 500 copies of one row: far more ties than the float pass keeps
    float[] values = new float[2 * 503];
    for (int i = 0; i < 503; i++) {
      values[2 * i] = 3;
      values[2 * i + 1] = 1;
    }
    values[0] = -1;
    values[2] = 0;
    values[4] = 1;
    values[5] = -2;
    Table table = Table.of(2, values);
    List<Hit> hits =
        AnalogyBatch.nearest(
                Search.over(table, THREE),
                List.of(new Question(0, 5, 7)),
                rule,
                4,
                new Scope.Range(3, 503))
            .getFirst();
    assertThat(hits).extracting(Hit::id).containsExactly(3L, 4L, 5L, 6L);
  }

  @Test
  void brokenRowsAreNoAnswersAndZeroRowsHaveCosineZero() {
    Table table = Table.of(2, 1f, 0f, 0f, 1f, 1f, 1f, 0f, 0f, Float.NaN, 1f, 3e38f, 1e38f);
    List<Hit> hits =
        AnalogyBatch.nearest(
                Search.over(table, ONE), List.of(new Question(0, 2, 1)), Rule.ADD, 9, all(table))
            .getFirst();
    assertThat(hits).extracting(Hit::id).containsExactly(1L, 2L, 5L, 3L, 0L);
    assertThat(hits.get(3).score()).isZero();
  }

  @Test
  void aSumOfNothingRanksByIdAlone() {
    Table table = Table.of(2, 1f, 0f, 0f, 1f, 0f, 0f);
    assertThat(
            AnalogyBatch.nearest(
                    Search.over(table, ONE),
                    List.of(new Question(0, 0, 2)),
                    Rule.ADD,
                    2,
                    all(table))
                .getFirst())
        .containsExactly(new Hit(0, 0), new Hit(1, 0));
  }

  /** gensim's most_similar_cosmul takes restrict_vocab and does nothing with it. */
  @ParameterizedTest
  @EnumSource(Rule.class)
  void scopeLimitsTheAnswersNotTheQuestions(Rule rule) {
    Table table = random(100, 8, 3);
    List<Hit> hits =
        AnalogyBatch.nearest(
                Search.over(table, ONE),
                List.of(new Question(90, 95, 99)),
                rule,
                50,
                new Scope.Range(10, 20))
            .getFirst();
    assertThat(hits).extracting(Hit::id).hasSize(10).allMatch(id -> id >= 10 && id < 20);
  }

  @Test
  void manyWordsTakeSeveralPasses() {
    Table table = random(8_400, 2, 4);
    List<Question> questions = new ArrayList<>();
    for (long i = 0; i < 2800; i++) {
      questions.add(new Question(3 * i, 3 * i + 1, 3 * i + 2)); // 8,400 distinct words
    }
    Search search = Search.over(table, THREE);
    List<List<Hit>> answers = AnalogyBatch.nearest(search, questions, Rule.ADD, 1, all(table));
    assertThat(answers).hasSize(2800);
    for (int q : new int[] {0, 2729, 2730, 2731, 2799}) {
      Question ask = questions.get(q);
      Query sum =
          Expression.analogy(ask.b(), ask.a(), ask.c()).evaluate(table, Expression.Inputs.UNIT);
      assertThat(answers.get(q)).isEqualTo(search.nearest(sum, Metric.COSINE, 1));
    }
  }

  @Test
  void refusesWhatCannotBeAnswered() {
    Table table = Table.of(1, 1f, Float.NaN);
    Search search = Search.over(table, ONE);
    Question broken = new Question(0, 1, 0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AnalogyBatch.nearest(search, List.of(broken), Rule.ADD, 1, all(table)))
        .withMessageContaining("row 1 is NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AnalogyBatch.nearest(search, List.of(), Rule.ADD, 0, all(table)))
        .withMessage("k is 0; it takes 1 or more");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> AnalogyBatch.nearest(search, List.of(), Rule.ADD, 1, new Scope.Range(0, 3)))
        .withMessage("the scope ends at row 3 but the table has 2");
    assertThat(AnalogyBatch.nearest(search, List.of(), Rule.ADD, 1, all(table))).isEmpty();
  }
}
