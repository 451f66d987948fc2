package dev.rowan.analysis.geometry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.analysis.geometry.TableGeometry.Settings;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class TableGeometryTest {
  private static final Workers ONE = Workers.of(1);
  private static final Workers THREE = Workers.of(3);
  private static final Settings ALL = new Settings(2, 1, 20_000, 1);

  @AfterAll
  static void endThreads() {
    ONE.close();
    THREE.close();
  }

  /** Rows around (5, 0, …, 0) that vary ten times as much along the second axis. */
  private static Table shifted(int rows, int width) {
    SplittableRandom random = new SplittableRandom(3);
    float[] values = new float[rows * width];
    for (int i = 0; i < values.length; i++) {
      double spread = i % width == 1 ? 10 : 1;
      values[i] = (float) (random.nextGaussian() * spread + (i % width == 0 ? 5 : 0));
    }
    return Table.of(width, values);
  }

  /** The definition, in plain double loops: all cosines of the rows less something, ascending. */
  private static double[] cosines(double[][] rows) {
    List<Double> all = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      for (int j = 0; j < i; j++) {
        double xy = 0;
        double xx = 0;
        double yy = 0;
        for (int k = 0; k < rows[i].length; k++) {
          xy += rows[i][k] * rows[j][k];
          xx += rows[i][k] * rows[i][k];
          yy += rows[j][k] * rows[j][k];
        }
        all.add(xx == 0 || yy == 0 ? 0 : xy / Math.sqrt(xx * yy));
      }
    }
    return all.stream().mapToDouble(Double::doubleValue).sorted().toArray();
  }

  private static void assertSpread(PairCosines found, double[] expected) {
    assertThat(found.pairs()).isEqualTo(expected.length);
    double mean = Arrays.stream(expected).average().orElseThrow();
    double squares = Arrays.stream(expected).map(c -> c * c).average().orElseThrow();
    assertThat(found.mean()).isCloseTo(mean, within(1e-9));
    assertThat(found.deviation()).isCloseTo(Math.sqrt(squares - mean * mean), within(1e-6));
    double[] shares = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};
    for (int q = 0; q < shares.length; q++) {
      double exact = expected[(int) Math.min(expected.length - 1, shares[q] * expected.length)];
      assertThat(found.quantiles()[q]).isCloseTo(exact, within(2e-3));
    }
  }

  @Test
  void spreadIsThatOfTheDefinitionAsStoredCentredAndWithoutTheTop() {
    Table table = shifted(300, 12);
    TableGeometry geometry = TableGeometry.of(table, ALL, THREE);
    double[][] rows = new double[300][12];
    double[] mean = new double[12];
    for (int r = 0; r < 300; r++) {
      for (int i = 0; i < 12; i++) {
        rows[r][i] = table.row(r)[i];
        mean[i] += rows[r][i] / 300;
      }
    }
    assertSpread(geometry.asStored(), cosines(rows));
    for (double[] row : rows) {
      for (int i = 0; i < 12; i++) {
        row[i] -= mean[i];
      }
    }
    assertSpread(geometry.centred(), cosines(rows));
    TableGeometry few = TableGeometry.of(table, new Settings(2, 1, 20, 1), ONE);
    for (TableGeometry each : List.of(geometry, few)) { // of all pairs, however few are drawn
      assertThat(each.centredMean())
          .isCloseTo(Arrays.stream(cosines(rows)).average().orElseThrow(), within(1e-9));
    }
    double[] top = geometry.pca().component(0);
    assertThat(Math.abs(top[1])).isGreaterThan(0.99); // the axis of large spread
    for (double[] row : rows) {
      double along = 0;
      for (int i = 0; i < 12; i++) {
        along += row[i] * top[i];
      }
      for (int i = 0; i < 12; i++) {
        row[i] -= along * top[i];
      }
    }
    assertSpread(geometry.withoutTop(), cosines(rows));
    for (TableGeometry each : List.of(geometry, few)) {
      assertThat(each.withoutTopMean())
          .isCloseTo(Arrays.stream(cosines(rows)).average().orElseThrow(), within(1e-9));
    }
    assertThat(geometry.meanRowNorm())
        .isCloseTo(Math.sqrt(Arrays.stream(mean).map(x -> x * x).sum()), within(1e-9));
    assertThat(geometry.removed()).isEqualTo(1);
    assertThat(geometry.sampledRows()).isEqualTo(300);
  }

  @Test
  void effectiveRankCountsEqualShares() {
    assertThat(TableGeometry.effectiveRank(new double[] {0.25, 0.25, 0.25, 0.25, 0}))
        .isCloseTo(4, within(1e-12));
    assertThat(TableGeometry.effectiveRank(new double[] {1, 0})).isCloseTo(1, within(1e-12));
    assertThat(TableGeometry.effectiveRank(new double[] {0, 0})).isNaN();
    // scipy.stats.entropy([0.5, 0.3, 0.2]) = 1.0296530140645737
    assertThat(TableGeometry.effectiveRank(new double[] {0.5, 0.3, 0.2}))
        .isCloseTo(Math.exp(1.0296530140645737), within(1e-12));
  }

  @Test
  void normsThatGrowWithTheIdHaveRankCorrelationOne() {
    TableGeometry geometry =
        TableGeometry.of(Table.of(1, 1f, -2f, 3f, -4f, Float.NaN, 5f), ALL, ONE);
    assertThat(geometry.normByOrder()).isCloseTo(1, within(1e-12));
    assertThat(geometry.normQuantiles()).containsExactly(1, 3, 5);
    assertThat(geometry.sampledRows()).isEqualTo(5);
  }

  @Test
  void threadsDoNotChangeABitAndSeedsDrawOtherRows() {
    Table table = shifted(2000, 8);
    Settings few = new Settings(2, -1, 150, 7);
    TableGeometry one = TableGeometry.of(table, few, ONE);
    TableGeometry three = TableGeometry.of(table, few, THREE);
    assertThat(three.asStored().quantiles()).isEqualTo(one.asStored().quantiles());
    assertThat(three.asStored().mean()).isEqualTo(one.asStored().mean());
    assertThat(three.withoutTop().deviation()).isEqualTo(one.withoutTop().deviation());
    assertThat(one.sampledRows()).isEqualTo(150);
    assertThat(TableGeometry.of(table, new Settings(2, -1, 150, 8), ONE).asStored().mean())
        .isNotEqualTo(one.asStored().mean());
  }

  @Test
  void smallAndBrokenTablesAreMeasuredAsFarAsTheyGo() {
    for (Table table :
        List.of(
            Table.of(2),
            Table.of(2, 1f, 2f),
            Table.of(2, Float.NaN, 1f, Float.NaN, 2f),
            Table.of(2, 0f, 0f, 0f, 0f, 0f, 0f),
            Table.of(1, 1f, 1f, 1f))) {
      TableGeometry geometry = TableGeometry.of(table, ALL, ONE);
      assertThat(geometry.effectiveRank()).isNaN();
      assertThat(geometry.pca().components()).isZero();
      assertThat(geometry.removed()).isZero();
    }
    assertThat(TableGeometry.of(Table.of(2, 1f, 2f), ALL, ONE).asStored().mean()).isNaN();
    assertThat(TableGeometry.of(Table.of(1, 1f, 1f, 1f), ALL, ONE).asStored().mean())
        .isCloseTo(1, within(1e-12));
  }

  @Test
  void refusesSettingsOutOfRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Settings(-1, 0, 10, 1))
        .withMessage("directions is -1; it takes 0 or more");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Settings(1, 0, 1, 1))
        .withMessage("sample is 1; it takes 2 to 20,000");
  }
}
