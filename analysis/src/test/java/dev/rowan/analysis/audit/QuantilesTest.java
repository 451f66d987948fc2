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
    for (int n : new int[] {1, 2, 3, 10, 59, 64, 65, 1000, 20_000}) {
      agree(random.doubles(n).map(x -> Math.floor(8 * x)).toArray()); // many equal
      agree(random.doubles(n, -1e-3, 1e-3).toArray());
      agree(random.doubles(n).map(x -> Math.scalb(x, (int) (2000 * x) - 1000)).toArray());
      double[] far = random.doubles(n).toArray();
      far[n / 2] = 1e300;
      agree(far);
      far[0] = -1.7e308;
      far[n - 1] = 1.7e308; // apart by more than a double holds
      agree(far);
    }
  }

  private static void agree(double[] values) {
    double[] sorted = values.clone();
    java.util.Arrays.sort(sorted);
    int last = values.length - 1;
    for (int k : new int[] {0, last / 50, last / 3, last / 2, last}) {
      double share = last == 0 ? 0 : k / (double) last;
      double at = share * last; // rounding may put it a little beside k
      double low = sorted[(int) Math.floor(at)];
      double high = sorted[(int) Math.ceil(at)];
      assertThat(Quantiles.quantile(values, share)).isBetween(low, high);
    }
  }

  @Test
  void nothingHasNoQuantile() {
    assertThat(Quantiles.quantile(new double[0], 0.5)).isNaN();
  }
}
