package dev.rowan.analysis.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Hit;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** {@link Likeness}, {@link OddOneOut} and {@link Axis} on rows whose answers follow by hand. */
class RowsComparedTest {
  private static final Workers WORKERS = Workers.of(2);

  // (3, 0), (0, 2), (1, 1), (−1, 0), zero, not a number
  private static final Table TABLE =
      Table.of(2, 3f, 0f, 0f, 2f, 1f, 1f, -1f, 0f, 0f, 0f, Float.NaN, 1f);
  private static final double HALF = Math.sqrt(0.5);

  @AfterAll
  static void endThreads() {
    WORKERS.close();
  }

  @Test
  void likenessIsCosineDotDistanceAndPlace() {
    Likeness likeness = Likeness.of(Search.over(TABLE, WORKERS), 0, 2);
    assertThat(likeness.cosine()).isCloseTo(HALF, within(1e-12));
    assertThat(likeness.dot()).isEqualTo(3);
    assertThat(likeness.distance()).isCloseTo(Math.sqrt(5), within(1e-12));
    assertThat(likeness.rankFromFirst()).isEqualTo(1);
    assertThat(likeness.rankFromSecond()).isEqualTo(1); // ties with row 1 go to the lower id
    assertThat(Likeness.of(Search.over(TABLE, WORKERS), 2, 1).rankFromFirst()).isEqualTo(2);
    assertThat(likeness.baseline()).isEqualTo(TABLE.statistics(WORKERS).meanCosine());
  }

  @Test
  void aRowHasNoPlaceAmongItsOwnNeighbours() {
    Likeness likeness = Likeness.of(Search.over(TABLE, WORKERS), 1, 1);
    assertThat(likeness.rankFromFirst()).isZero();
    assertThat(likeness.distance()).isZero();
  }

  @Test
  void oddRowIsTheOneFarthestFromTheMeanOfUnits() {
    // units (1, 0), (0, 1), (√½, √½), (−1, 0): sum (√½, 1 + √½), norm √(2 + √2)
    double norm = Math.sqrt(2 + Math.sqrt(2));
    List<Hit> ranked = OddOneOut.of(TABLE, 0, 1, 2, 3).ranked();
    assertThat(ranked).extracting(Hit::id).containsExactly(3L, 0L, 2L, 1L);
    assertThat(ranked.get(0).score()).isCloseTo(-HALF / norm, within(1e-12));
    assertThat(ranked.get(3).score()).isCloseTo((1 + HALF) / norm, within(1e-12));
  }

  @Test
  void equallyOddRowsComeInTheOrderOfTheirIds() {
    assertThat(OddOneOut.of(TABLE, 1, 0).ranked()).extracting(Hit::id).containsExactly(0L, 1L);
  }

  @Test
  void placesOnTheLineBetweenUnitRows() {
    // from (1, 0) to (0, 1): the step is (−1, 1); (√½, √½) projects to the middle
    Axis axis = Axis.between(TABLE, 0, 1);
    assertThat(axis.place(0).position()).isCloseTo(0, within(1e-12));
    assertThat(axis.place(0).cosine()).isZero();
    assertThat(axis.place(1).position()).isCloseTo(1, within(1e-12));
    assertThat(axis.place(1).cosine()).isCloseTo(1, within(1e-12));
    assertThat(axis.place(2).position()).isCloseTo(0.5, within(1e-12));
    // (−1, 0) − (1, 0) = (−2, 0): along (−1, 1) by 2, so position 1 and cosine √½
    assertThat(axis.place(3).position()).isCloseTo(1, within(1e-12));
    assertThat(axis.place(3).cosine()).isCloseTo(HALF, within(1e-12));
  }

  @Test
  void anEndMayBeTheMeanOfRows() {
    // from (1, 0) to the middle of (0, 1) and (−1, 0): the step is (−1½, ½), its square 2½;
    // (0, 1) − (1, 0) = (−1, 1): along the step by 2
    Axis axis = Axis.between(TABLE, List.of(0L), List.of(1L, 3L));
    assertThat(axis.place(1).position()).isCloseTo(0.8, within(1e-12));
    assertThat(axis.place(0).position()).isCloseTo(0, within(1e-12));
  }

  @Test
  void farthestRowsPointAlongTheLine() {
    Axis axis = Axis.between(TABLE, 0, 1);
    Search search = Search.over(TABLE, WORKERS);
    assertThat(axis.farthest(search, 2)).extracting(Hit::id).containsExactly(3L, 2L);
    assertThat(axis.farthestBack(search, 1)).extracting(Hit::id).containsExactly(2L);
  }

  @Test
  void refusesWhatHasNoAnswer() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Axis.between(TABLE, 0, 0))
        .withMessage("rows 0 and 0 point the same way, so there is no line between them");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OddOneOut.of(TABLE))
        .withMessage("no rows to compare; it takes 1 or more");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OddOneOut.of(TABLE, 0, 5))
        .withMessageContaining("row 5 is NaN");
  }
}
