package dev.rowan.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KnnGraphTest {
  private static final Workers WORKERS = Workers.of(2);

  @AfterAll
  static void close() {
    WORKERS.close();
  }

  private static Table random(int rows, int width, long seed) {
    Random random = new Random(seed);
    float[] values = new float[rows * width];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return Table.of(width, values);
  }

  @ParameterizedTest
  @EnumSource(Metric.class)
  void everyRowHasTheAnswersOfSearch(Metric metric) {
    Table table = random(701, 40, 3);
    KnnGraph graph = KnnGraph.of(table, metric, 17, WORKERS);
    List<Query> queries = new ArrayList<>();
    for (int id = 0; id < 701; id++) {
      queries.add(Query.row(table, id));
    }
    List<List<Hit>> expected = Search.over(table, WORKERS).nearest(queries, metric, 17);
    for (int id = 0; id < 701; id++) {
      assertThat(graph.neighbours(id)).as("row %d", id).isEqualTo(expected.get(id));
    }
  }

  @Test
  void equalRowsAreTakenByLowerId() {
    // 300 equal rows and one other: more ties than a scan keeps
    float[] values = new float[301 * 2];
    for (int i = 0; i < 300; i++) {
      values[2 * i] = 1;
    }
    values[601] = 1;
    KnnGraph graph = KnnGraph.of(Table.of(2, values), Metric.EUCLIDEAN, 3, WORKERS);
    assertThat(graph.neighbours(0)).extracting(Hit::id).containsExactly(1L, 2L, 3L);
    assertThat(graph.neighbours(2)).extracting(Hit::id).containsExactly(0L, 1L, 3L);
    assertThat(graph.neighbours(300)).extracting(Hit::id).containsExactly(0L, 1L, 2L);
    assertThat(graph.score(300, 0)).isEqualTo(-Math.sqrt(2));
    assertThat(graph.score(0, 0)).isZero();
  }

  @Test
  void brokenRowsHaveNoNeighboursAndAreNone() {
    Table table = Table.of(1, 1f, Float.NaN, 2f, Float.POSITIVE_INFINITY, 4f, 0x1p100f);
    KnnGraph graph = KnnGraph.of(table, Metric.EUCLIDEAN, 9, WORKERS);
    assertThat(graph.degree()).isEqualTo(3);
    assertThat(graph.hasNeighbours(1)).isFalse();
    assertThat(graph.neighbours(3)).isEmpty();
    assertThat(graph.neighbours(2)).extracting(Hit::id).containsExactly(0L, 4L, 5L);
    // 2^100 minus 1, 2 or 4 is 2^100 in double: three ties
    assertThat(graph.neighbours(5)).extracting(Hit::id).containsExactly(0L, 2L, 4L);
  }

  @Test
  void loneAndAbsentRowsHaveNoNeighbours() {
    assertThat(KnnGraph.of(Table.of(2, 1, 2), Metric.COSINE, 5, WORKERS).degree()).isZero();
    assertThat(KnnGraph.of(Table.of(2), Metric.COSINE, 5, WORKERS).rows()).isZero();
    assertThat(KnnGraph.of(random(5, 2, 1), Metric.COSINE, 0, WORKERS).neighbours(0)).isEmpty();
  }

  @Test
  void refusesNegativeKAndTooManyNeighbours() {
    assertThatThrownBy(() -> KnnGraph.of(random(5, 2, 1), Metric.DOT, -1, WORKERS))
        .hasMessage("k is -1; it takes 0 or more");
    Table huge = Table.of(1, new float[100_000]);
    assertThatThrownBy(() -> KnnGraph.of(huge, Metric.DOT, 50_000, WORKERS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("100,000 rows × 50,000 neighbours are more than 2^31");
  }

  @Test
  void tellsHowManyRowsAreDone() {
    List<Long> told = new ArrayList<>();
    KnnGraph.of(random(700, 4, 5), Metric.COSINE, 3, WORKERS, told::add);
    assertThat(told).isSorted().endsWith(700L);
  }

  @Test
  void interruptEndsIt() {
    Table table = random(100, 4, 5);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> KnnGraph.of(table, Metric.COSINE, 3, WORKERS))
        .isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
