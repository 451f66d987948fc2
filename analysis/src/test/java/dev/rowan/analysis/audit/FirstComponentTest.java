package dev.rowan.analysis.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Directions;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FirstComponentTest {
  /** {@link Directions} forms the covariance and iterates on it: another way to the same vector. */
  @Test
  void isTheFirstDirectionOfTheCovariance() {
    Random random = new Random(7);
    float[] values = new float[500 * 30];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (random.nextGaussian() * (1 + (i % 30) / 20.0) + i % 30);
    }
    values[30 * 17] = Float.NaN;
    Table table = Table.of(30, values);
    try (Workers workers = Workers.of(2)) {
      double[] expected = Directions.of(table, 1, workers).directions().getFirst().unit();
      FirstComponent found = FirstComponent.of(RowScan.of(table, workers), workers);
      assertThat(found.rowsUsed()).isEqualTo(499);
      assertThat(Math.abs(Projection.dot(found.unit(), expected))).isCloseTo(1, within(1e-8));
    }
  }

  /** Rows (±3, ±1): the variance along the first axis is 9, along the second 1. */
  @Test
  void isTheLongAxisOfARectangle() {
    Table table = Table.of(2, 3, 1, 3, -1, -3, 1, -3, -1);
    try (Workers workers = Workers.of(1)) {
      double[] unit = FirstComponent.of(RowScan.of(table, workers), workers).unit();
      assertThat(Math.abs(unit[0])).isCloseTo(1, within(1e-9));
      assertThat(unit[1]).isCloseTo(0, within(1e-6));
    }
  }

  @Test
  void equalRowsHaveNone() {
    try (Workers workers = Workers.of(1)) {
      assertThat(FirstComponent.of(RowScan.of(Table.of(2, 1, 0, 1, 0), workers), workers).unit())
          .containsOnly(0);
      assertThat(FirstComponent.of(RowScan.of(Table.of(2), workers), workers).unit())
          .containsOnly(0);
    }
  }

  /** Enough rows for a start from an eighth of them. */
  @Test
  void isTheFirstDirectionOfALargeTableToo() {
    Table table = stretched(6000, 24, 2);
    try (Workers workers = Workers.of(2)) {
      double[] expected = Directions.of(table, 1, workers).directions().getFirst().unit();
      FirstComponent found = FirstComponent.of(RowScan.of(table, workers), workers);
      assertThat(found.rowsUsed()).isEqualTo(6000);
      assertThat(Math.abs(Projection.dot(found.unit(), expected))).isCloseTo(1, within(1e-12));
    }
  }

  /** Variances 10 and 1: the direction of n rows is off by some √(d / n) · √10 / 9 = 0.022. */
  @Test
  void everyThirdRowGivesNearlyTheSame() {
    Table table = stretched(18_000, 24, 3);
    try (Workers workers = Workers.of(2)) {
      RowScan scan = RowScan.of(table, workers);
      FirstComponent found = FirstComponent.of(scan, 3, workers);
      assertThat(found.rowsUsed()).isEqualTo(6000);
      double[] expected = FirstComponent.of(scan, 1, workers).unit();
      double cosine = Math.abs(Projection.dot(found.unit(), expected));
      assertThat(Math.acos(Math.min(1, cosine))).isBetween(1e-4, 0.03);
    }
  }

  @Test
  void largeTablesLendASixteenthOrTwentyMillionNumbers() {
    assertThat(FirstComponent.stride(50_257L * 768)).isEqualTo(1);
    assertThat(FirstComponent.stride(60_000_000)).isEqualTo(3);
    assertThat(FirstComponent.stride(262_144L * 1152)).isEqualTo(16);
    assertThat(FirstComponent.stride(1_000_000_000)).isEqualTo(16);
  }

  /** Normal rows off the origin; one direction, not along an axis, is stretched. */
  private static Table stretched(int rows, int width, double more) {
    Random random = new Random(11);
    float[] values = new float[rows * width];
    for (int r = 0; r < rows; r++) {
      double along = random.nextGaussian() * more;
      for (int i = 0; i < width; i++) {
        double unit = (i % 2 == 0 ? 1 : -1) / Math.sqrt(width);
        values[r * width + i] = (float) (5 + random.nextGaussian() + along * unit);
      }
    }
    return Table.of(width, values);
  }
}
