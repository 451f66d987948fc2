package dev.rowan.analysis.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RankCorrelationTest {
  @Test
  void equalValuesShareTheMeanRank() {
    // scipy.stats.spearmanr([1, 2, 2, 5, 0], [3, 1, 4, 4, 2]) = 0.5
    double found =
        RankCorrelation.spearman(new double[] {1, 2, 2, 5, 0}, new double[] {3, 1, 4, 4, 2});
    assertThat(found).isCloseTo(0.5, within(1e-12));
  }

  @Test
  void constantsHaveNoCorrelation() {
    assertThat(RankCorrelation.spearman(new double[] {1, 1}, new double[] {1, 2})).isNaN();
    assertThat(RankCorrelation.spearman(new double[0], new double[0])).isNaN();
  }

  @Test
  void orderAloneCounts() {
    double[] a = {1, 2, 30, 400};
    assertThat(RankCorrelation.spearman(a, new double[] {-4, -3, -2, 9})).isEqualTo(1);
    assertThat(RankCorrelation.spearman(a, new double[] {4, 3, 2, 1})).isEqualTo(-1);
  }
}
