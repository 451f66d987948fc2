package dev.rowan.analysis.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.KnnGraph;
import dev.rowan.core.Metric;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The expected numbers are of scikit-learn 1.9.1 (trustworthiness; continuity is the same with the
 * spaces exchanged, cosine as distance of unit rows), scipy 1.17.1 (spearmanr) and numpy sorts, for
 * 150 rows of {@link Blobs} and their first two columns as the map.
 */
class QualityMeasureTest {
  private static final Workers WORKERS = Workers.of(2);
  private static final Table TABLE = Blobs.table(150, 8, 6, 0.9);

  @AfterAll
  static void close() {
    WORKERS.close();
  }

  private static MapQuality measure(Table table, Metric metric) {
    double[] x = Blobs.column(table, 0, 1);
    double[] y = Blobs.column(table, 1, 1);
    return QualityMeasure.of(table, metric, x, y, 1, null, WORKERS);
  }

  @Test
  void agreesWithScikitLearnUnderCosine() {
    MapQuality quality = measure(TABLE, Metric.COSINE);
    assertThat(quality.trustworthiness()).isCloseTo(0.7324659231722428, within(1e-12));
    assertThat(quality.continuity()).isCloseTo(0.806364312267658, within(1e-12));
    assertThat(quality.neighbourRecall()).isCloseTo(0.24133333333333334, within(1e-7));
    assertThat(quality.rankCorrelation()).isCloseTo(0.4837134869412804, within(1e-9));
    assertThat(quality.reliability()).startsWith(0.1f, 0.3f, 0.1f, 0.4f, 0.1f).hasSize(150);
    assertThat(quality.neighbours()).isEqualTo(10);
    assertThat(quality.isComplete()).isTrue();
    assertThat(quality.recallByChance()).isCloseTo(10 / 149.0, within(1e-15));
  }

  @Test
  void agreesWithScikitLearnUnderEuclideanDistance() {
    MapQuality quality = measure(TABLE, Metric.EUCLIDEAN);
    assertThat(quality.trustworthiness()).isCloseTo(0.7425724907063197, within(1e-12));
    assertThat(quality.continuity()).isCloseTo(0.8377843866171004, within(1e-12));
    assertThat(quality.neighbourRecall()).isCloseTo(0.25666666666666665, within(1e-7));
    assertThat(quality.rankCorrelation()).isCloseTo(0.5638932678813016, within(1e-9));
  }

  @Test
  void perfectMapOfAPlaneLosesNothing() {
    MapQuality quality = measure(Blobs.table(80, 2, 5, 1), Metric.EUCLIDEAN);
    assertThat(quality.trustworthiness()).isEqualTo(1);
    assertThat(quality.continuity()).isEqualTo(1);
    assertThat(quality.neighbourRecall()).isEqualTo(1);
    assertThat(quality.rankCorrelation()).isCloseTo(1, within(1e-12));
  }

  @Test
  void sampleOfALargeMapIsNamedAndNearTheWhole() {
    int n = 5000;
    Table table = Blobs.table(n, 6, 9, 0.9);
    MapQuality quality = measure(table, Metric.COSINE);
    assertThat(quality.measured()).isEqualTo(2000);
    assertThat(quality.isComplete()).isFalse();
    assertThat(quality.correlated()).isEqualTo(1000);
    MapQuality other =
        QualityMeasure.of(
            table,
            Metric.COSINE,
            Blobs.column(table, 0, 1),
            Blobs.column(table, 1, 1),
            2,
            null,
            WORKERS);
    assertThat(other.trustworthiness())
        .isNotEqualTo(quality.trustworthiness())
        .isCloseTo(quality.trustworthiness(), within(0.01));
  }

  @Test
  void knownNeighboursGiveEveryPointTheReliabilityThatMeasuringGives() {
    Table table = Blobs.table(2600, 6, 9, 0.9);
    double[] x = Blobs.column(table, 0, 1);
    double[] y = Blobs.column(table, 1, 1);
    KnnGraph graph = KnnGraph.of(table, Metric.COSINE, 20, WORKERS);
    float[] all = QualityMeasure.of(table, Metric.COSINE, x, y, 1, graph, WORKERS).reliability();
    float[] some = measure(table, Metric.COSINE).reliability();
    int same = 0;
    for (int i = 0; i < 2600; i++) {
      assertThat(all[i]).isBetween(0f, 1f);
      same += some[i] == all[i] ? 1 : 0;
    }
    assertThat(same).isGreaterThan(1995); // float products may swap near ties among 2000
  }

  @Test
  void threadsChangeNothing() {
    Table table = Blobs.table(2500, 5, 9, 0.9);
    MapQuality two = measure(table, Metric.COSINE);
    try (Workers one = Workers.of(1)) {
      MapQuality alone =
          QualityMeasure.of(
              table,
              Metric.COSINE,
              Blobs.column(table, 0, 1),
              Blobs.column(table, 1, 1),
              1,
              null,
              one);
      assertThat(alone.reliability()).isEqualTo(two.reliability());
      assertThat(alone.trustworthiness()).isEqualTo(two.trustworthiness());
      assertThat(alone.continuity()).isEqualTo(two.continuity());
      assertThat(alone.rankCorrelation()).isEqualTo(two.rankCorrelation());
    }
  }

  @Test
  void tooFewPointsHaveNoQuality() {
    MapQuality two = measure(Table.of(2, 1, 2, 3, 4), Metric.COSINE);
    assertThat(two.trustworthiness()).isNaN();
    assertThat(two.neighbours()).isZero();
    MapQuality three = measure(Table.of(2, 1, 2, 3, 4, 9, 1), Metric.EUCLIDEAN);
    assertThat(three.neighbours()).isEqualTo(1);
    assertThat(three.trustworthiness()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(value = Metric.class, names = "DOT", mode = EnumSource.Mode.EXCLUDE)
  void blockedClosenessIsThatInDouble(Metric metric) {
    Table table = Blobs.table(600, 37, 7, 0.8);
    int[] chosen = new Noise(9).sample(40, 600);
    double[][] exact = new double[32][600];
    double[][] blocked = new double[32][600];
    new Closeness(table, metric, true, WORKERS).keys(chosen, 8, 32, exact);
    new Closeness(table, metric, false, WORKERS).keys(chosen, 8, 32, blocked);
    for (int a = 0; a < 32; a++) {
      assertThat(blocked[a]).containsExactly(exact[a], within(1e-5));
    }
  }
}
