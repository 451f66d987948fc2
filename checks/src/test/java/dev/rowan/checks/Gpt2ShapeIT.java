package dev.rowan.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.checks.Rowan.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model with GPT-2's file layout, end to end; every number follows from {@link Gpt2Shape}. */
class Gpt2ShapeIT {
  @TempDir static Path folder;
  private static String model = "";

  @BeforeAll
  static void write() throws IOException {
    model = Gpt2Shape.write(folder.resolve("gpt2")).toString();
  }

  private static Json json(String... arguments) {
    List<String> all = new java.util.ArrayList<>(List.of("--json", "-m", model));
    all.addAll(List.of(arguments));
    Outcome outcome = Rowan.run(all.toArray(String[]::new));
    assertThat(outcome.code()).as(outcome.err()).isZero();
    return outcome.json();
  }

  @Test
  void findsTheTableAndThatItIsTied() {
    Json json = json("info");
    assertThat(json.at("format").text()).isEqualTo("safetensors");
    assertThat(json.at("architecture").text()).isEqualTo("gpt2");
    assertThat(json.at("input").at("tensor").text()).isEqualTo("wte.weight");
    assertThat(json.at("input").at("rows").whole()).isEqualTo(23);
    assertThat(json.at("output").isNull()).isTrue();
    assertThat(json.at("tied").truth()).isTrue();
    assertThat(json.at("vocabulary").at("kind").text()).isEqualTo("byte-level");
    assertThat(json.at("vocabulary").at("size").whole()).isEqualTo(23);
    // 23 × 4 numbers of the table and 4 of ln_f
    assertThat(json.at("modelParameters").whole()).isEqualTo(96);
    assertThat(json.at("shareOfModel").number()).isCloseTo(92 / 96.0, within(1e-12));
  }

  @Test
  void aTypedWordMeansTheOneWithASpace() {
    Json query = json("near", "cat").at("results").at(0).at("query");
    assertThat(query.at("token").text()).isEqualTo(" cat");
    assertThat(query.at("id").whole()).isEqualTo(15);
  }

  @Test
  void findsPlantedNeighbours() {
    List<Json> neighbours =
        json("near", "cat", "-k", "3").at("results").at(0).at("neighbours").elements();
    assertThat(neighbours.get(0).at("token").text()).isEqualTo(" dog");
    assertThat(neighbours.get(0).at("score").number()).isCloseTo(0.8, within(1e-12));
    assertThat(neighbours.get(1).at("token").text()).isEqualTo("cat");
    assertThat(neighbours.get(1).at("score").number()).isCloseTo(0.6, within(1e-12));
    // the rest is at 0; ties go by the lower id
    assertThat(neighbours.get(2).at("id").whole()).isZero();
    assertThat(neighbours.get(2).at("score").number()).isZero();
  }

  @Test
  void showsThatAWordHasTwoSpellings() {
    Outcome outcome = Rowan.run("-m", model, "near", "can");
    assertThat(outcome.out())
        .contains("␣can #16")
        .contains("\"can\" taken as ␣can #16 (with a space before)")
        .contains("can #12");
  }

  @Test
  void aLeadingSpaceIsTakenAtItsWord() {
    assertThat(json("row", " can").at("rows").at(0).at("id").whole()).isEqualTo(16);
    assertThat(json("row", "\u0120can").at("rows").at(0).at("id").whole()).isEqualTo(16);
    assertThat(json("row", "#12").at("rows").at(0).at("token").text()).isEqualTo("can");
  }

  @Test
  void splitsTextByItsMerges() {
    Json json = json("tokens", "cat can dog");
    assertThat(json.at("ids").elements().stream().map(Json::whole)).containsExactly(11L, 16L, 19L);
    assertThat(json.at("tokens").elements().stream().map(Json::text))
        .containsExactly("cat", " can", " dog");
  }

  @Test
  void namesThePiecesOfAWordThatIsNoToken() {
    Outcome outcome = Rowan.run("-m", model, "near", "catdog");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err()).contains("␣cat #15, d #4, o #5, g #6");
  }

  @Test
  void scoresWithTheTiedTable() {
    Json json = json("score", "cat", "-k", "3");
    // (0, 5, 0, 0) · rows: itself 25, " dog" 20, "cat" 15, all others 0
    List<Json> scores = json.at("scores").elements();
    assertThat(scores.stream().map(s -> s.at("logit").number())).containsExactly(25.0, 20.0, 15.0);
    double sum = Math.exp(25) + Math.exp(20) + Math.exp(15) + 20;
    assertThat(scores.getFirst().at("probability").number())
        .isCloseTo(Math.exp(25) / sum, within(1e-12));
    assertThat(json.at("table").at("tensor").text()).isEqualTo("wte.weight");
    assertThat(json.at("tableReason").text()).contains("tied");
  }

  @Test
  void looksRowsUpByShapeOfTheFile() {
    Json json = json("corner", "--from", "15", "--rows", "2", "--columns", "9");
    assertThat(json.at("ids").elements().stream().map(Json::whole)).containsExactly(15L, 16L);
    assertThat(json.at("values").at(0).elements().stream().map(Json::number))
        .containsExactly(0.0, 5.0, 0.0, 0.0);
  }

  @Test
  void tourTellsWhatItLeavesOut() {
    Outcome outcome = Rowan.run("-m", model, "tour");
    assertThat(outcome.code()).isZero();
    assertThat(outcome.err()).contains("\"king\" is not one token of this model; left out");
  }
}
