package dev.rowan.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.checks.Rowan.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Rows of the bundled table held against each other, and its geometry: the numbers of numpy in
 * double, and of gensim where it has the verb.
 */
class CompareIT {
  private static final double TOLERANCE = 1e-6;

  private static Json json(String... arguments) {
    List<String> all = new java.util.ArrayList<>(List.of("--json"));
    all.addAll(List.of(arguments));
    Outcome outcome = Rowan.run(all.toArray(String[]::new));
    assertThat(outcome.code()).as(outcome.err()).isZero();
    return outcome.json();
  }

  private static void isClose(Json number, double expected) {
    assertThat(number.number()).isCloseTo(expected, within(TOLERANCE));
  }

  @Test
  void nearCentredIsNearOfRowsLessTheirMean() {
    Json result = json("near", "--centered", "cat", "-k", "3").at("results").at(0);
    assertThat(result.at("neighbours").texts("token")).containsExactly("cats", "kitten", "kitty");
    isClose(result.at("neighbours").at(0).at("score"), 0.8185512);
    isClose(result.at("neighbours").at(1).at("score"), 0.5668262);
    isClose(result.at("baseline"), 0.0024385);
    assertThat(result.at("centered").truth()).isTrue();
  }

  @Test
  void nearFilteredListsMatchingTokensAlone() {
    Json result = json("near", "--filter", "^m.*h$", "king", "-k", "2").at("results").at(0);
    assertThat(result.at("neighbours").at(0).at("token").text()).isEqualTo("monarch");
    isClose(result.at("neighbours").at(0).at("score"), 0.493502);
  }

  @Test
  void nearFoldedListsAWordOnce() {
    Json result = json("near", "--fold-case", "cat", "-k", "9").at("results").at(0);
    // as in GoldenIT, without ##cat, which is the same word
    assertThat(result.at("neighbours").texts("token"))
        .containsExactly("cats", "kitten", "kitty", "dog", "pets", "dogs", "pet", "car", "fe");
  }

  @Test
  void theOddWordIsGensims() {
    Json json = json("doesnt-match", "breakfast", "lunch", "dinner", "car", "zzyzx");
    assertThat(json.at("answer").at("token").text()).isEqualTo("car");
    assertThat(json.at("ranked").texts("token"))
        .containsExactly("car", "breakfast", "dinner", "lunch");
    isClose(json.at("ranked").at(0).at("score"), 0.4703614);
    isClose(json.at("ranked").at(3).at("score"), 0.780935);
    assertThat(json.at("leftOut").at(0).text()).isEqualTo("zzyzx");
  }

  @Test
  void similarSaysHowAlikeAndHowNear() {
    Json json = json("similar", "cat", "dog");
    isClose(json.at("cosine"), 0.423856);
    isClose(json.at("dot"), 0.7578260);
    isClose(json.at("distance"), 1.4371157);
    assertThat(json.at("rankFromA").whole()).isEqualTo(4);
    assertThat(json.at("rankFromB").whole()).isEqualTo(10);
  }

  @Test
  void axisPlacesWordsOnTheLine() {
    Json places = json("axis", "bad", "good", "fine", "terrible").at("places");
    assertThat(places.texts("token")).containsExactly("terrible", "fine");
    isClose(places.at(0).at("position"), 0.2646914);
    isClose(places.at(0).at("cosine"), 0.2709796);
    isClose(places.at(1).at("position"), 0.6525559);
    Json ends = json("axis", "man", "woman", "-k", "3");
    assertThat(ends.at("forward").texts("token")).containsExactly("women", "female", "actresses");
    isClose(ends.at("forward").at(0).at("score"), 0.3935182);
  }

  @Test
  void geometryIsNumpys() {
    Json json = json("stats");
    isClose(json.at("meanRowNorm"), 0.1095720);
    assertThat(json.at("effectiveRank").number()).isCloseTo(275.663571, within(1e-4));
    isClose(json.at("topDirections").at(0).at("share"), 0.0201833);
    isClose(json.at("norm").at("spearmanWithId"), -0.3767543);
    assertThat(json.at("norm").at("p50").number()).isCloseTo(1.110974, within(1e-4));
    Json cosines = json.at("pairCosines");
    assertThat(cosines.at("removedDirections").whole()).isEqualTo(3);
    // of all rows numpy has means 0.018062, 0.002439, 0.001118; of 2,000,000 pairs deviations
    // 0.0919, 0.0879, 0.0756 and medians 0.0098, −0.0049, −0.0029. Ours are from 2,048 rows
    isNear(cosines.at("asStored"), 0.018062, 0.0919, 0.0098);
    isNear(cosines.at("centered"), 0.002439, 0.0879, -0.0049);
    isNear(cosines.at("withoutTopDirections"), 0.001118, 0.0756, -0.0029);
  }

  private static void isNear(Json spread, double mean, double deviation, double median) {
    assertThat(spread.at("mean").number()).isCloseTo(mean, within(0.001));
    assertThat(spread.at("deviation").number()).isCloseTo(deviation, within(0.002));
    assertThat(spread.at("p50").number()).isCloseTo(median, within(0.0015));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "near cat --filter ( | is no regular expression",
        "axis cat cat | there is no line between them",
        "axis cat | missing required parameter",
        "doesnt-match zzyzx cat | 1 of the 2 words is a token",
        "doesnt-match cat | TOKEN cat: it takes 2 or more, not 1",
        "similar cat | missing required parameter",
        "similar cat zzyzx | zzyzx",
        "stats --sample 1 | --sample 1: it takes 2 to 20,000",
      })
  void wrongUseIsTold(String command, String message) {
    Outcome outcome = Rowan.run(command.strip().split(" ", -1));
    assertThat(outcome.code()).as(outcome.err()).isEqualTo(2);
    assertThat(outcome.err()).contains(message).doesNotContain("\tat ");
    assertThat(outcome.out()).isEmpty();
  }
}
