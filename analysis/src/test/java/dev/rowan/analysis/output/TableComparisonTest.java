package dev.rowan.analysis.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Hit;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import org.junit.jupiter.api.Test;

class TableComparisonTest {
  private static TableComparison compare(Table a, Table b) {
    try (Workers workers = Workers.of(2)) {
      return TableComparison.of(a, b, 2, workers);
    }
  }

  /** Cosines 1 (scaled), 0, 24/25, none (zero row), 1 (equal). */
  @Test
  void cosinesAreThoseOfEachPairOfRows() {
    TableComparison c =
        compare(
            Table.of(2, 1, 0, 1, 0, 3, 4, 0, 0, 5, 5),
            Table.of(2, 2, 0, 0, 9, 4, 3, 1, 1, 5, 5, 7, 7));
    assertThat(c.rows()).isEqualTo(5);
    assertThat(c.identical()).isEqualTo(1);
    assertThat(c.meanCosine()).isCloseTo((1 + 0 + 0.96 + 1) / 4, within(1e-12));
    assertThat(c.medianCosine()).isCloseTo(0.98, within(1e-12));
    assertThat(c.farthest().stream().map(Hit::id)).containsExactly(1L, 2L);
    assertThat(c.relation()).isEqualTo(TableComparison.Relation.DIFFERENT);
  }

  @Test
  void equalTablesAreIdenticalAndRoundedOnesNear() {
    Table table = Table.of(2, 1, 2, 3, 4);
    assertThat(compare(table, table).relation()).isEqualTo(TableComparison.Relation.IDENTICAL);
    assertThat(compare(table, Table.of(2, 1.01f, 2, 3, 4)).relation())
        .isEqualTo(TableComparison.Relation.NEAR);
  }

  @Test
  void refusesOtherWidths() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> compare(Table.of(2, 1, 2), Table.of(1, 1)))
        .withMessageContaining("cannot be compared");
  }
}
