package dev.rowan.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class DirectionsTest {
  private static final Workers WORKERS = Workers.of(2);

  @AfterAll
  static void close() {
    WORKERS.close();
  }

  @Test
  void findsTheAxesOfACross() {
    // ±3 along x, ±1 along y, around (10, 20): variances 18 and 2, so shares 0.9 and 0.1
    Table cross = Table.of(2, 13, 20, 7, 20, 10, 21, 10, 19);
    Directions found = Directions.of(cross, 2, WORKERS);
    assertThat(found.rowsUsed()).isEqualTo(4);
    assertThat(found.directions().get(0).share()).isCloseTo(0.9, within(1e-12));
    assertThat(found.directions().get(0).unit()).containsExactly(new double[] {1, 0}, within(1e-6));
    assertThat(found.directions().get(1).share()).isCloseTo(0.1, within(1e-12));
    assertThat(found.directions().get(1).unit()).containsExactly(new double[] {0, 1}, within(1e-6));
  }

  @Test
  void findsASlantedDirection() {
    // rows t·(3, −4): one direction, (−3, 4)/5 once its largest number points up
    Table line = Table.of(2, 3, -4, -3, 4, 6, -8, 0, 0);
    Directions found = Directions.of(line, 3, WORKERS);
    assertThat(found.directions().getFirst().share()).isCloseTo(1, within(1e-12));
    assertThat(found.directions().getFirst().unit())
        .containsExactly(new double[] {-0.6, 0.8}, within(1e-9));
  }

  @Test
  void leavesNonFiniteRowsOut() {
    Table table = Table.of(2, 1, 0, -1, 0, Float.NaN, 5, 7, Float.POSITIVE_INFINITY);
    Directions found = Directions.of(table, 1, WORKERS);
    assertThat(found.rowsUsed()).isEqualTo(2);
    assertThat(found.directions().getFirst().unit())
        .containsExactly(new double[] {1, 0}, within(1e-9));
  }

  @Test
  void equalRowsHaveNoDirection() {
    assertThat(Directions.of(Table.of(2, 1, 2, 1, 2, 1, 2), 2, WORKERS).directions()).isEmpty();
    assertThat(Directions.of(Table.of(2), 2, WORKERS).directions()).isEmpty();
  }

  @Test
  void sharesOfAllDirectionsSumToOneAndDirectionsAreOrthonormal() {
    Random random = new Random(7);
    float[] values = new float[301 * 13];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (random.nextGaussian() * (1 + i % 13));
    }
    Directions found = Directions.of(Table.of(13, values), 13, WORKERS);
    assertThat(found.directions().stream().mapToDouble(Directions.Direction::share).sum())
        .isCloseTo(1, within(1e-9));
    for (int a = 0; a < 13; a++) {
      for (int b = 0; b < 13; b++) {
        double[] x = found.directions().get(a).unit();
        double[] y = found.directions().get(b).unit();
        double dot = 0;
        for (int i = 0; i < 13; i++) {
          dot += x[i] * y[i];
        }
        assertThat(dot).isCloseTo(a == b ? 1 : 0, within(1e-9));
      }
    }
  }

  @Test
  void threadsDoNotChangeABit() {
    Random random = new Random(11);
    float[] values = new float[500 * 33];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    Table table = Table.of(33, values);
    double[] two = Directions.of(table, 1, WORKERS).directions().getFirst().unit();
    try (Workers five = Workers.of(5)) {
      assertThat(Directions.of(table, 1, five).directions().getFirst().unit()).containsExactly(two);
    }
  }

  @Test
  void refusesANegativeCount() {
    assertThatThrownBy(() -> Directions.of(Table.of(2, 1, 2), -1, WORKERS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it takes 0 or more");
  }
}
