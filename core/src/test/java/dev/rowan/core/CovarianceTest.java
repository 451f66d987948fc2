package dev.rowan.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CovarianceTest {
  private static final Workers WORKERS = Workers.of(2);

  @AfterAll
  static void close() {
    WORKERS.close();
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 3", "7, 5", "8, 16", "9, 17", "1025, 33", "3000, 1"})
  void equalsThePlainSum(int count, int width) {
    float[] values = Seeded.normals(Seeded.random(count), count * width);
    Covariance found = Covariance.of(Table.of(width, values), Scope.all(), WORKERS);
    double[] mean = new double[width];
    for (int i = 0; i < values.length; i++) {
      mean[i % width] += values[i] / (double) count;
    }
    assertThat(found.mean()).containsExactly(mean, within(1e-12));
    for (int i = 0; i < width; i++) {
      for (int j = 0; j < width; j++) {
        double sum = 0;
        for (int r = 0; r < count; r++) {
          sum += (values[r * width + i] - mean[i]) * (values[r * width + j] - mean[j]);
        }
        assertThat(found.scatter()[i * width + j])
            .as(Seeded.replay())
            .isCloseTo(sum, within(1e-11 * count));
      }
    }
    assertThat(found.rows()).isEqualTo(count);
  }

  @Test
  void staysExactFarFromTheOrigin() {
    // rows 1,000,000 ± 1 and 1,000,000 ± 2: squares of a million would drown the 10 they vary by
    Table far = Table.of(1, 1_000_001f, 999_999f, 1_000_002f, 999_998f);
    assertThat(Covariance.of(far, Scope.all(), WORKERS).scatter()).containsExactly(10);
  }

  @Test
  void threadsAndStagesDoNotChangeABit() {
    // 3,000 rows × 400 in double are more than one stage
    Table table = Table.of(400, Seeded.normals(Seeded.random(5), 3000 * 400));
    double[] two = Covariance.of(table, Scope.all(), WORKERS).scatter();
    try (Workers five = Workers.of(5)) {
      assertThat(Covariance.of(table, Scope.all(), five).scatter()).containsExactly(two);
    }
  }

  @Test
  void takesTheChosenRowsAlone() {
    Table table = Table.of(1, 5, 1, 9, 3, Float.NaN);
    assertThat(Covariance.of(table, Scope.of(3, 1, 4), WORKERS).scatter()).containsExactly(2);
    assertThat(Covariance.of(table, Scope.of(3, 1, 4), WORKERS).rows()).isEqualTo(2);
    assertThat(Covariance.of(table, Scope.range(0, 2), WORKERS).scatter()).containsExactly(8);
    Covariance none = Covariance.of(table, Scope.of(), WORKERS);
    assertThat(none.rows()).isZero();
    assertThat(none.mean()).containsExactly(0);
    assertThat(none.trace()).isZero();
  }

  @Test
  void refusesRowsOutsideTheTable() {
    Table table = Table.of(1, 5, 1);
    assertThatThrownBy(() -> Covariance.of(table, Scope.of(2), WORKERS))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("id 2");
    assertThatThrownBy(() -> Covariance.of(table, Scope.range(0, 3), WORKERS))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("the scope ends at row 3 but the table has 2");
  }
}
