package dev.rowan.analysis.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.KnnGraph;
import dev.rowan.core.Metric;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * The expected numbers are of numpy with scipy's brentq for the precision of each row, for 150 rows
 * of {@link Blobs}; scikit-learn 1.9.1's own affinities agree to 1e-6.
 */
class AffinitiesTest {
  private static final Workers WORKERS = Workers.of(2);
  private static final Table TABLE = Blobs.table(150, 8, 6, 0.9);

  @AfterAll
  static void close() {
    WORKERS.close();
  }

  private static Affinities affinities(Metric metric, int k, double perplexity) {
    return Affinities.of(KnnGraph.of(TABLE, metric, k, WORKERS), perplexity, WORKERS);
  }

  private static double p(Affinities all, int i, int j) {
    for (int e = all.start()[i]; e < all.start()[i + 1]; e++) {
      if (all.column()[e] == j) {
        return all.p()[e];
      }
    }
    return 0;
  }

  @Test
  void agreeWithNumpy() {
    Affinities cosine = affinities(Metric.COSINE, 149, 20);
    assertThat(p(cosine, 0, 6)).isCloseTo(0.0002351497407110724, within(1e-10));
    assertThat(p(cosine, 0, 1)).isCloseTo(1.0581806601493314e-08, within(1e-14));
    Affinities euclidean = affinities(Metric.EUCLIDEAN, 149, 20);
    assertThat(p(euclidean, 6, 0)).isCloseTo(0.00011945473443046718, within(1e-10));
    assertThat(p(euclidean, 1, 0)).isCloseTo(6.715563286218283e-09, within(1e-14));
  }

  @Test
  void divergenceOfAGivenMapAgreesWithNumpy() {
    double[] x = Blobs.column(TABLE, 0, 10);
    double[] y = Blobs.column(TABLE, 1, 10);
    TsneLayout layout =
        new TsneLayout(
            affinities(Metric.COSINE, 149, 20),
            TsneSettings.Schedule.DEFAULT,
            new ExactRepulsion(WORKERS),
            WORKERS,
            x,
            y);
    assertThat(layout.kl()).isCloseTo(1.6170349336079524, within(1e-7));
  }

  @Test
  void areSymmetricAndSumToOne() {
    Affinities sparse = affinities(Metric.COSINE, 12, 4);
    double sum = 0;
    for (int i = 0; i < 150; i++) {
      for (int e = sparse.start()[i]; e < sparse.start()[i + 1]; e++) {
        sum += sparse.p()[e];
        assertThat(p(sparse, sparse.column()[e], i)).isEqualTo(sparse.p()[e]);
        if (e > sparse.start()[i]) {
          assertThat(sparse.column()[e]).isGreaterThan(sparse.column()[e - 1]);
        }
      }
    }
    assertThat(sum).isCloseTo(1, within(1e-6));
  }

  @Test
  void equalDistancesGiveEqualWeights() {
    double[] weights = new double[4];
    new PerplexitySearch(2).weights(new double[] {3, 3, 3, 3}, weights);
    assertThat(weights).containsExactly(new double[] {0.25, 0.25, 0.25, 0.25}, within(1e-12));
    new PerplexitySearch(2).weights(new double[] {0, 0, 0, 9}, weights);
    assertThat(weights).containsExactly(new double[] {1 / 3.0, 1 / 3.0, 1 / 3.0, 0}, within(1e-9));
  }

  @Test
  void weightsHaveTheEntropyAskedForWhateverTheUnit() {
    for (double unit : new double[] {1e-30, 1e-6, 1, 1e20}) {
      double[] squared = new double[40];
      for (int j = 0; j < 40; j++) {
        squared[j] = unit * (5 + j * j);
      }
      double[] weights = new double[40];
      new PerplexitySearch(7).weights(squared, weights);
      double entropy = 0;
      for (double w : weights) {
        entropy -= w > 0 ? w * Math.log(w) : 0;
      }
      assertThat(Math.exp(entropy)).as("unit %s", unit).isCloseTo(7, within(1e-6));
    }
  }
}
