package dev.rowan.analysis.geometry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Workers;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SymmetricEigenTest {
  private static final Workers WORKERS = Workers.of(3);

  @AfterAll
  static void close() {
    WORKERS.close();
  }

  @Test
  void solvesTwoByTwo() {
    // characteristic polynomial (2 − λ)² − 1: eigenvalues 3 and 1, vectors (1, 1) and (1, −1)
    SymmetricEigen eigen = SymmetricEigen.of(new double[] {2, 1, 1, 2}, 2, 2, WORKERS);
    assertThat(eigen.values()).containsExactly(new double[] {3, 1}, within(1e-15));
    double[] first = eigen.vectors()[0];
    assertThat(first[0]).isCloseTo(first[1], within(1e-15));
    double[] second = eigen.vectors()[1];
    assertThat(second[0]).isCloseTo(-second[1], within(1e-15));
  }

  @Test
  void findsTheKnownValuesOfTheSecondDifference() {
    // the n × n matrix with 2 on the diagonal and −1 beside it: λ = 2 − 2 cos(kπ / (n + 1))
    int n = 50;
    double[] matrix = new double[n * n];
    for (int i = 0; i < n; i++) {
      matrix[i * n + i] = 2;
      if (i + 1 < n) {
        matrix[i * n + i + 1] = -1;
        matrix[(i + 1) * n + i] = -1;
      }
    }
    SymmetricEigen eigen = SymmetricEigen.of(matrix, n, 0, WORKERS);
    for (int k = 1; k <= n; k++) {
      assertThat(eigen.values()[n - k])
          .isCloseTo(2 - 2 * Math.cos(k * Math.PI / (n + 1)), within(1e-14));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 31, 32, 33, 100, 260}) // the last is shared out to threads
  void vectorsSatisfyTheirEquationAndAreOrthonormal(int n) {
    double[] matrix = random(n, n);
    SymmetricEigen eigen = SymmetricEigen.of(matrix.clone(), n, n, WORKERS);
    double scale = Math.abs(eigen.values()[0]) + Math.abs(eigen.values()[n - 1]);
    for (int k = 0; k < n; k++) {
      double[] v = eigen.vectors()[k];
      for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) {
          sum += matrix[i * n + j] * v[j];
        }
        assertThat(sum).isCloseTo(eigen.values()[k] * v[i], within(1e-13 * scale));
      }
      for (int other = 0; other <= k; other++) {
        double dot = 0;
        for (int i = 0; i < n; i++) {
          dot += v[i] * eigen.vectors()[other][i];
        }
        assertThat(dot).isCloseTo(other == k ? 1 : 0, within(1e-13));
      }
    }
  }

  @Test
  void valuesSumToTheTraceAndTheirSquaresToTheSquaredNorm() {
    int n = 75;
    double[] matrix = random(n, 4);
    double trace = 0;
    double squares = 0;
    for (int i = 0; i < n * n; i++) {
      trace += i % (n + 1) == 0 ? matrix[i] : 0;
      squares += matrix[i] * matrix[i];
    }
    double[] values = SymmetricEigen.of(matrix, n, 0, WORKERS).values();
    double sum = 0;
    double sumOfSquares = 0;
    for (double value : values) {
      sum += value;
      sumOfSquares += value * value;
    }
    assertThat(sum).isCloseTo(trace, within(1e-12 * n));
    assertThat(sumOfSquares).isCloseTo(squares, within(1e-12 * squares));
  }

  @Test
  void diagonalAndBlockMatricesNeedNoReflection() {
    double[] diagonal = {3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 5, 0, 0, 0, 0, -1};
    SymmetricEigen eigen = SymmetricEigen.of(diagonal, 4, 4, WORKERS);
    assertThat(eigen.values()).containsExactly(5, 5, 3, -1);
    assertThat(Math.abs(eigen.vectors()[2][0])).isCloseTo(1, within(1e-14));
    assertThat(Math.abs(eigen.vectors()[3][3])).isCloseTo(1, within(1e-14));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-300, 1e-200, 1, 1e150, 1e300})
  void scalesToAnyMagnitude(double scale) {
    double[] matrix = {2 * scale, scale, scale, 2 * scale};
    SymmetricEigen eigen = SymmetricEigen.of(matrix, 2, 1, WORKERS);
    assertThat(eigen.values()[0]).isCloseTo(3 * scale, within(1e-14 * scale));
    assertThat(eigen.values()[1]).isCloseTo(scale, within(1e-14 * scale));
  }

  @Test
  void nothingHasNothing() {
    assertThat(SymmetricEigen.of(new double[0], 0, 0, WORKERS).values()).isEmpty();
    SymmetricEigen zero = SymmetricEigen.of(new double[9], 3, 2, WORKERS);
    assertThat(zero.values()).containsExactly(0, 0, 0);
    assertThat(zero.vectors()[1]).containsExactly(0, 1, 0);
  }

  @Test
  void refusesWhatDoesNotFit() {
    assertThatThrownBy(() -> SymmetricEigen.of(new double[5], 2, 1, WORKERS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has 4 numbers but 5 were given");
    assertThatThrownBy(() -> SymmetricEigen.of(new double[4], 2, 3, WORKERS))
        .hasMessageContaining("it has 0 to 2");
    assertThatThrownBy(() -> SymmetricEigen.of(new double[] {Double.NaN}, 1, 1, WORKERS))
        .hasMessageContaining("NaN");
  }

  private static double[] random(int n, long seed) {
    Random random = new Random(seed);
    double[] matrix = new double[n * n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        matrix[i * n + j] = random.nextGaussian();
        matrix[j * n + i] = matrix[i * n + j];
      }
    }
    return matrix;
  }
}
