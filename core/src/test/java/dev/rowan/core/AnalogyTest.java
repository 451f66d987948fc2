package dev.rowan.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class AnalogyTest {
  private static final Workers WORKERS = Workers.of(2);

  // king, man, woman, queen, other: queen = king − man + woman exactly, and close to king before
  private static final Table ROYALS =
      Table.of(3, 9f, 1f, 0f, 0f, 1f, 0f, 0f, 0f, 1f, 9f, 0f, 1f, 8f, 4f, 4f);

  @AfterAll
  static void endThreads() {
    WORKERS.close();
  }

  private static Analogy royals(Expression.Inputs inputs, int k) {
    return Analogy.of(Search.over(ROYALS, WORKERS), Expression.analogy(0, 1, 2), inputs, k);
  }

  @Test
  void reportsRawAndExcludingInputs() {
    Analogy analogy = royals(Expression.Inputs.AS_STORED, 2);
    // target (9, 0, 1): cosine 1 with queen, 81/82 with king
    assertThat(analogy.raw()).extracting(Hit::id).containsExactly(3L, 0L);
    assertThat(analogy.raw().get(1).score()).isCloseTo(81.0 / 82, within(1e-12));
    assertThat(analogy.excludingInputs()).extracting(Hit::id).containsExactly(3L, 4L);
  }

  @Test
  void saysWhereTheAnswerStoodBefore() {
    Analogy.Answer answer = royals(Expression.Inputs.AS_STORED, 1).answer().orElseThrow();
    assertThat(answer.hit().id()).isEqualTo(3);
    assertThat(answer.scoreBefore()).isCloseTo(81.0 / 82, within(1e-12)); // king · queen
    assertThat(answer.rankBefore()).isEqualTo(1); // the nearest neighbour of king already
  }

  @Test
  void unitInputsFollowTheRuleOfGensim() {
    // unit king = (9, 1, 0)/√82; target = (9/√82, 1/√82 − 1, 1)
    double[] target = {9 / Math.sqrt(82), 1 / Math.sqrt(82) - 1, 1};
    double norm = Math.sqrt(target[0] * target[0] + target[1] * target[1] + target[2] * target[2]);
    Analogy analogy = royals(Expression.Inputs.UNIT, 5);
    Hit queen = analogy.raw().stream().filter(hit -> hit.id() == 3).findFirst().orElseThrow();
    assertThat(queen.score())
        .isCloseTo((9 * target[0] + target[2]) / (norm * Math.sqrt(82)), within(1e-12));
  }

  @Test
  void weightsAndVectorsEnterTheSumAndVectorsAreNotExcluded() {
    Expression expression = Expression.of(1).plus(2, 2).plus(Query.of(9.0, -1.0, -1.0), 1);
    // (0,1,0) + 2·(0,0,1) + (9,−1,−1) = (9, 0, 1) = queen
    assertThat(expression.evaluate(ROYALS, Expression.Inputs.AS_STORED).vector())
        .containsExactly(9, 0, 1);
    Analogy analogy =
        Analogy.of(Search.over(ROYALS, WORKERS), expression, Expression.Inputs.AS_STORED, 5);
    assertThat(analogy.excludingInputs()).extracting(Hit::id).containsExactly(3L, 0L, 4L);
  }

  @Test
  void baselineIsThatOfTheTable() {
    assertThat(royals(Expression.Inputs.AS_STORED, 1).baseline())
        .isEqualTo(ROYALS.statistics(WORKERS).meanCosine());
  }

  @Test
  void withoutOtherRowsThereIsNoAnswer() {
    Table two = Table.of(1, 1f, 2f);
    Analogy analogy =
        Analogy.of(
            Search.over(two, WORKERS), Expression.analogy(0, 1, 1), Expression.Inputs.AS_STORED, 3);
    assertThat(analogy.answer()).isEmpty();
    assertThat(analogy.excludingInputs()).isEmpty();
    assertThat(analogy.raw()).hasSize(2);
  }

  @Test
  void refusesBrokenRowsAndWeights() {
    Table broken = Table.of(1, 1f, Float.NaN);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Expression.of(1).evaluate(broken, Expression.Inputs.AS_STORED))
        .withMessage("row 1 is NaN at column 0; a row must be finite to be compared");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Expression.of(0).plus(0, Double.NaN))
        .withMessage("a weight is NaN; it must be finite");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> royals(Expression.Inputs.UNIT, -1))
        .withMessage("k is -1; it takes 0 or more");
  }
}
