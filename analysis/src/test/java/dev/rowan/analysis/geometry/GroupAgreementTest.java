package dev.rowan.analysis.geometry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Metric;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class GroupAgreementTest {
  private static final Workers WORKERS = Workers.of(2);

  @AfterAll
  static void close() {
    WORKERS.close();
  }

  // two bundles of directions; row 4 belongs to none
  private static final Table ROWS = Table.of(2, 1, 0, 5, 1, 0, 1, 1, 6, -1, -1);

  @Test
  void countsNeighboursOfTheOwnGroup() {
    // on the map 0 lies at 2 and 1 at 3: nobody has a neighbour of its own group
    double[] x = {0, 10, 0.1, 10.1, 0.05};
    double[] y = new double[5];
    GroupAgreement found =
        GroupAgreement.of(
                ROWS,
                Metric.COSINE,
                new long[] {0, 1, 2, 3, 4},
                x,
                y,
                new int[] {0, 0, 1, 1, -1},
                WORKERS)
            .orElseThrow();
    assertThat(found).isEqualTo(new GroupAgreement(4, 4, 0));
  }

  @Test
  void followsTheOrderOfThePointsNotOfTheTable() {
    double[] x = {0, 0.1, 10, 10.1};
    GroupAgreement found =
        GroupAgreement.of(
                ROWS,
                Metric.COSINE,
                new long[] {3, 2, 1, 0},
                x,
                new double[4],
                new int[] {7, 7, 0, 0},
                WORKERS)
            .orElseThrow();
    assertThat(found).isEqualTo(new GroupAgreement(4, 4, 4));
  }

  @Test
  void asksNobodyWhoIsAlone() {
    double[] x = {0, 1, 2};
    assertThat(
            GroupAgreement.of(
                ROWS, Metric.COSINE, new long[] {0, 1, 2}, x, x, new int[] {0, 1, -1}, WORKERS))
        .isEmpty();
  }

  @Test
  void takesManyPointsAtEqualDistances() {
    int n = 10_000;
    float[] values = new float[2 * n];
    double[] x = new double[n];
    double[] y = new double[n];
    int[] groups = new int[n];
    long[] ids = new long[n];
    for (int i = 0; i < n; i++) {
      ids[i] = i;
      groups[i] = i % 2;
      values[2 * i] = i % 2 == 0 ? 1 : -1;
      values[2 * i + 1] = i / 20_000f;
      x[i] = i; // neighbours on the map are of the other group
    }
    GroupAgreement found =
        GroupAgreement.of(Table.of(2, values), Metric.EUCLIDEAN, ids, x, y, groups, WORKERS)
            .orElseThrow();
    assertThat(found).isEqualTo(new GroupAgreement(3334, 3334, 0));
  }
}
