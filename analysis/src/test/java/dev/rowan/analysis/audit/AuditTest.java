package dev.rowan.analysis.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Workers;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AuditTest {
  @Test
  void soundTableHasNoFindings() {
    Audit audit = new Planted().audit();
    for (Rule rule :
        List.of(
            Rule.ZERO,
            Rule.CONSTANT,
            Rule.NON_FINITE,
            Rule.DENORMAL,
            Rule.DUPLICATE,
            Rule.ROW_WITHOUT_TOKEN,
            Rule.TOKEN_WITHOUT_ROW)) {
      assertThat(audit.found(rule)).as(rule.label()).isEmpty();
    }
  }

  @Test
  void findsBrokenRows() {
    Planted planted = new Planted();
    float[] constant = new float[Planted.WIDTH];
    Arrays.fill(constant, 0.25f);
    float[] denormal = planted.row(104);
    denormal[7] = Float.MIN_VALUE;
    float[] nan = planted.row(105);
    nan[47] = Float.NaN;
    float[] infinite = planted.row(106);
    infinite[0] = Float.NEGATIVE_INFINITY;
    Audit audit =
        planted
            .set(101, new float[Planted.WIDTH])
            .set(103, constant)
            .set(104, denormal)
            .set(105, nan)
            .set(106, infinite)
            .audit();
    assertThat(Planted.ids(audit, Rule.ZERO)).containsExactly(101L);
    assertThat(Planted.ids(audit, Rule.CONSTANT)).containsExactly(103L);
    assertThat(Planted.ids(audit, Rule.DENORMAL)).containsExactly(104L);
    assertThat(Planted.ids(audit, Rule.NON_FINITE)).containsExactly(105L, 106L);
    assertThat(audit.norms().rows()).isEqualTo(Planted.ROWS - 2);
  }

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
  void sameBitsForAnyNumberOfThreads() {
    Planted planted = new Planted();
    Table table = planted.table();
    Audit.Subject subject =
        new Audit.Subject(
            table, table, Tie.TIED, Optional.of(planted.vocabulary()), Optional.empty());
    try (Workers one = Workers.of(1);
        Workers three = Workers.of(3)) {
      Audit a = Audit.of(subject, AuditOptions.DEFAULT, one);
      Audit b = Audit.of(subject, AuditOptions.DEFAULT, three);
      assertThat(a.candidates()).isEqualTo(b.candidates());
      assertThat(a.findings()).isEqualTo(b.findings());
      for (int i = 0; i < a.measured().size(); i++) {
        assertThat(a.measured().get(i).values()).isEqualTo(b.measured().get(i).values());
      }
    }
  }

  @Test
  void countsRowsAndTokensThatMissEachOther() {
    Planted planted = new Planted();
    planted.words.set(599, null);
    planted.words.add("beyond");
    Audit audit = planted.audit();
    assertThat(Planted.ids(audit, Rule.ROW_WITHOUT_TOKEN)).containsExactly(599L);
    assertThat(Planted.ids(audit, Rule.TOKEN_WITHOUT_ROW)).containsExactly(600L);
  }

  @Test
  void findsNormsOutOfLine() {
    Planted planted = new Planted();
    float[] large = planted.row(250);
    for (int i = 0; i < large.length; i++) {
      large[i] *= 10;
    }
    Audit audit = planted.set(250, large).audit();
    assertThat(Planted.ids(audit, Rule.NORM_OUTLIER)).contains(250L);
    assertThat(audit.found(Rule.NORM_OUTLIER).stream().filter(f -> f.id() >= 40)).hasSize(1);
  }

  @Test
  void findsTheMeanRowAndNoiseOfInitialisation() {
    Planted planted = new Planted();
    for (int id = 0; id < 40; id++) {
      planted.set(id, planted.noise(0.1));
    }
    for (int id = 0; id < Planted.ROWS; id++) { // a common direction, so that the mean is a row
      float[] row = planted.row(id);
      row[0] += 1;
      planted.set(id, row);
    }
    float[] mean = new float[Planted.WIDTH];
    for (int id = 0; id < Planted.ROWS; id++) {
      for (int i = 0; i < mean.length; i++) {
        mean[i] += planted.row(id)[i] / Planted.ROWS;
      }
    }
    planted.set(77, mean);
    float[] fresh = planted.noise(0.02);
    fresh[0] = 0.01f;
    planted.set(78, fresh);
    Audit audit = planted.audit(Tie.UNTIED, AuditOptions.DEFAULT);
    assertThat(Planted.ids(audit, Rule.INITIALISATION)).containsExactly(77L, 78L);
  }

  @Test
  void rowsThatShareADirectionAreNotNoise() {
    // the planted unused rows have the norm of initialisation, but all point one way
    assertThat(Planted.ids(new Planted().audit(), Rule.INITIALISATION)).isEmpty();
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

  @Test
  void tablesOfOneRowOrNoneHaveAnAnswer() {
    try (Workers workers = Workers.of(1)) {
      for (Table table : List.of(Table.of(3), Table.of(3, 1, 2, 3), Table.of(1, 0))) {
        Audit audit =
            Audit.of(
                new Audit.Subject(table, table, Tie.UNKNOWN, Optional.empty(), Optional.empty()),
                AuditOptions.DEFAULT,
                workers);
        assertThat(audit.rows()).isEqualTo(table.rows());
        assertThat(HtmlReport.of(audit, "x", id -> "t" + id)).contains("</html>");
      }
    }
  }

  @Test
  void everyRowBrokenHasAnAnswer() {
    float[] values = new float[40];
    Arrays.fill(values, Float.NaN);
    Table table = Table.of(4, values);
    try (Workers workers = Workers.of(1)) {
      Audit audit =
          Audit.of(
              new Audit.Subject(table, table, Tie.TIED, Optional.empty(), Optional.empty()),
              AuditOptions.DEFAULT,
              workers);
      assertThat(audit.found(Rule.NON_FINITE)).hasSize(10);
      assertThat(audit.candidates()).isEmpty();
    }
  }

  @Test
  void aSingleRowIsNotOff() {
    Table one = Table.of(4, 1, 1, 1, 1);
    try (Workers workers = Workers.of(1)) {
      Audit audit =
          Audit.of(
              new Audit.Subject(one, one, Tie.NO_OUTPUT, Optional.empty(), Optional.empty()),
              AuditOptions.DEFAULT,
              workers);
      assertThat(audit.candidates()).singleElement().extracting(Audit.Candidate::z).isEqualTo(0.0);
    }
  }
}
