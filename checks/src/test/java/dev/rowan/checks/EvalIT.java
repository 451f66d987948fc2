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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code eval} on the bundled table. {@code ROWAN_EVAL_SETS} names a folder with the public test
 * sets (questions-words.txt, EN-WS-353-ALL.txt, EN-SIMLEX-999.txt, EN-RG-65.txt of
 * mfaruqui/eval-word-vectors); without it the tests on them are skipped and counted as such. Their
 * expected numbers come from numpy in double, on the rows of the same ONNX file.
 */
class EvalIT {
  private static final String SETS = "ROWAN_EVAL_SETS";

  @TempDir Path folder;

  private Json eval(String name, String text, String... options) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    return eval(file, options);
  }

  private static Json eval(Path file, String... options) {
    List<String> arguments = new java.util.ArrayList<>(List.of("--json", "eval", file.toString()));
    arguments.addAll(List.of(options));
    Outcome outcome = Rowan.run(arguments.toArray(String[]::new));
    assertThat(outcome.code()).as(outcome.err()).isZero();
    return outcome.json();
  }

  private static Path set(String name) {
    return Path.of(String.valueOf(System.getenv(SETS))).resolve(name);
  }

  @ParameterizedTest
  @CsvSource({
    "EN-WS-353-ALL.txt, 0.775184, 0.718024, 329, 353",
    "EN-SIMLEX-999.txt, 0.495088, 0.519672, 963, 999",
    "EN-RG-65.txt, 0.715306, 0.761226, 59, 65",
  })
  @EnabledIfEnvironmentVariable(named = SETS, matches = ".+", disabledReason = SETS + " is not set")
  void wordPairsHaveTheNumbersOfNumpy(
      String file, double spearman, double pearson, int used, int total) {
    for (String policy : List.of("rowan", "gensim")) {
      Json result = eval(set(file), "--policy", policy).at("results").at(0);
      assertThat(result.at("task").text()).isEqualTo("wordPairs");
      assertThat(result.at("spearman").number()).isCloseTo(spearman, within(1e-6));
      assertThat(result.at("pearson").number()).isCloseTo(pearson, within(1e-6));
      assertThat(result.at("used").whole()).isEqualTo(used);
      assertThat(result.at("total").whole()).isEqualTo(total);
      assertThat(result.at("interval").at(0).number()).isLessThan(spearman);
      assertThat(result.at("interval").at(1).number()).isGreaterThan(spearman);
    }
  }

  @ParameterizedTest
  @CsvSource({"rowan", "word2vec"})
  @EnabledIfEnvironmentVariable(named = SETS, matches = ".+", disabledReason = SETS + " is not set")
  void analogiesHaveTheNumbersOfNumpy(String policy) {
    // section: used, right excluding inputs, right raw
    String expected =
        """
        capital-common-countries 506 436 3
        capital-world 1500 1191 3
        currency 54 4 0
        city-in-state 1823 1180 0
        family 380 320 15
        gram1-adjective-to-adverb 930 438 0
        gram2-opposite 182 116 0
        gram3-comparative 1190 1117 7
        gram4-superlative 380 315 3
        gram5-present-participle 930 703 2
        gram6-nationality-adjective 1299 1295 138
        gram7-past-tense 1482 711 2
        gram8-plural 992 961 0
        gram9-plural-verbs 506 384 0
        all 12154 9171 173
        """;
    Json result = eval(set("questions-words.txt"), "--policy", policy).at("results").at(0);
    StringBuilder found = new StringBuilder();
    for (Json section : result.at("sections").elements()) {
      found.append(line(section.at("section").text(), section));
    }
    found.append(line("all", result));
    assertThat(found.toString()).isEqualTo(expected);
    assertThat(result.at("total").whole()).isEqualTo(19_544);
  }

  private static String line(String name, Json tally) {
    return "%s %d %d %d\n"
        .formatted(
            name,
            tally.at("used").whole(),
            tally.at("excludingInputs").whole(),
            tally.at("raw").whole());
  }

  @Test
  void scoresPairsByHand() throws IOException {
    // cosines 0.815262, 0.423856, 0.410421, 0.321170 (see GoldenIT): ranks 4 3 2 1 against 4 3 1 2
    Json json = eval("pairs.csv", "cat,cats,10\ncat,Dog,8\ncat,pets,1\ncat,car,4\ncat,zzyzx,5\n");
    assertThat(json.at("policy").text()).isEqualTo("rowan");
    Json result = json.at("results").at(0);
    assertThat(result.at("spearman").number()).isCloseTo(0.8, within(1e-12));
    assertThat(result.at("pearson").number()).isCloseTo(PEARSON, within(1e-5));
    assertThat(result.at("used").whole()).isEqualTo(4);
    assertThat(result.at("total").whole()).isEqualTo(5);
    assertThat(result.at("unknownWords").elements())
        .extracting(Json::text)
        .containsExactly("zzyzx");
  }

  /** numpy.corrcoef of the four cosines and scores. */
  private static final double PEARSON = 0.7173158;

  @Test
  void marksAnalogiesRawAndWithout() throws IOException {
    // unit rows: raw king, then queen (docs/analogy.md); the nearest of woman is women
    Json result =
        eval("q.txt", ": royal\nman king woman queen\nman king zzyzx queen\n").at("results").at(0);
    assertThat(result.at("task").text()).isEqualTo("analogies");
    assertThat(result.at("form").text()).isEqualTo("google");
    assertThat(result.at("used").whole()).isEqualTo(1);
    assertThat(result.at("total").whole()).isEqualTo(2);
    assertThat(result.at("raw").whole()).isZero();
    assertThat(result.at("excludingInputs").whole()).isEqualTo(1);
    assertThat(result.at("alreadyNearest").whole()).isZero();
    assertThat(result.at("sections").at(0).at("section").text()).isEqualTo("royal");
  }

  @Test
  void threadsDoNotChangeABit() throws IOException {
    String text = ": s\nman king woman queen\nfrance paris germany berlin\ncat cats dog dogs\n";
    String one = eval("q.txt", text, "--threads", "1").toString();
    assertThat(eval("q.txt", text, "--threads", "3").toString()).isEqualTo(one);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "zzyzx qqqqx 1 | | 2 | none of the 1 pairs",
        "hello | | 3 | no line looks like",
        "cat dog 1 | --policy foo | 2 | it takes rowan, gensim or word2vec",
        "cat dog 1 | --method x | 2 | it takes 3cosadd or 3cosmul",
        "cat dog 1 | --restrict -1 | 2 | it takes 0 or more",
        "cat dog 1 | --delimiter xx | 2 | one character, tab or space",
        "cat dog 1 | --resamples 0 | 2 | --resamples 0: it takes 1 to 1,000,000",
        "cat dog 1 | --policy gensim | 3 | apart by a tab",
      })
  void wrongUseIsTold(String text, String options, int code, String message) throws IOException {
    Path file = Files.writeString(folder.resolve("set.txt"), text.strip() + "\n");
    List<String> arguments = new java.util.ArrayList<>(List.of("eval", file.toString()));
    if (options != null) {
      arguments.addAll(List.of(options.strip().split(" ", -1)));
    }
    Outcome outcome = Rowan.run(arguments.toArray(String[]::new));
    assertThat(outcome.code()).as(outcome.err()).isEqualTo(code);
    assertThat(outcome.err()).contains(message).doesNotContain("\tat ");
    assertThat(outcome.out()).isEmpty();
  }
}
