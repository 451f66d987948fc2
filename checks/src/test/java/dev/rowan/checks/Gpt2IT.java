package dev.rowan.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.checks.Rowan.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Known facts of GPT-2 (124M), on the model itself. {@code ROWAN_GPT2} names the folder with its
 * model.safetensors, tokenizer.json and config.json; without it the tests are skipped and counted
 * as such.
 */
@EnabledIfEnvironmentVariable(
    named = "ROWAN_GPT2",
    matches = ".+",
    disabledReason = "ROWAN_GPT2 names no folder with GPT-2")
class Gpt2IT {

  private static Json json(String... arguments) {
    List<String> all =
        new ArrayList<>(List.of("--json", "-m", String.valueOf(System.getenv("ROWAN_GPT2"))));
    all.addAll(List.of(arguments));
    Outcome outcome = Rowan.run(all.toArray(String[]::new));
    assertThat(outcome.code()).as(outcome.err()).isZero();
    return outcome.json();
  }

  private static void has(Json hit, String token, double score) {
    assertThat(hit.at("token").text()).isEqualTo(token);
    assertThat(hit.at("score").number()).isCloseTo(score, within(0.005));
  }

  @Test
  void tokensHaveTheirIds() {
    Json json = json("tokens", "The cat sat dog");
    assertThat(json.at("ids").elements().stream().map(Json::whole))
        .containsExactly(464L, 3797L, 3332L, 3290L);
  }

  @Test
  void tableIsAThirdOfTheModelAndTied() {
    Json json = json("info");
    assertThat(json.at("input").at("rows").whole()).isEqualTo(50_257);
    assertThat(json.at("input").at("width").whole()).isEqualTo(768);
    assertThat(json.at("shareOfModel").number()).isCloseTo(0.31, within(0.005));
    assertThat(json.at("modelParameters").number()).isCloseTo(124e6, within(1e6));
    assertThat(json.at("tied").truth()).isTrue();
  }

  @Test
  void queenIsTheAnswerAndWasCloseBefore() {
    Json json = json("analogy", " king", "-", " man", "+", " woman");
    has(json.at("raw").at(0), " king", 0.78);
    has(json.at("answer"), " queen", 0.71);
    assertThat(json.at("answer").at("scoreBefore").number()).isCloseTo(0.66, within(0.005));
    assertThat(json.at("answer").at("rankBefore").whole()).isEqualTo(3);
  }

  @Test
  void capitalsAndPhysicians() {
    assertThat(
            json("analogy", "Paris", "-", "France", "+", "Germany").at("answer").at("token").text())
        .isEqualTo(" Berlin");
    assertThat(json("analogy", "doctor", "-", "man", "+", "woman").at("answer").at("token").text())
        .isEqualTo(" physician");
  }

  @Test
  void numbersAreClose() {
    Json neighbours = json("near", "three").at("results").at(0).at("neighbours");
    Json four =
        neighbours.elements().stream()
            .filter(hit -> hit.at("token").text().equals(" four"))
            .findFirst()
            .orElseThrow();
    assertThat(four.at("score").number()).isCloseTo(0.89, within(0.005));
  }

  @Test
  void rowsShareACommonDirection() {
    assertThat(json("stats", "--directions", "0").at("meanCosine").number())
        .isCloseTo(0.27, within(0.005));
  }
}
