package dev.rowan.analysis.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Workers;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an audit counts and finds. */
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
