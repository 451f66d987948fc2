package dev.rowan.analysis.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaselineTest {
  @TempDir Path folder;

  private static Planted withZeros(int... ids) {
    Planted planted = new Planted();
    for (int id : ids) {
      planted.set(id, new float[Planted.WIDTH]);
    }
    return planted;
  }

  @Test
  void knownFindingsDoNotFail() throws IOException {
    Path file = folder.resolve("known.json");
    Audit before = withZeros(100, 101).audit();
    Baseline.of(before).write(file, before);
    Baseline known = Baseline.read(file, Planted.ROWS);
    List<FailRule> rules = FailRule.parse("zero");
    assertThat(FailRule.violations(rules, before, Baseline.NONE)).hasSize(1);
    assertThat(FailRule.violations(rules, before, known)).isEmpty();
    Audit after = withZeros(100, 101, 102).audit();
    assertThat(FailRule.violations(rules, after, known).getFirst().found())
        .extracting(Finding::id)
        .containsExactly(102L);
  }

  @Test
  void countsMoreThanAllowed() {
    Audit audit = withZeros(100, 101).audit();
    assertThat(FailRule.violations(FailRule.parse("zero>2, non-finite"), audit, Baseline.NONE))
        .isEmpty();
    assertThat(FailRule.violations(FailRule.parse("zero > 1"), audit, Baseline.NONE)).hasSize(1);
  }

  @Test
  void refusesWhatIsNoCondition() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FailRule.parse("zeroes"))
        .withMessageContaining("no rule \"zeroes\"; there are zero, constant");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FailRule.parse("zero<3"))
        .withMessageContaining("write RULE or RULE>N");
  }

  @Test
  void refusesFilesOfAnotherKindVersionOrTable() throws IOException {
    Path file = folder.resolve("known.json");
    for (String[] wrong :
        new String[][] {
          {"{}", "not a baseline"},
          {"{\"rowanAuditBaseline\": 2}", "version 2"},
          {"{\"rowanAuditBaseline\": 1, \"rows\": 5}", "5 rows"},
          {
            "{\"rowanAuditBaseline\": 1, \"zzero\": [1]}",
            "\"zzero\" that there is not; there are zero,"
          },
          {"[1]", ""},
          {"{\"rowanAuditBaseline\": 1, \"zero\": [\"x\"]}", ""},
        }) {
      Files.writeString(file, wrong[0]);
      assertThatThrownBy(() -> Baseline.read(file, Planted.ROWS))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining(wrong[1]);
    }
  }

  @Test
  void leavesUnknownNamesAlone() throws IOException {
    Path file = folder.resolve("known.json");
    Files.writeString(file, "{\"rowanAuditBaseline\": 1, \"later\": {\"a\": 1}, \"zero\": [9, 7]}");
    Baseline known = Baseline.read(file, Planted.ROWS);
    assertThat(known.knows(Rule.ZERO, 7)).isTrue();
    assertThat(known.knows(Rule.ZERO, 8)).isFalse();
    assertThat(known.knows(Rule.CONSTANT, 7)).isFalse();
  }
}
