package dev.rowan.analysis.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Hit;
import dev.rowan.core.Query;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against whole logits in double, computed here by plain loops. */
class OutputScorerTest {
  private static final int ROWS = 700;
  private static final int WIDTH = 70;
  private final Random random = new Random(20240512);
  private final float[] values = new float[ROWS * WIDTH];

  private Table table() {
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (0.3 * random.nextGaussian());
    }
    for (int i = 0; i < WIDTH; i++) {
      values[400 * WIDTH + i] = values[20 * WIDTH + i]; // a tie
    }
    values[33 * WIDTH + 5] = Float.NaN;
    values[34 * WIDTH + 5] = Float.POSITIVE_INFINITY;
    return Table.of(WIDTH, values);
  }

  private List<Query> vectors(int count) {
    List<Query> vectors = new ArrayList<>();
    for (int v = 0; v < count; v++) {
      vectors.add(Query.of(random.doubles(WIDTH, -2, 2).toArray()));
    }
    return vectors;
  }

  private double product(Query h, int id) {
    double sum = 0;
    double[] x = h.vector();
    for (int i = 0; i < WIDTH; i++) {
      sum += x[i] * values[id * WIDTH + i];
    }
    return sum;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 5, 16, 70})
  void logitsSumsAndRanksAreThoseOfWholeLogits(int count) {
    Table table = table();
    for (Scoring scoring :
        List.of(
            Scoring.PLAIN,
            new Scoring(0.5, OptionalDouble.of(3), 0.7),
            new Scoring(2, OptionalDouble.empty(), 1.5))) {
      List<Query> vectors = vectors(count);
      try (Workers workers = Workers.of(2)) {
        List<OutputScores> scores =
            OutputScorer.score(Search.over(table, workers), vectors, scoring, 9, 20, 400, 33, 1);
        assertThat(scores).hasSize(count);
        for (int v = 0; v < count; v++) {
          check(vectors.get(v), scores.get(v), scoring);
        }
      }
    }
  }

  private void check(Query h, OutputScores scores, Scoring scoring) {
    assertThat(scores.nonFiniteRows()).isEqualTo(2); // 33 and 34
    List<Hit> all =
        IntStream.range(0, ROWS)
            .filter(id -> id != 33 && id != 34)
            .mapToObj(id -> new Hit(id, product(h, id)))
            .sorted((a, b) ->
                a.score() != b.score()
                    ? Double.compare(b.score(), a.score())
                    : Long.compare(a.id(), b.id()))
            .toList();
    double sum = 0;
    for (Hit hit : all) {
      sum += Math.exp(logit(hit.score(), scoring) / scoring.temperature());
    }
    assertThat(scores.logSumExp()).isCloseTo(Math.log(sum), within(5e-6));
    assertThat(scores.top().stream().map(Hit::id))
        .containsExactlyElementsOf(all.stream().limit(9).map(Hit::id).toList());
    for (int i = 0; i < 9; i++) {
      double logit = logit(all.get(i).score(), scoring);
      assertThat(scores.top().get(i).score()).isCloseTo(logit, within(1e-12));
      assertThat(scores.probability(logit))
          .isCloseTo(Math.exp(logit / scoring.temperature()) / sum, within(5e-6));
    }
    List<Long> order = all.stream().map(Hit::id).toList();
    for (OutputScores.Place place : scores.named()) {
      assertThat(place.rank()).as("#" + place.id()).isEqualTo(order.indexOf(place.id()) + 1);
      assertThat(Double.isNaN(place.logit())).isEqualTo(place.id() == 33);
    }
  }

  private static double logit(double product, Scoring scoring) {
    double z = product * scoring.scale();
    if (scoring.softCap().isEmpty()) {
      return z;
    }
    double e = Math.exp(2 * z / scoring.softCap().getAsDouble());
    return scoring.softCap().getAsDouble() * (e - 1) / (e + 1); // tanh, written out
  }

  @Test
  void sameBitsForAnyNumberOfThreads() {
    Table table = table();
    List<Query> vectors = vectors(20);
    try (Workers one = Workers.of(1);
        Workers three = Workers.of(3)) {
      assertThat(OutputScorer.score(Search.over(table, one), vectors, Scoring.PLAIN, 5, 7))
          .isEqualTo(OutputScorer.score(Search.over(table, three), vectors, Scoring.PLAIN, 5, 7));
    }
  }

  @Test
  void manyEqualRowsAreSettledByLowerId() {
    float[] ones = new float[300 * WIDTH];
    java.util.Arrays.fill(ones, 1);
    try (Workers workers = Workers.of(1)) {
      List<OutputScores> scores =
          OutputScorer.score(
              Search.over(Table.of(WIDTH, ones), workers), vectors(6), Scoring.PLAIN, 3, 5);
      assertThat(scores.getLast().top().stream().map(Hit::id)).containsExactly(0L, 1L, 2L);
      assertThat(scores.getLast().named().getFirst().rank()).isEqualTo(6);
      assertThat(scores.getLast().probability(scores.getLast().top().getFirst().score()))
          .isCloseTo(1 / 300.0, within(1e-8));
    }
  }

  @Test
  void hugeVectorsDoNotOverflow() {
    List<Query> vectors = new ArrayList<>(vectors(4));
    vectors.add(Query.of(random.doubles(WIDTH, -1e60, 1e60).toArray()));
    try (Workers workers = Workers.of(1)) {
      OutputScores scores =
          OutputScorer.score(Search.over(table(), workers), vectors, Scoring.PLAIN, 2).getLast();
      assertThat(scores.logSumExp()).isCloseTo(scores.top().getFirst().score(), within(1e50));
      assertThat(scores.top()).hasSize(2);
    }
  }

  @Test
  void refusesVectorsOfAnotherWidth() {
    try (Workers workers = Workers.of(1)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() ->
              OutputScorer.score(
                  Search.over(table(), workers), List.of(Query.of(1.0)), Scoring.PLAIN, 2))
          .withMessageContaining("1 numbers but the table's width is 70");
    }
  }

  /** Logits 1 and 2 by hand: the softmax of two numbers that are 1 apart. The NaN row stays out. */
  @Test
  void probabilitiesAreTheSoftmaxOfFiniteRows() {
    Table table = Table.of(2, 1f, 0f, 0f, 2f, Float.NaN, 0f);
    try (Workers workers = Workers.of(1)) {
      OutputScores scores = one(table, workers, 2, 1, 1);
      assertThat(scores.top()).containsExactly(new Hit(1, 2), new Hit(0, 1));
      assertThat(scores.logSumExp()).isCloseTo(Math.log(Math.E + Math.E * Math.E), within(1e-14));
      assertThat(scores.probability(2)).isCloseTo(1 / (1 + Math.exp(-1)), within(1e-14));
    }
  }

  @Test
  void hugeLogitsDoNotOverflow() {
    try (Workers workers = Workers.of(1)) {
      OutputScores scores = one(Table.of(1, 1000f, 999f), workers, 1, 10);
      assertThat(scores.logSumExp()).isCloseTo(10_000 + Math.log1p(Math.exp(-10)), within(1e-11));
    }
  }

  private static OutputScores one(Table table, Workers workers, int k, double... h) {
    return OutputScorer.score(Search.over(table, workers), List.of(Query.of(h)), Scoring.PLAIN, k)
        .getFirst();
  }

  /** Rows that are decoded on the way; 101 rows are no whole number of panels, one is broken. */
  @Test
  void manyVectorsScoreHalfPrecisionRowsAsOneDoes() {
    Random random = new Random(23);
    float[] values = new float[101 * 40];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    values[60 * 40 + 7] = Float.POSITIVE_INFINITY;
    for (FloatFormat format : FloatFormat.values()) {
      MemorySegment data = MemorySegment.ofArray(new byte[(int) format.rowBytes(101 * 40)]);
      format.encode(values, 0, values.length, data, 0);
      Table table = Table.over(data, 101, 40, format);
      List<Query> vectors =
          IntStream.range(0, 7).mapToObj(id -> Query.row(table, id).excludingNothing()).toList();
      try (Workers workers = Workers.of(2)) {
        Search search = Search.over(table, workers);
        List<OutputScores> many = OutputScorer.score(search, vectors, Scoring.PLAIN, 5, 3, 60);
        for (int v = 0; v < 7; v++) {
          OutputScores one =
              OutputScorer.score(search, List.of(vectors.get(v)), Scoring.PLAIN, 5, 3, 60)
                  .getFirst();
          assertThat(many.get(v).top()).isEqualTo(one.top());
          assertThat(many.get(v).named()).isEqualTo(one.named());
          assertThat(many.get(v).logSumExp())
              .isCloseTo(one.logSumExp(), within(1e-4)); // 2e-6 of it
        }
      }
    }
  }
}
