package dev.rowan.analysis.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.KnnGraph;
import dev.rowan.core.Metric;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The expected numbers are of umap-learn 0.5.12 on the same rows. */
class UmapTest {
  private static final Workers WORKERS = Workers.of(2);

  @AfterAll
  static void close() {
    WORKERS.close();
  }

  @Test
  void curveIsThatOfUmapLearn() {
    // umap.umap_.find_ab_params(1.0, 0.1) and (1.0, 0.5)
    UmapCurve near = UmapCurve.of(0.1);
    assertThat(near.a()).isCloseTo(1.57694346, within(1e-6));
    assertThat(near.b()).isCloseTo(0.89506088, within(1e-6));
    UmapCurve far = UmapCurve.of(0.5);
    assertThat(far.a()).isCloseTo(0.58303002, within(1e-6));
    assertThat(far.b()).isCloseTo(1.33416699, within(1e-6));
  }

  @Test
  void neighbourhoodsAreThoseOfUmapLearn() {
    // umap.umap_.fuzzy_simplicial_set on exact cosine neighbours, 15 with the point itself
    KnnGraph graph = KnnGraph.of(Blobs.table(150, 8, 6, 0.9), Metric.COSINE, 14, WORKERS);
    Affinities edges = UmapLayout.neighbourhoods(graph, WORKERS);
    assertThat(edges.column()).hasSize(2626);
    assertThat(edges.column()).startsWith(6, 12, 14, 18, 24, 30);
    double sum = 0;
    for (float weight : edges.p()) {
      sum += weight;
    }
    assertThat(sum).isCloseTo(908.2366, within(0.02));
    float[] expected = {0.2822892f, 0.25468725f, 0.1628814f, 0.14494368f, 0.23141965f, 0.13995612f};
    for (int e = 0; e < 6; e++) {
      assertThat(edges.p()[e]).isCloseTo(expected[e], within(2e-5f));
    }
  }

  @Test
  void mapIsWithinAHairOfThatOfUmapLearn() {
    // umap-learn, init pca, three seeds: trustworthiness 0.9908 to 0.9913, continuity 0.9804 to
    // 0.9811, recall 0.437 to 0.446
    Table table = Blobs.table(2000, 8, 40, 0.5);
    TableMap map = Mapper.over(table, WORKERS).mapAll(UmapSettings.defaults(), MapListener.NONE);
    assertThat(map.quality().trustworthiness()).isGreaterThan(0.9885);
    assertThat(map.quality().continuity()).isGreaterThan(0.977);
    assertThat(map.quality().neighbourRecall()).isGreaterThan(0.42);
    assertThat(((UmapSettings) map.method()).epochs()).isEqualTo(500);
  }

  @Test
  void threadsChangeNoBit() {
    Table table = Blobs.table(900, 8, 12, 0.7);
    UmapSettings settings = UmapSettings.defaults().withEpochs(20);
    TableMap two = Mapper.over(table, WORKERS).mapAll(settings, MapListener.NONE);
    try (Workers five = Workers.of(5)) {
      TableMap other = Mapper.over(table, five).mapAll(settings, MapListener.NONE);
      assertThat(other.x()).isEqualTo(two.x());
      assertThat(other.y()).isEqualTo(two.y());
    }
    TableMap reseeded = Mapper.over(table, WORKERS).mapAll(settings.withSeed(2), MapListener.NONE);
    assertThat(reseeded.x()).isNotEqualTo(two.x());
  }

  @Test
  void handfulsAndEqualRowsAreMapped() {
    Table table = Blobs.table(6, 3, 2, 0.5);
    for (int n = 1; n <= 6; n++) {
      TableMap map =
          Mapper.over(table, WORKERS)
              .map(UmapSettings.defaults(), LongStream.range(0, n).toArray());
      assertThat(map.x()).hasSize(n).doesNotContain(Double.NaN);
    }
    float[] equal = new float[200];
    java.util.Arrays.fill(equal, 1);
    TableMap map =
        Mapper.over(Table.of(2, equal), WORKERS).mapAll(UmapSettings.defaults(), MapListener.NONE);
    assertThat(map.x()).doesNotContain(Double.NaN);
  }

  @Test
  void refusesSettingsOutOfRange() {
    assertThatThrownBy(() -> UmapSettings.defaults().withNeighbours(1))
        .hasMessage("neighbours is 1; it takes 2 to 1,000");
    assertThatThrownBy(() -> UmapSettings.defaults().withMinDistance(1))
        .hasMessage("minimum distance is 1.0; it takes 0 to less than 1");
  }
}
