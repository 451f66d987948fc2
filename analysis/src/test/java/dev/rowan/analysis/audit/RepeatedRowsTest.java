package dev.rowan.analysis.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Tie;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows that repeat another, to the bit or nearly. */
class RepeatedRowsTest {
  @Test
  void findsDuplicatesAndWhatTheyRepeat() {
    Planted planted = new Planted();
    Audit audit = planted.set(300, planted.row(50)).set(500, planted.row(50)).audit();
    assertThat(audit.found(Rule.DUPLICATE))
        .extracting(Finding::id, Finding::other)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(300L, 50L),
            org.assertj.core.groups.Tuple.tuple(500L, 50L));
  }

  @Test
  void findsNearDuplicatesThatAllPairsFind() {
    Planted planted = new Planted();
    for (int id = 0; id < 40; id++) {
      planted.set(id, planted.noise(0.1)); // no cluster of unused rows here
    }
    planted.set(200, Planted.plus(planted.row(70), planted.noise(0.0005)));
    float[] scaled = planted.row(71);
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] *= 3;
    }
    planted.set(201, scaled);
    Audit audit = planted.audit(Tie.TIED, AuditOptions.DEFAULT.withNearCosine(0.99));
    assertThat(Planted.ids(audit, Rule.NEAR_DUPLICATE)).isEqualTo(allPairs(planted, 0.99));
    assertThat(Planted.ids(audit, Rule.NEAR_DUPLICATE)).containsExactly(200L, 201L);
  }

  @Test
  void findsNearDuplicatesAtALimitThatPrunesNothing() {
    Planted planted = new Planted();
    Audit audit = planted.audit(Tie.TIED, AuditOptions.DEFAULT.withNearCosine(0.4));
    assertThat(Planted.ids(audit, Rule.NEAR_DUPLICATE)).isEqualTo(allPairs(planted, 0.4));
  }

  /** The rows with an earlier one in their group, by comparing every pair. */
  private static List<Long> allPairs(Planted planted, double limit) {
    int[] group = new int[Planted.ROWS];
    Arrays.setAll(group, i -> i);
    for (int a = 0; a < Planted.ROWS; a++) {
      for (int b = a + 1; b < Planted.ROWS; b++) {
        float[] x = planted.row(a);
        float[] y = planted.row(b);
        double xy = 0;
        double xx = 0;
        double yy = 0;
        for (int i = 0; i < x.length; i++) {
          xy += (double) x[i] * y[i];
          xx += (double) x[i] * x[i];
          yy += (double) y[i] * y[i];
        }
        if (xy / Math.sqrt(xx * yy) >= limit) {
          int from = Math.max(group[a], group[b]);
          int to = Math.min(group[a], group[b]);
          for (int i = 0; i < group.length; i++) {
            group[i] = group[i] == from ? to : group[i];
          }
        }
      }
    }
    return java.util.stream.IntStream.range(0, Planted.ROWS)
        .filter(id -> group[id] != id)
        .mapToObj(id -> (long) id)
        .toList();
  }
}
