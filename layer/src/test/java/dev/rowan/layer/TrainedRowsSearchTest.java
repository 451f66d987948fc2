package dev.rowan.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Hit;
import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import org.junit.jupiter.api.Test;

/** Lengths of rows are computed once for a table; after a change they must be those of now. */
class TrainedRowsSearchTest {
  private static long nearest(Table table, Workers workers) {
    return Search.over(table, workers).nearest(Query.row(table, 0), Metric.COSINE, 1).stream()
        .map(Hit::id)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void tableTakenAfterAChangeIsSearchedByTheRowsOfNow() {
    Embedding embedding = Toy.embedding();
    try (Workers workers = Workers.of(1)) {
      Table before = embedding.table();
      // from (1, 2): (3, 4) is at cosine 0.984, (6, 8) too, (0, 1) at 0.894
      assertThat(nearest(before, workers)).isEqualTo(1);
      embedding.weights().setRow(3, 10, 20);
      embedding.weights().setRow(1, -3, 4);
      Table after = embedding.table();
      assertThat(nearest(after, workers)).isEqualTo(3);
      assertThat((double) after.statistics(workers).norm(3)).isEqualTo((float) Math.sqrt(500));
    }
  }

  @Test
  void tableOfMoreRowsFindsTheNewOne() {
    WeightTable larger = WeightTable.of(2, 1, 2, 3, 4, 6, 8, 0, 1, -2, 5, 2, 4);
    try (Workers workers = Workers.of(1)) {
      assertThat(nearest(larger.table(), workers)).isEqualTo(5);
    }
  }
}
