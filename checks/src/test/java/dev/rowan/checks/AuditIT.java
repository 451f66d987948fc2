package dev.rowan.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.checks.Rowan.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** The audit, end to end. */
class AuditIT {
  @TempDir Path folder;

  /** numpy in float64 on the same table, tokens encoded by the tokenizers library of Python. */
  @Test
  void bundledTableHasTheFiguresOfNumpy() {
    Json json = Rowan.run("--json", "audit", "-k", "3").json();
    assertThat(json.at("indicator").text()).isEqualTo("cosine");
    assertThat(json.at("reference").at("ids").elements()).hasSize(994);
    assertThat(json.at("mean").number()).isCloseTo(0.8959845188873642, within(1e-12));
    assertThat(json.at("sd").number()).isCloseTo(0.23321418650493897, within(1e-12));
    assertThat(json.at("threshold").number()).isCloseTo(0.29414688631756275, within(1e-12));
    assertThat(json.at("cutoff").number()).isCloseTo(0.10744907385790826, within(1e-12));
    assertThat(json.at("counts").at("candidates").whole()).isEqualTo(584);
    assertThat(json.at("counts").at("under-trained").whole()).isEqualTo(143);
    assertThat(json.at("counts").at("near-duplicate").whole()).isZero();
    assertThat(json.at("classes").at("reachable").whole()).isEqualTo(29_186);
    List<Json> candidates = json.at("candidates").elements();
    assertThat(candidates.stream().map(c -> c.at("id").whole()))
        .containsExactly(1632L, 1472L, 1401L);
    assertThat(candidates.getFirst().at("value").number())
        .isCloseTo(0.0769269899595405, within(1e-12));
    double[] means = {
      0.8959845188873642,
      0.9521528774840303,
      0.90477735546911,
      1.1024176667124332,
      1.0656488357918317
    };
    for (int i = 0; i < means.length; i++) {
      assertThat(json.at("indicators").at(i).at("mean").number()).isCloseTo(means[i], within(1e-8));
    }
  }

  @Test
  void failsOnDuplicatesUntilTheyAreKnown() throws IOException {
    String model = Gpt2Shape.write(folder.resolve("gpt2")).toString();
    // 23 rows, 5 planted ones apart: the other 18 are equal, so 17 repeat the first
    Outcome failed = Rowan.run("--json", "-m", model, "audit", "--fail-on", "zero,duplicate>16");
    assertThat(failed.code()).isEqualTo(4);
    assertThat(failed.err()).contains("the audit fails: 17 exact duplicates (a #1, t #2, n #3");
    assertThat(failed.json().at("failed").at(0).text()).isEqualTo("duplicate");
    assertThat(Rowan.run("-m", model, "audit", "--fail-on", "duplicate>17").code()).isZero();
    String known = folder.resolve("known.json").toString();
    assertThat(Rowan.run("-m", model, "audit", "--write-baseline", known).code()).isZero();
    Outcome passed = Rowan.run("-m", model, "audit", "--baseline", known, "--fail-on", "duplicate");
    assertThat(passed.code()).as(passed.err()).isZero();
    Files.writeString(Path.of(known), "{}");
    assertThat(Rowan.run("-m", model, "audit", "--baseline", known).code()).isEqualTo(3);
  }

  @Test
  void writesOnePageThatNeedsNothingElse() throws IOException {
    Path page = folder.resolve("audit.html");
    Outcome outcome = Rowan.run("audit", "--html", page.toString(), "--near-duplicates", "off");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(Files.readString(page))
        .startsWith("<!doctype html>")
        .endsWith("</html>\n")
        .contains("<svg")
        .doesNotContain("http:", "https:", "src=", "<script");
    try (var left = Files.list(folder)) {
      assertThat(left).containsExactly(page);
    }
  }

  /** Results of the published code, cohere-ai/magikarp, for GPT-2 (results/reports_mini). */
  @Test
  @EnabledIfEnvironmentVariable(
      named = "ROWAN_GPT2",
      matches = ".+",
      disabledReason = "ROWAN_GPT2 names no folder with GPT-2")
  void gpt2HasThePublishedCandidates() {
    Json json =
        Rowan.run("--json", "-m", String.valueOf(System.getenv("ROWAN_GPT2")), "audit", "-k", "18")
            .json();
    assertThat(json.at("indicator").text()).isEqualTo("cosine");
    assertThat(json.at("reference").at("ids").elements().stream().map(Json::whole))
        .containsExactly(177L, 178L, 179L, 180L, 181L, 182L, 183L, 184L, 185L, 186L, 187L);
    assertThat(json.at("mean").number()).isCloseTo(0.536, within(0.001));
    assertThat(json.at("sd").number()).isCloseTo(0.070, within(0.001));
    assertThat(json.at("threshold").number()).isCloseTo(0.424, within(0.001));
    List<Json> candidates = json.at("candidates").elements();
    assertThat(candidates.stream().map(c -> c.at("id").whole()))
        .containsExactly(
            40241L, 30905L, 39752L, 40240L, 30898L, 45544L, 36173L, 30212L, 42089L, 30897L, 30208L,
            23090L, 37574L, 31573L, 14827L, 42066L, 9364L, 39749L);
    double[] values = {
      0.00143921, 0.00145763, 0.00147873, 0.00148576, 0.00153571, 0.00154209, 0.00156629,
          0.00158066,
      0.00158507, 0.00160545, 0.00763935, 0.022287, 0.036516, 0.0397143, 0.0400726, 0.135858,
      0.139732, 0.163166
    };
    for (int i = 0; i < values.length; i++) {
      assertThat(candidates.get(i).at("value").number())
          .isCloseTo(values[i], within(1e-5 * (1 + 10 * values[i])));
    }
  }
}
