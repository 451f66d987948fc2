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
      assertThat(FirstComponent.of(RowScan.of(Table.of(2, 1, 0, 1, 0), workers), workers).unit()).containsOnly(0);
      assertThat(FirstComponent.of(RowScan.of(Table.of(2), workers), workers).unit()).containsOnly(0);
    }
  }
}
