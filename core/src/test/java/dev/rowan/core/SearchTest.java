package dev.rowan.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.kernel.FloatFormat;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SearchTest {
  private static final Workers ONE = Workers.of(1);
  private static final Workers THREE = Workers.of(3);

  // rows on the x axis turned by known angles: cosines with row 0 are cos 0°, 30°, 60°, 90°, 180°
  private static final Table ANGLES =
      Table.of(2, 1f, 0f, 1.7320508f, 1f, 0.5f, 0.8660254f, 0f, 3f, -2f, 0f);

  @AfterAll
  static void endThreads() {
    ONE.close();
    THREE.close();
  }

  /** The definition, in plain double loops of the test's own. */
  private static List<Hit> reference(Table table, Query query, Metric metric, int k, Scope scope) {
    List<Hit> all = new ArrayList<>();
    double[] q = query.vector();
    long[] candidates =
        switch (scope) {
          case Scope.All() -> LongStream.range(0, table.rows()).toArray();
          case Scope.Range(long from, long to) -> LongStream.range(from, to).toArray();
          case Scope.Of(long[] ids) -> ids;
        };
    for (long id : candidates) {
      float[] row = table.row(id);
      double dot = 0;
      double rowSquared = 0;
      double querySquared = 0;
      double distance = 0;
      for (int i = 0; i < row.length; i++) {
        dot += row[i] * q[i];
        rowSquared += (double) row[i] * row[i];
        querySquared += q[i] * q[i];
        distance += (row[i] - q[i]) * (row[i] - q[i]);
      }
      if (!Double.isFinite(rowSquared) || Arrays.stream(query.excluded()).anyMatch(e -> e == id)) {
        continue;
      }
      double norms = Math.sqrt(rowSquared) * Math.sqrt(querySquared);
      double score =
          switch (metric) {
            case COSINE -> norms == 0 ? 0 : dot / norms;
            case DOT -> dot;
            case EUCLIDEAN -> -Math.sqrt(distance);
          };
      all.add(new Hit(id, score));
    }
    all.sort(Comparator.comparingDouble(Hit::score).reversed().thenComparingLong(Hit::id));
    return all.subList(0, Math.min(k, all.size()));
  }

  private static void assertSame(List<Hit> actual, List<Hit> expected, double tolerance) {
    assertThat(actual).as(Seeded.replay()).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(actual.get(i).id())
          .as("place %d; %s", i, Seeded.replay())
          .isEqualTo(expected.get(i).id());
      assertThat(actual.get(i).score()).isCloseTo(expected.get(i).score(), within(tolerance));
    }
  }

  @Test
  void ordersByAngleAndLeavesTheQueryOut() {
    List<Hit> hits = Search.over(ANGLES, ONE).nearest(Query.row(ANGLES, 0), Metric.COSINE, 10);
    assertThat(hits).extracting(Hit::id).containsExactly(1L, 2L, 3L, 4L);
    assertThat(hits.get(0).score()).isCloseTo(Math.sqrt(3) / 2, within(1e-7));
    assertThat(hits.get(1).score()).isCloseTo(0.5, within(1e-7));
    assertThat(hits.get(2).score()).isZero();
    assertThat(hits.get(3).score()).isEqualTo(-1);
  }

  @Test
  void metricsDiffer() {
    Search search = Search.over(ANGLES, ONE);
    Query query = Query.of(1.0, 0.0);
    assertThat(search.nearest(query, Metric.DOT, 2))
        .extracting(Hit::id)
        .containsExactly(1L, 0L); // 1.73 beats 1
    assertThat(search.nearest(query, Metric.EUCLIDEAN, 2).get(0)).isEqualTo(new Hit(0, -0.0));
    assertThat(search.nearest(query, Metric.EUCLIDEAN, 5).get(4))
        .isEqualTo(new Hit(3, -Math.sqrt(10)));
  }

  @ParameterizedTest
  @EnumSource(Metric.class)
  void agreesWithTheDefinitionOnRandomTables(Metric metric) {
    Random random = Seeded.random(metric.name().hashCode());
    for (int round = 0; round < 40; round++) {
      int rows = 1 + random.nextInt(700);
      int width = 1 + random.nextInt(70);
      Table table = Table.of(width, Seeded.normals(random, rows * width));
      List<Query> queries = new ArrayList<>();
      for (int q = 0; q < 1 + random.nextInt(40); q++) {
        queries.add(
            random.nextBoolean()
                ? Query.row(table, random.nextInt(rows))
                : Query.of(Seeded.normals(random, width)).excluding(random.nextInt(rows)));
      }
      int k = 1 + random.nextInt(20);
      int from = random.nextInt(rows);
      List<Scope> scopes =
          List.of(
              Scope.all(),
              Scope.range(from, from + random.nextInt(rows - from + 1)),
              Scope.of(random.longs(30, 0, rows).toArray()));
      for (Scope scope : scopes) {
        List<List<Hit>> actual =
            Search.over(table, round % 2 == 0 ? ONE : THREE).nearest(queries, metric, k, scope);
        for (int q = 0; q < queries.size(); q++) {
          assertSame(actual.get(q), reference(table, queries.get(q), metric, k, scope), 1e-11);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(FloatFormat.class)
  void agreesWithTheDefinitionInEveryFormatAtAnyAlignment(FloatFormat format) {
    Random random = Seeded.random(format.name().hashCode());
    int rows = 3000;
    int width = 37;
    float[] values = Seeded.normals(random, rows * width);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment bytes = arena.allocate(3 + (long) rows * format.rowBytes(width));
      format.encode(values, 0, values.length, bytes, 3);
      Table table = Table.over(bytes.asSlice(3), rows, width, format);
      for (int queries : new int[] {1, 2, 5, 20, 300}) {
        List<Query> batch =
            random.longs(queries, 0, rows).mapToObj(id -> Query.row(table, id)).toList();
        List<List<Hit>> actual = Search.over(table, THREE).nearest(batch, Metric.COSINE, 7);
        for (int q = 0; q < queries; q++) {
          assertSame(
              actual.get(q), reference(table, batch.get(q), Metric.COSINE, 7, Scope.all()), 1e-11);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Metric.class)
  void answersAreEqualToTheBitForAnyNumberOfThreads(Metric metric) {
    Random random = Seeded.random(7);
    Table table = Table.of(96, Seeded.normals(random, 96 * 20_000));
    List<Query> queries = random.longs(9, 0, 20_000).mapToObj(id -> Query.row(table, id)).toList();
    List<List<Hit>> expected = Search.over(table, ONE).nearest(queries, metric, 25);
    for (int threads = 2; threads <= 8; threads *= 2) {
      try (Workers workers = Workers.of(threads)) {
        assertThat(Search.over(table, workers).nearest(queries, metric, 25)).isEqualTo(expected);
      }
    }
  }

  @Test
  void breaksTiesByLowerIdHoweverManyThereAre() {
    float[] values = new float[4 * 5000];
    for (int r = 0; r < 5000; r++) {
      System.arraycopy(new float[] {0.1f, 0.2f, 0.3f, 0.4f}, 0, values, 4 * r, 4);
    }
    Table table = Table.of(4, values);
    List<Hit> hits = Search.over(table, THREE).nearest(Query.row(table, 2), Metric.COSINE, 5);
    assertThat(hits).extracting(Hit::id).containsExactly(0L, 1L, 3L, 4L, 5L);
  }

  @Test
  void ordersRowsThatFloatCannotTellApart() {
    // rows (1, i·1e-9) for i = 0 … 999, nearest to (1, 1) in reverse order; in float32 cosine
    // their scores differ by far less than one rounding
    float[] values = new float[2 * 1000];
    for (int i = 0; i < 1000; i++) {
      values[2 * i] = 1;
      values[2 * i + 1] = i * 1e-9f;
    }
    Table table = Table.of(2, values);
    List<Hit> hits = Search.over(table, THREE).nearest(Query.of(1.0, 1.0), Metric.COSINE, 4);
    assertThat(hits).extracting(Hit::id).containsExactly(999L, 998L, 997L, 996L);
  }

  @Test
  void cosineOfZeroRowAndZeroQueryIsZero() {
    Table table = Table.of(2, 0f, 0f, 1f, 1f, -1f, -1f);
    Search search = Search.over(table, ONE);
    assertThat(search.nearest(Query.of(1.0, 1.0), Metric.COSINE, 3))
        .extracting(Hit::id)
        .containsExactly(1L, 0L, 2L);
    assertThat(search.nearest(Query.of(0.0, 0.0), Metric.COSINE, 3))
        .containsExactly(new Hit(0, 0), new Hit(1, 0), new Hit(2, 0));
  }

  @ParameterizedTest
  @EnumSource(Metric.class)
  void nonFiniteRowNeverRanks(Metric metric) {
    Table table =
        Table.of(
            2,
            1f,
            1f,
            Float.NaN,
            1f,
            Float.POSITIVE_INFINITY,
            1f,
            2f,
            1f,
            Float.NEGATIVE_INFINITY,
            0f);
    assertThat(Search.over(table, ONE).nearest(Query.of(1.0, 1.0), metric, 9))
        .extracting(Hit::id)
        .containsExactlyInAnyOrder(0L, 3L);
  }

  @ParameterizedTest
  @EnumSource(Metric.class)
  void rowsBeyondTheRangeOfFloatArithmeticRankRight(Metric metric) {
    float big = 3e38f;
    float tiny = Float.MIN_VALUE;
    Table table =
        Table.of(3, big, big, big, 1f, 2f, 3f, tiny, 0f, 0f, -big, big, 0f, 1e-30f, 1e-30f, 0f);
    for (Query query :
        List.of(Query.of(1.0, 1.0, 1.0), Query.of(1e30, 0, 0), Query.of(1e-30, 1e-30, 2e-30))) {
      assertThat(Search.over(table, ONE).nearest(query, metric, 5))
          .extracting(Hit::id)
          .containsExactlyElementsOf(
              reference(table, query, metric, 5, Scope.all()).stream().map(Hit::id).toList());
    }
  }

  @Test
  void selfSimilarityIsNeverAboveOne() {
    Random random = Seeded.random(3);
    Table table = Table.of(301, Seeded.normals(random, 301 * 50));
    for (long id = 0; id < 50; id++) {
      Query query = Query.row(table, id).excludingNothing();
      Hit self = Search.over(table, ONE).nearest(query, Metric.COSINE, 1).getFirst();
      assertThat(self.id()).isEqualTo(id);
      assertThat(self.score()).isLessThanOrEqualTo(1).isCloseTo(1, within(1e-12));
    }
  }

  @Test
  void kOfZeroIsEmptyAndLargeKIsCapped() {
    Search search = Search.over(ANGLES, ONE);
    assertThat(search.nearest(Query.of(1.0, 0.0), Metric.COSINE, 0)).isEmpty();
    assertThat(search.nearest(Query.of(1.0, 0.0), Metric.COSINE, Integer.MAX_VALUE)).hasSize(5);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> search.nearest(Query.of(1.0, 0.0), Metric.COSINE, -1))
        .withMessage("k is -1; it takes 0 or more");
  }

  @Test
  void emptyTableAndEmptyBatchGiveEmptyAnswers() {
    Search search = Search.over(Table.of(2), ONE);
    assertThat(search.nearest(Query.of(1.0, 0.0), Metric.COSINE, 3)).isEmpty();
    assertThat(search.nearest(List.of(), Metric.COSINE, 3)).isEmpty();
  }

  @Test
  void refusesWhatDoesNotFit() {
    Search search = Search.over(ANGLES, ONE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> search.nearest(Query.of(1.0), Metric.COSINE, 1))
        .withMessage("the query has 1 numbers but the table's width is 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Query.of(0, Double.NaN))
        .withMessage("the query is NaN at position 1; every number must be finite");
    assertThatThrownBy(() -> search.nearest(Query.of(1.0, 0.0).excluding(5), Metric.COSINE, 1))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("id 5 is not in [0, 5)");
    assertThatThrownBy(
            () -> search.nearest(List.of(Query.of(1.0, 0.0)), Metric.COSINE, 1, Scope.range(2, 6)))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("the scope ends at row 6 but the table has 5");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void rankIsThePlaceAmongAllAnswers(long id) {
    assertThat(Search.over(ANGLES, ONE).rank(Query.row(ANGLES, 0), Metric.COSINE, id))
        .isEqualTo(id);
  }

  @Test
  void rankOfAFarRowIsFoundInALargeTable() {
    float[] values = new float[2 * 9000];
    for (int i = 0; i < 9000; i++) {
      values[2 * i] = (float) Math.cos(i * 3e-4);
      values[2 * i + 1] = (float) Math.sin(i * 3e-4);
    }
    Table table = Table.of(2, values);
    assertThat(Search.over(table, THREE).rank(Query.row(table, 0), Metric.COSINE, 8500))
        .isEqualTo(8500);
  }

  @Test
  void rankOfAnExcludedRowIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Search.over(ANGLES, ONE).rank(Query.row(ANGLES, 0), Metric.COSINE, 0))
        .withMessageContaining("row 0 has no rank");
  }

  @Test
  void anInterruptEndsTheSearchAndStaysVisible() {
    Table table = Table.of(2, new float[2_000_000]);
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(
              () -> Search.over(table, ONE).nearest(Query.of(1.0, 0.0), Metric.COSINE, 3))
          .isInstanceOf(CancellationException.class);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(Search.over(table, ONE).nearest(Query.of(1.0, 0.0), Metric.COSINE, 3)).hasSize(3);
  }
}
