package dev.rowan.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class RowStatisticsTest {
  private static final Workers WORKERS = Workers.of(2);

  @AfterAll
  static void endThreads() {
    WORKERS.close();
  }

  @Test
  void baselineIsTheMeanCosineOverAllDistinctPairs() {
    Random random = Seeded.random(1);
    int rows = 2100; // three chunks
    int width = 19;
    float[] values = Seeded.normals(random, rows * width);
    for (int i = 0; i < values.length; i++) {
      values[i] += 0.3f; // a common direction, as real tables have
    }
    double sum = 0;
    for (int a = 0; a < rows; a++) {
      for (int b = 0; b < a; b++) {
        double dot = 0;
        double aa = 0;
        double bb = 0;
        for (int i = 0; i < width; i++) {
          double x = values[a * width + i];
          double y = values[b * width + i];
          dot += x * y;
          aa += x * x;
          bb += y * y;
        }
        sum += dot / Math.sqrt(aa * bb);
      }
    }
    RowStatistics statistics = Table.of(width, values).statistics(WORKERS);
    assertThat(statistics.meanCosine()).isCloseTo(sum / (rows * (rows - 1) / 2.0), within(1e-12));
  }

  @Test
  void zeroRowsCountAsCosineZeroAndNonFiniteRowsAreLeftOut() {
    // pairs of the finite rows (1,0), (1,1), (0,0): cosines √½, 0, 0
    Table table = Table.of(2, 1f, 0f, 1f, 1f, 0f, 0f, Float.NaN, 0f);
    RowStatistics statistics = table.statistics(WORKERS);
    assertThat(statistics.meanCosine()).isCloseTo(Math.sqrt(0.5) / 3, within(1e-15));
    assertThat(statistics.zeroRows()).isEqualTo(1);
    assertThat(statistics.nonFiniteRows()).isEqualTo(1);
    assertThat(statistics.minNorm()).isZero();
    assertThat(statistics.argminNorm()).isEqualTo(2);
    assertThat(statistics.maxNorm()).isCloseTo(Math.sqrt(2), within(1e-15));
    assertThat(statistics.argmaxNorm()).isEqualTo(1);
    assertThat(statistics.meanNorm()).isCloseTo((1 + Math.sqrt(2)) / 3, within(1e-15));
  }

  @Test
  void figuresAreEqualToTheBitForAnyNumberOfThreads() {
    float[] values = Seeded.normals(Seeded.random(2), 33 * 10_000);
    RowStatistics one;
    try (Workers single = Workers.of(1)) {
      one = Table.of(33, values).statistics(single);
    }
    for (int threads = 2; threads < 6; threads++) {
      try (Workers several = Workers.of(threads)) {
        RowStatistics other = Table.of(33, values).statistics(several);
        assertThat(other.meanCosine()).isEqualTo(one.meanCosine());
        assertThat(other.unitSum()).isEqualTo(one.unitSum());
        assertThat(other.meanNorm()).isEqualTo(one.meanNorm());
      }
    }
  }

  @Test
  void tablesOfNoneOrOneRowHaveNoBaseline() {
    assertThat(Table.of(2).statistics(WORKERS).meanCosine()).isNaN();
    assertThat(Table.of(2).statistics(WORKERS).argminNorm()).isEqualTo(-1);
    assertThat(Table.of(2, 1f, 1f).statistics(WORKERS).meanCosine()).isNaN();
  }

  @Test
  void rowsWhoseSquaresOverflowFloatAreStillFinite() {
    Table table = Table.of(2, 3e38f, 3e38f, 1f, 0f);
    RowStatistics statistics = table.statistics(WORKERS);
    assertThat(statistics.nonFiniteRows()).isZero();
    assertThat(statistics.maxNorm()).isCloseTo(Math.sqrt(2) * 3e38f, within(1e25));
    assertThat(statistics.meanCosine()).isCloseTo(Math.sqrt(0.5), within(1e-12));
  }
}
