package dev.rowan.analysis.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.analysis.eval.Correlation.Bootstrap;
import dev.rowan.analysis.eval.Correlation.Interval;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/** Expected numbers are scipy 1.17's: rankdata, spearmanr, pearsonr. */
class CorrelationTest {
  private static final double[] X = {1, 2, 2, 4, 5, 7, 7, 7, 9, 10};
  private static final double[] Y = {0.1, 0.4, 0.35, 0.4, 0.2, 0.9, 0.8, 0.9, 0.7, 1.1};

  @Test
  void equalNumbersShareTheMeanOfTheirRanks() {
    assertThat(Correlation.ranks(Y)).containsExactly(1, 4.5, 3, 4.5, 2, 8.5, 7, 8.5, 6, 10);
    assertThat(Correlation.ranks(new double[] {0.0, -0.0, 1})).containsExactly(1.5, 1.5, 3);
  }

  @Test
  void agreesWithScipy() {
    assertThat(Correlation.spearman(X, Y)).isCloseTo(0.8328532615141301, within(1e-14));
    assertThat(Correlation.pearson(X, Y)).isCloseTo(0.8595926064554944, within(1e-14));
  }

  @Test
  void listsThatDoNotVaryHaveNoCorrelation() {
    double[] constant = {3, 3, 3};
    double[] varying = {1, 2, 3};
    assertThat(Correlation.spearman(constant, varying)).isNaN();
    assertThat(Correlation.pearson(varying, constant)).isNaN();
    assertThat(Correlation.pearson(new double[0], new double[0])).isNaN();
    assertThat(Correlation.spearman(new double[] {1}, new double[] {2})).isNaN();
    assertThat(Correlation.spearman(new double[] {1, Double.NaN, 2}, varying)).isNaN();
  }

  @Test
  void refusesListsOfDifferentLength() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Correlation.pearson(new double[2], new double[3]))
        .withMessage("2 numbers cannot be paired with 3");
  }

  @Test
  void intervalIsThatOfANumpyBootstrap() {
    int n = 200;
    double[] x = new double[n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = (i * 7919 % 1009) / 100.0;
      y[i] = x[i] * 0.6 + ((long) i * 104_729 % 997) / 150.0;
    }
    assertThat(Correlation.spearman(x, y)).isCloseTo(0.6740418510462762, within(1e-13));
    // 20,000 resamples with numpy and scipy.stats.spearmanr gave [0.5949, 0.7370]; with 10,000 of
    // our own draws each end has a standard error of about 0.001
    Interval interval = Correlation.interval(x, y, new Bootstrap(10_000, 1, 0.95));
    assertThat(interval.low()).isCloseTo(0.5949, within(0.005));
    assertThat(interval.high()).isCloseTo(0.7370, within(0.005));
  }

  @Test
  void intervalDependsOnTheSeedAlone() {
    Bootstrap seven = new Bootstrap(200, 7, 0.9);
    assertThat(Correlation.interval(X, Y, seven)).isEqualTo(Correlation.interval(X, Y, seven));
    assertThat(Correlation.interval(X, Y, seven))
        .isNotEqualTo(Correlation.interval(X, Y, new Bootstrap(200, 8, 0.9)));
  }

  @Test
  void fewPairsHaveNoInterval() {
    double[] nine = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    assertThat(Correlation.interval(nine, nine, new Bootstrap(100, 1, 0.95)).low()).isNaN();
    assertThat(Correlation.interval(X, X, new Bootstrap(100, 1, 0.95)).high()).isEqualTo(1);
  }

  @Test
  void intervalOfNothingIsNotANumber() {
    Interval interval =
        Correlation.interval(new double[12], new double[12], new Bootstrap(10, 1, 0.95));
    assertThat(interval.low()).isNaN();
    assertThat(interval.high()).isNaN();
  }

  @Test
  void resamplingStopsWhenInterrupted() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Correlation.interval(X, Y, new Bootstrap(1_000_000, 1, 0.95)))
        .isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void refusesSettingsOutOfRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Bootstrap(0, 1, 0.95))
        .withMessage("resamples is 0; it takes 1 to 1,000,000");
    assertThatIllegalArgumentException().isThrownBy(() -> new Bootstrap(10, 1, 1));
  }
}
