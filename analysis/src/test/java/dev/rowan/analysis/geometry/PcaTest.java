package dev.rowan.analysis.geometry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Scope;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PcaTest {
  private static final Workers WORKERS = Workers.of(2);
  private static final Offset<Double> CLOSE = within(1e-8);

  @AfterAll
  static void close() {
    WORKERS.close();
  }

  /** Returns x[i][j] = (7i + 13j) mod 11 − 5 + ((i² + 3j) mod 7) / 4, exact in float. */
  private static Table pattern(int rows, int width) {
    float[] values = new float[rows * width];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < width; j++) {
        values[i * width + j] = (i * 7 + j * 13) % 11 - 5 + 0.25f * ((i * i + 3 * j) % 7);
      }
    }
    return Table.of(width, values);
  }

  // The numbers of the next two tests are from numpy 2.4: svd of the centred float64 rows, each
  // right singular vector turned so that its number of largest magnitude is positive.

  @Test
  void agreesWithNumpyWhereRowsAreMany() {
    Pca pca = Pca.of(pattern(9, 4), Scope.all(), 3, WORKERS);
    assertThat(pca.shares())
        .containsExactly(new double[] {0.41288134, 0.3769209, 0.13582988, 0.07436789}, CLOSE);
    assertThat(pca.component(0))
        .containsExactly(new double[] {-0.47329636, -0.51464301, -0.06542555, 0.71193584}, CLOSE);
    assertThat(pca.component(2))
        .containsExactly(new double[] {0.54767544, -0.51717296, 0.65576889, 0.05050649}, CLOSE);
    assertThat(pca.project(pattern(9, 4).row(0)))
        .containsExactly(
            new double[] {4.337153055072515, 1.9405712098028352, -1.6867640239304937}, CLOSE);
    assertThat(pca.project(1, 2, 3, 4))
        .containsExactly(
            new double[] {0.9264178654706638, 1.7461170530541468, 1.1669920026123326}, CLOSE);
    assertThat(pca.variance(0)).isCloseTo(19.346644519076065, CLOSE);
    assertThat(pca.rows()).isEqualTo(9);
  }

  @Test
  void agreesWithNumpyWhereRowsAreFew() {
    Pca pca = Pca.of(pattern(4, 9), Scope.all(), 9, WORKERS);
    assertThat(pca.components()).as("4 centred rows span 3 directions").isEqualTo(3);
    assertThat(pca.shares())
        .containsExactly(
            new double[] {4.87811310e-01, 3.43006812e-01, 1.69181878e-01, 0, 0, 0, 0, 0, 0}, CLOSE);
    assertThat(pca.component(1))
        .containsExactly(
            new double[] {
              0.23495393,
              -0.09912701,
              -0.3515662,
              -0.39077646,
              0.54495229,
              0.48141843,
              -0.09912701,
              -0.23788529,
              -0.25201818
            },
            CLOSE);
    assertThat(pca.project(pattern(4, 9).row(0)))
        .containsExactly(
            new double[] {-6.2370237787806815, 2.5374910550873313, -5.022656645469223}, CLOSE);
    assertThat(pca.variance(2)).isCloseTo(18.619699258410904, CLOSE);
  }

  @Test
  void bothWaysGiveTheSameComponents() {
    Table rows = normals(40, 40, 3);
    Pca few = CentredRows.of(rows, Scope.all()).pca(5, WORKERS);
    Pca many = Pca.of(rows, Scope.all(), 5, WORKERS); // 40 rows are not fewer than 40 columns
    for (int c = 0; c < 5; c++) {
      assertThat(few.component(c)).containsExactly(many.component(c), within(1e-10));
      assertThat(few.share(c)).isCloseTo(many.share(c), within(1e-13));
    }
  }

  @Test
  void subsetEqualsATableOfThoseRows() {
    Table all = normals(60, 7, 5);
    Table some =
        Table.of(7, all.lookup(dev.rowan.core.Ids.of(3, 8, 9, 21, 40, 41, 59, 0)).values());
    Pca ofSubset = Pca.of(all, Scope.of(59, 3, 8, 9, 21, 40, 41, 0, 3), 2, WORKERS);
    Pca ofTable = Pca.of(some, Scope.all(), 2, WORKERS);
    assertThat(ofSubset.rows()).isEqualTo(8);
    assertThat(ofSubset.component(0)).containsExactly(ofTable.component(0), within(1e-12));
    assertThat(ofSubset.share(1)).isCloseTo(ofTable.share(1), within(1e-12));
    Pca ofRange = Pca.of(all, Scope.range(10, 40), 2, WORKERS);
    assertThat(ofRange.component(0))
        .containsExactly(
            Pca.of(all, Scope.of(LongStream.range(10, 40).toArray()), 2, WORKERS).component(0));
  }

  @Test
  void projectsManyRowsAsItProjectsOne() {
    Table rows = normals(700, 6, 9);
    Pca pca = Pca.of(rows, Scope.all(), 2, WORKERS);
    double[] places = pca.project(rows, new long[] {699, 0, 300}, WORKERS);
    assertThat(places).hasSize(6);
    assertThat(new double[] {places[0], places[1]}).containsExactly(pca.project(rows.row(699)));
    assertThat(new double[] {places[4], places[5]}).containsExactly(pca.project(rows.row(300)));
  }

  @Test
  void projectionsHaveTheVarianceOfTheirComponent() {
    Table rows = normals(500, 12, 21);
    Pca pca = Pca.of(rows, Scope.all(), 12, WORKERS);
    double[] places = pca.project(rows, LongStream.range(0, 500).toArray(), WORKERS);
    for (int c = 0; c < 12; c++) {
      int component = c;
      double squares =
          IntStream.range(0, 500)
              .mapToDouble(i -> places[i * 12 + component])
              .map(x -> x * x)
              .sum();
      assertThat(squares / 499).isCloseTo(pca.variance(c), within(1e-9));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8})
  void threadsDoNotChangeABit(int threads) {
    Table rows = normals(2500, 210, 2);
    Pca two = Pca.of(rows, Scope.all(), 3, WORKERS);
    try (Workers others = Workers.of(threads)) {
      Pca same = Pca.of(rows, Scope.all(), 3, others);
      assertThat(same.shares()).containsExactly(two.shares());
      assertThat(same.component(2)).containsExactly(two.component(2));
    }
  }

  @Test
  void equalEigenvaluesGetOrthonormalComponents() {
    // the corners of a regular simplex: every direction has the same variance
    float[] corners = new float[30 * 30];
    for (int i = 0; i < 30; i++) {
      corners[i * 30 + i] = 1;
    }
    Pca pca = Pca.of(Table.of(30, corners), Scope.all(), 10, WORKERS);
    for (int a = 0; a < 10; a++) {
      assertThat(pca.share(a)).isCloseTo(1.0 / 29, within(1e-12));
      for (int b = 0; b < 10; b++) {
        assertThat(dot(pca.component(a), pca.component(b)))
            .isCloseTo(a == b ? 1 : 0, within(1e-12));
      }
    }
  }

  @Test
  void leavesNonFiniteRowsOut() {
    Table table = Table.of(2, 1, 0, -1, 0, Float.NaN, 5, 7, Float.POSITIVE_INFINITY);
    Pca pca = Pca.of(table, Scope.all(), 2, WORKERS);
    assertThat(pca.rows()).isEqualTo(2);
    assertThat(pca.components()).isEqualTo(1);
    assertThat(pca.component(0)).containsExactly(new double[] {1, 0}, within(1e-15));
    assertThat(pca.project(table.row(2))).containsExactly(Double.NaN);
  }

  @Test
  void equalRowsAndNoRowsHaveNoComponent() {
    assertThat(Pca.of(Table.of(2, 1, 2, 1, 2, 1, 2), Scope.all(), 2, WORKERS).components())
        .isZero();
    assertThat(Pca.of(Table.of(2), Scope.all(), 2, WORKERS).components()).isZero();
    Pca one = Pca.of(Table.of(3, 1, 2, 3), Scope.all(), 2, WORKERS);
    assertThat(one.components()).isZero();
    assertThat(one.project(4, 5, 6)).isEmpty();
    assertThat(one.shares()).containsExactly(0, 0, 0);
    assertThat(one.variance(0)).isNaN();
  }

  @Test
  void survivesTheLargestAndSmallestFloats() {
    float big = 3e38f;
    float tiny = 1e-38f;
    assertThat(Pca.of(Table.of(2, big, 0, -big, 0, 0, tiny), Scope.all(), 2, WORKERS).component(0))
        .containsExactly(new double[] {1, 0}, within(1e-15));
    assertThat(Pca.of(Table.of(2, tiny, 0, -tiny, 0, 0, 0), Scope.all(), 2, WORKERS).component(0))
        .containsExactly(new double[] {1, 0}, within(1e-15));
  }

  @Test
  void refusesWhatDoesNotFit() {
    Table table = Table.of(2, 1, 2, 3, 4);
    assertThatThrownBy(() -> Pca.of(table, Scope.all(), -1, WORKERS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it takes 0 or more");
    assertThatThrownBy(() -> Pca.of(table, Scope.range(0, 3), 1, WORKERS))
        .isInstanceOf(IndexOutOfBoundsException.class);
    Pca pca = Pca.of(table, Scope.all(), 1, WORKERS);
    assertThatThrownBy(() -> pca.project(Table.of(3, 1, 2, 3), new long[] {0}, WORKERS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the components have 2 numbers but the table's width is 3");
  }

  private static double dot(double[] a, double[] b) {
    return IntStream.range(0, a.length).mapToDouble(i -> a[i] * b[i]).sum();
  }

  private static Table normals(int rows, int width, long seed) {
    Random random = new Random(seed);
    float[] values = new float[rows * width];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (random.nextGaussian() * (1 + i % width));
    }
    return Table.of(width, values);
  }
}
