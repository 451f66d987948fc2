package dev.rowan.analysis.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Tie;
import org.junit.jupiter.api.Test;

/** Rows that training hardly reached: how they are ranked, and by what reference. */
class CandidatesTest {
  @Test
  void tiedTableIsRankedByDistanceToDeclaredUnusedRows() {
    Planted planted = new Planted();
    float[] between = new float[Planted.WIDTH]; // nearer to the mean than the unused rows are
    for (int id = 0; id < 40; id++) {
      for (int i = 0; i < between.length; i++) {
        between[i] += planted.row(id)[i] / 40;
      }
    }
    planted.set(333, Planted.plus(between, planted.noise(0.0005)));
    Audit audit = planted.audit();
    assertThat(audit.indicator()).isEqualTo(Indicator.COSINE);
    assertThat(audit.reference().orElseThrow().kind()).isEqualTo(Reference.Kind.DECLARED_UNUSED);
    assertThat(audit.reference().orElseThrow().ids()).hasSize(40);
    assertThat(audit.candidates().getFirst().id()).isEqualTo(333);
    assertThat(Planted.ids(audit, Rule.UNDER_TRAINED)).containsExactly(333L);
  }

  @Test
  void untiedTableIsRankedByNorm() {
    Planted planted = new Planted();
    planted.set(444, planted.noise(0.001));
    Audit audit = planted.audit(Tie.UNTIED, AuditOptions.DEFAULT);
    assertThat(audit.indicator()).isEqualTo(Indicator.NORM);
    assertThat(audit.candidates().getFirst().id()).isEqualTo(444);
    // 2 % of the 560 tokens that are no markers: places 0 to 11 of a percentile of 11.18
    assertThat(audit.candidates()).hasSize(12);
  }

  @Test
  void valuesAreThoseOfTheDefinition() {
    Planted planted = new Planted();
    Audit audit = planted.audit();
    double[] u = new double[Planted.WIDTH];
    double[] m = new double[Planted.WIDTH];
    for (int id = 0; id < Planted.ROWS; id++) {
      for (int i = 0; i < Planted.WIDTH; i++) {
        m[i] += planted.row(id)[i] / (double) Planted.ROWS;
        u[i] += id < 40 ? planted.row(id)[i] / 40.0 : 0;
      }
    }
    for (int id : new int[] {0, 40, 599}) {
      float[] x = planted.row(id);
      assertThat(of(audit, Indicator.COSINE).of(id)).isCloseTo(distance(x, u, null), within(1e-12));
      assertThat(of(audit, Indicator.CENTRED).of(id)).isCloseTo(distance(x, u, m), within(1e-12));
      double squared = 0;
      for (int i = 0; i < x.length; i++) {
        squared += (x[i] - u[i]) * (x[i] - u[i]);
      }
      assertThat(of(audit, Indicator.DISTANCE).of(id)).isCloseTo(Math.sqrt(squared), within(1e-9));
    }
  }

  private static Measured of(Audit audit, Indicator indicator) {
    return audit.measured().stream()
        .filter(measured -> measured.indicator() == indicator)
        .findFirst()
        .orElseThrow();
  }

  private static double distance(
      float[] x, double[] u, double @org.jspecify.annotations.Nullable [] m) {
    double xu = 0;
    double xx = 0;
    double uu = 0;
    for (int i = 0; i < x.length; i++) {
      double a = x[i] - (m == null ? 0 : m[i]);
      double b = u[i] - (m == null ? 0 : m[i]);
      xu += a * b;
      xx += a * a;
      uu += b * b;
    }
    return 1 - xu / Math.max(Math.sqrt(xx) * Math.sqrt(uu), 1e-6);
  }

  @Test
  void tiedTableWithoutReferenceFallsBackToNormsAndSaysSo() {
    Planted planted = new Planted();
    for (int id = 0; id < 40; id++) {
      planted.words.set(id, "v" + id);
    }
    Audit audit = planted.audit();
    assertThat(audit.indicator()).isEqualTo(Indicator.NORM);
    assertThat(audit.why()).contains("weak");
    assertThat(audit.notes().getFirst()).contains("no rows are known to be unused");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> planted.audit(Tie.TIED, AuditOptions.DEFAULT.withIndicator(Indicator.COSINE)))
        .withMessageContaining("known to be unused");
  }

  @Test
  void namedReferenceCountsInstead() {
    Audit audit =
        new Planted()
            .audit(
                Tie.TIED,
                AuditOptions.DEFAULT.withReference(Reference.parse("5-7, #12", Planted.ROWS)));
    assertThat(audit.reference().orElseThrow().ids()).containsExactly(5, 6, 7, 12);
  }

  @Test
  void zeroRowCannotBeAReference() {
    Planted planted = new Planted().set(5, new float[Planted.WIDTH]);
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            planted.audit(
                Tie.TIED, AuditOptions.DEFAULT.withReference(Reference.parse("5", Planted.ROWS))))
        .withMessageContaining("#5 is zero");
  }
}
