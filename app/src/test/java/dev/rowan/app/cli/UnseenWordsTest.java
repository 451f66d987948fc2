package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Words that a fastText model has no row for. Skip-gram of 4 numbers over кот cat the café sat,
 * n-grams of 2 and 3, trained and saved by gensim 4.4.0; expected numbers are what its
 * load_facebook_vectors gives ({@code kv[word]}, most_similar, similarity).
 */
class UnseenWordsTest extends Commands {
  private static final Pattern SCORED =
      Pattern.compile("\\{\"token\":\"([^\"]*)\",\"id\":\\d+,\"score\":([-.\\dE]+)}");

  private String model = "";

  @BeforeEach
  void write() throws IOException {
    try (InputStream in = UnseenWordsTest.class.getResourceAsStream("unseen.bin")) {
      assertThat(in).isNotNull();
      model = Files.write(folder.resolve("ft.bin"), in.readAllBytes()).toString();
    }
  }

  private int runOnModel(String... arguments) {
    List<String> all = new ArrayList<>(List.of("-m", model));
    all.addAll(List.of(arguments));
    return run(all.toArray(String[]::new));
  }

  private String output(String... arguments) {
    assertThat(runOnModel(arguments)).as(told()).isZero();
    return answered().strip();
  }

  private static void assertRanking(String json, Map<String, Double> expected, String... order) {
    List<String> tokens = new ArrayList<>();
    Matcher scored = SCORED.matcher(json);
    while (scored.find()) {
      tokens.add(scored.group(1));
      assertThat(Double.parseDouble(scored.group(2)))
          .isCloseTo(expected.get(scored.group(1)), within(1e-6));
    }
    assertThat(tokens).containsExactly(order);
  }

  private static double number(String json, String name) {
    Matcher matcher = Pattern.compile("\"" + name + "\":([-.\\dE]+)").matcher(json);
    assertThat(matcher.find()).as(name + " in " + json).isTrue();
    return Double.parseDouble(matcher.group(1));
  }

  @Test
  void nearRanksTheRowsOfAnUnseenWord() {
    String json = output("--json", "near", "cats");
    assertThat(json).contains("\"query\":{\"token\":\"cats\",\"id\":null,\"ngrams\":9}");
    assertRanking(
        json,
        Map.of(
            "the",
            0.82161587,
            "cat",
            0.77145129,
            "café",
            0.61733198,
            "sat",
            0.37992391,
            "кот",
            0.02589630),
        "the",
        "cat",
        "café",
        "sat",
        "кот");
  }

  @Test
  void nearSaysThatTheWordHasNoRow() {
    assertThat(output("near", "cats"))
        .contains("cats (mean of 9 n-grams) by cosine")
        .contains("\"cats\" has no row; its vector is the mean of 9 n-grams");
  }

  @Test
  void centredVectorIsTheComposedOneLessTheMeanRow() {
    // numpy: k['cats'] and k.vectors less k.vectors.mean(0)
    assertRanking(
        output("--json", "near", "--centered", "-k", "2", "cats"),
        Map.of("café", 0.49716590, "the", 0.48417166),
        "café",
        "the");
  }

  @Test
  void rowPrintsTheComposedVector() {
    String json = output("--json", "row", "cats");
    assertThat(json).contains("\"token\":\"cats\",\"id\":null,\"ngrams\":9");
    Matcher values = Pattern.compile("\"values\":\\[([^\\]]*)]").matcher(json);
    assertThat(values.find()).isTrue();
    assertThat(Pattern.compile(",").splitAsStream(values.group(1)).map(Double::valueOf).toList())
        .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-7 ? 0 : 1)
        .containsExactly(0.05855463445, 0.01441555377, -0.01731216162, 0.04051678628);
  }

  @Test
  void similarTakesWordsWithoutRowsOnEitherSide() {
    String json = output("--json", "similar", "cats", "cat");
    assertThat(number(json, "cosine")).isCloseTo(0.7714513, within(1e-6));
    assertThat(number(json, "rankFromA")).isEqualTo(2); // the, cat
    assertThat(number(json, "rankFromB")).isZero(); // no row, no rank
    assertThat(number(output("--json", "similar", "cat", "cats"), "cosine"))
        .isCloseTo(0.7714513, within(1e-6));
    assertThat(number(output("--json", "similar", "cats", "котик"), "cosine"))
        .isCloseTo(0.031116854, within(1e-6));
  }

  @Test
  void analogyStartsFromAnUnseenWord() {
    String json = output("--json", "analogy", "--unit", "cats", "-", "cat", "+", "the");
    Matcher others = Pattern.compile("\"excludingInputs\":\\[([^\\]]*)]").matcher(json);
    assertThat(others.find()).isTrue();
    assertRanking(
        others.group(1),
        Map.of("кот", 0.61542308, "café", 0.17941490, "sat", 0.08782852),
        "кот",
        "café",
        "sat");
    assertThat(number(json, "scoreBefore")).isCloseTo(0.02589630, within(1e-6));
    assertThat(number(json, "rankBefore")).isEqualTo(5);
  }

  @Test
  void scoreMultipliesTheComposedVector() {
    // numpy: k['cats'] @ model.syn1neg.T
    String json = output("--json", "score", "cats", "-k", "1");
    assertThat(json).contains("\"token\":\"sat\"");
    assertThat(number(json, "logit")).isCloseTo(1.9996194e-05, within(1e-9));
  }

  @Test
  void aVerbThatNeedsRowsSaysSo() {
    assertThat(runOnModel("corner", "cats")).isEqualTo(2);
    assertThat(told())
        .contains("\"cats\" has no row; its vector is the mean of 9 n-grams")
        .contains("rows alone");
  }

  @Test
  void aRowBeyondTheTableIsNoUnseenWord() {
    assertThat(runOnModel("near", "#99")).isEqualTo(2);
    assertThat(told()).contains("no token \"#99\"");
  }

  @Test
  void saysInJsonTooThatAWordTookTheRowOfAnotherCase() {
    assertThat(output("--json", "near", "Cat", "-k", "1"))
        .contains("\"query\":{\"token\":\"cat\",\"id\":")
        .contains("\"respelled\":\"other case\"}");
    assertThat(output("--json", "row", "Cat")).contains("\"respelled\":\"other case\"");
    assertThat(output("--json", "near", "cat", "-k", "1")).doesNotContain("respelled");
  }

  @Test
  void saysOfEachWordOfAnExpressionHowItWasTaken() {
    String inputs =
        "\"inputs\":[{\"token\":\"cat\",\"id\":%d,\"respelled\":\"other case\",\"weight\":2.0},{\"token\":\"the\",\"id\":%d,\"weight\":-1.0},{\"token\":\"cats\",\"id\":null,\"ngrams\":9,\"weight\":1.0}]}"
            .formatted(id("cat"), id("the"));
    assertThat(output("--json", "analogy", "2*Cat - the + cats")).endsWith(inputs);
    assertThat(output("--json", "score", "2*Cat - the + cats"))
        .contains(inputs.substring(0, inputs.length() - 1));
  }

  @Test
  void saysOfScoredAndRankedWordsHowTheyWereTaken() {
    String cat = "{\"token\":\"cat\",\"id\":%d,\"respelled\":\"other case\",".formatted(id("cat"));
    String json = output("--json", "score", "Cat", "cats", "--rank", "Cat", "--rank", "cat");
    assertThat(json)
        .contains("\"inputs\":[" + cat + "\"weight\":1.0}]")
        .contains("\"inputs\":[{\"token\":\"cats\",\"id\":null,\"ngrams\":9,\"weight\":1.0}]")
        .contains("\"ranked\":[" + cat + "\"rank\":")
        .contains(",{\"token\":\"cat\",\"id\":%d,\"rank\":".formatted(id("cat")));
  }

  private long id(String word) {
    return (long) number(output("--json", "near", word, "-k", "0"), "id");
  }

  @Test
  void saysWhatAnIdHides() throws IOException {
    String numbers = "4 2\na 1 2\n#0 3 4\nc 5 6\n#2 1 1\n";
    model = Files.writeString(folder.resolve("n.vec"), numbers).toString();
    String note =
        "rowan: \"#%d\" taken as row %d (%s); for the token that is spelled like that type #%d";
    assertThat(output("--json", "near", "#0", "-k", "1")).contains("{\"token\":\"a\",\"id\":0}");
    assertThat(told()).isEqualToIgnoringNewLines(note.formatted(0, 0, "a", 1));
    assertThat(output("--json", "near", "#1", "-k", "1")).contains("\"token\":\"#0\",\"id\":1}");
    assertThat(told()).isEmpty();
    output("analogy", "#0 - #2 + #0");
    assertThat(told().lines())
        .containsExactly(note.formatted(0, 0, "a", 1), note.formatted(2, 2, "c", 3));
    assertThat(output("corner", "#0")).isNotEmpty();
    assertThat(told()).startsWith("rowan: \"#0\" taken as row 0 (a)");
  }
}
