package dev.rowan.analysis.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class QuantilesTest {
  /** numpy 2: np.percentile([3, 1, 4, 1, 5, 9, 2, 6], [0, 2, 25, 50, 100]). */
  @Test
  void interpolatesAsNumpyDoes() {
    double[] shares = {0, 0.02, 0.25, 0.5, 1};
    double[] expected = {1, 1, 1.75, 3.5, 9};
    for (int i = 0; i < shares.length; i++) {
      double[] values = {3, 1, 4, 1, 5, 9, 2, 6};
      assertThat(Quantiles.quantile(values, shares[i])).isCloseTo(expected[i], within(1e-12));
    }
  }

  @Test
  void selectionAgreesWithSorting() {
    Random random = new Random(3);
    for (int n = 1; n < 60; n++) {
      double[] values = random.doubles(n).map(x -> Math.floor(8 * x)).toArray();
      double[] sorted = values.clone();
      java.util.Arrays.sort(sorted);
      for (int k = 0; k < n; k++) {
        assertThat(Quantiles.quantile(values.clone(), n == 1 ? 0 : k / (double) (n - 1)))
            .isCloseTo(sorted[k], within(1e-9));
      }
    }
  }

  @Test
  void nothingHasNoQuantile() {
    assertThat(Quantiles.quantile(new double[0], 0.5)).isNaN();
  }
}
