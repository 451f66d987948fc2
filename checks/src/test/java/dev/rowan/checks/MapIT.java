package dev.rowan.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.checks.Rowan.Outcome;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;

/** Maps on the command line: figures, files, and what is refused. */
class MapIT {
  @TempDir Path folder;

  /**
   * numpy 2.4 in double on the same rows: svd of the centred rows, each component turned so that
   * its largest number is positive; trustworthiness from scikit-learn 1.9.1, continuity, recall and
   * Spearman's rho by their definitions.
   */
  @Test
  void fortyEightWordsGiveTheFiguresOfNumpy() {
    Json map = Rowan.run("--json", "map").json();
    assertThat(map.at("method").text()).isEqualTo("pca");
    assertThat(map.at("points").elements()).hasSize(48);
    Json cat = map.at("points").at(0);
    assertThat(cat.at("token").text()).isEqualTo("cat");
    assertThat(cat.at("id").whole()).isEqualTo(4937);
    assertThat(cat.at("group").text()).isEqualTo("animals");
    assertThat(cat.at("x").number()).isCloseTo(-0.51006319, within(1e-7));
    assertThat(cat.at("y").number()).isCloseTo(-0.22730074, within(1e-7));
    Json quality = map.at("quality");
    assertThat(quality.at("varianceExplained").at(0).number()).isCloseTo(0.09731598, within(1e-7));
    assertThat(quality.at("varianceExplained").at(1).number()).isCloseTo(0.08980507, within(1e-7));
    assertThat(quality.at("neighbours").whole()).isEqualTo(10);
    assertThat(quality.at("trustworthiness").number()).isCloseTo(0.88871795, within(1e-7));
    assertThat(quality.at("continuity").number()).isCloseTo(0.92044872, within(1e-7));
    assertThat(quality.at("neighbourRecall").number()).isCloseTo(0.72291667, within(1e-6));
    Json groups = quality.at("nearestInOwnGroup");
    assertThat(groups.at("of").whole()).isEqualTo(48);
    assertThat(groups.at("inAllDimensions").whole()).isEqualTo(48);
    assertThat(groups.at("onMap").whole()).isEqualTo(46);
    assertThat(map.at("notMapped").elements()).isEmpty();
  }

  @Test
  void everyKindOfFileHoldsThePointsAndTheQuality() throws IOException {
    List<String> command = new ArrayList<>(List.of("map", "--words", wordFile()));
    for (String kind : List.of("svg", "png", "json", "tsv")) {
      command.addAll(List.of("-o", folder.resolve("map." + kind).toString()));
    }
    Outcome outcome = Rowan.run(command.toArray(String[]::new));
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).contains("variance explained", "trustworthiness", "map.svg");
    assertThat(outcome.err())
        .contains("left out: \"kittenish\" is not one token but 2: kitten #18401, ##ish #4509")
        .contains("\"qqqq")
        .contains("left out: \"Cat\": cat #4937 is on the map already");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(p -> p.getFileName().toString()))
          .containsExactlyInAnyOrder("map.svg", "map.png", "map.json", "map.tsv", "words.txt");
    }
    Document svg = parsed(folder.resolve("map.svg"));
    String text = svg.getDocumentElement().getTextContent();
    assertThat(text)
        .contains("PCA of 6 rows × 384 numbers", "of the variance", "cat", "pets & co")
        .contains("All 6 points are labelled");
    byte[] png = Files.readAllBytes(folder.resolve("map.png"));
    assertThat(ImageIO.read(new ByteArrayInputStream(png)).getWidth()).isEqualTo(2000);
    Json json = Json.parse(Files.readString(folder.resolve("map.json")));
    assertThat(json.at("points").texts("token"))
        .containsExactly("cat", "dog", "horse", "red", "blue", "green");
    assertThat(json.at("notMapped").elements()).hasSize(3);
    List<String> tsv = Files.readAllLines(folder.resolve("map.tsv"));
    assertThat(tsv.get(0)).startsWith("# PCA of 6 rows");
    assertThat(tsv.get(1)).contains("of the variance");
    assertThat(tsv.get(2)).isEqualTo("token\tid\tx\ty\tgroup\treliability");
    assertThat(tsv.get(3)).startsWith("cat\t4937\t").contains("\tpets & co\t");
    assertThat(tsv).hasSize(9);
  }

  private String wordFile() throws IOException {
    Path file = folder.resolve("words.txt");
    Files.writeString(
        file,
        """
        word\tgroup
        cat\tpets & co
        dog\tpets & co
        horse\tpets & co
        red\tcolours
        blue\tcolours
        green

        kittenish
        qqqq\u4e00\u1234
        Cat
        """);
    return file.toString();
  }

  private static Document parsed(Path svg) {
    try {
      return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(svg.toFile());
    } catch (Exception e) {
      throw new AssertionError(svg + " is no well-formed XML", e);
    }
  }

  @Test
  void theWholeVocabularyFitsOnOnePicture() {
    Path file = folder.resolve("all.svg");
    Outcome outcome = Rowan.run("map", "--all", "king", "queen", "-o", file.toString());
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).contains("30,522 tokens", "30,522 points");
    assertThat(parsed(file).getDocumentElement().getTextContent())
        .contains("king", "queen", "of 30,522 points are labelled");
  }

  @Test
  void threadsAndSimdDoNotChangeABit() {
    List<String> answers = new ArrayList<>();
    for (String threads : List.of("1", "2", "5")) {
      answers.add(Rowan.run("map", "--rows", "2000:2500", "--json", "--threads", threads).out());
    }
    answers.add(
        Rowan.launcher()
            .env("ROWAN_JAVA_OPTS", "-Drowan.kernels=scalar")
            .with("map", "--rows", "2000:2500", "--json")
            .out());
    assertThat(answers.getFirst()).contains("\"points\":[");
    assertThat(answers).allMatch(answers.getFirst()::equals);
  }

  @Test
  void tsneSaysItsDivergenceAndTheSettingsItChanged() {
    Outcome outcome = Rowan.run("--json", "map", "--method", "tsne");
    assertThat(outcome.err()).isEmpty();
    Json map = outcome.json();
    assertThat(map.at("method").text()).isEqualTo("tsne");
    // 48 points allow (48 − 1) / 3 neighbours
    assertThat(map.at("perplexity").number()).isCloseTo(15.6667, within(1e-3));
    assertThat(map.at("notes").elements()).isNotEmpty();
    assertThat(map.at("quality").at("varianceExplained").isNull()).isTrue();
    assertThat(map.at("quality").at("kl").number()).isBetween(0.0, 2.0);
    assertThat(map.at("quality").at("trustworthiness").number()).isGreaterThan(0.9);
    assertThat(Rowan.run("--json", "map", "--method", "tsne").out()).isEqualTo(outcome.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "map cat dog | a map takes 3 rows or more, not 2",
        "map --rows 5:2 | it takes FROM:TO with 0 <= FROM < TO <= 30,522",
        "map --rows 7 | it takes FROM:TO",
        "map --rows 1:99999 | <= 30,522, this table's rows",
        "map --rows 0:5 --all | leave one away",
        "map --perplexity 5 | belong to t-SNE",
        "map --method tsne --perplexity 0 | --perplexity 0: it takes 1 or more",
        "map --method som | it takes pca, tsne or umap",
        "map --metric dot | it takes cosine or euclidean",
        "map -o map.bmp | it takes .svg, .png, .json, .tsv",
        "map -o no/such/folder/map.svg | make it first",
      })
  void wrongUseEndsWithTwo(String command, String message) {
    Outcome outcome = Rowan.run(command.strip().split(" ", -1));
    assertThat(outcome.err()).contains(message).doesNotContain("\tat ");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"'' | holds no word", "'a\tb\tc' | line 1 of", "'\tanimals' | begins with none"})
  void wordFilesThatMakeNoSenseAreRefused(String content, String message) throws IOException {
    Path file = folder.resolve("bad.txt");
    Files.writeString(file, content);
    Outcome outcome = Rowan.run("map", "--words", file.toString());
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err()).contains(message, "bad.txt");
    Files.write(file, new byte[] {'c', (byte) 0xE9, '\n'});
    assertThat(Rowan.run("map", "--words", file.toString()).err()).contains("not UTF-8");
    assertThat(Rowan.run("map", "--words", folder.resolve("none").toString()).code()).isEqualTo(3);
  }

  @Test
  void tourDrawsTheMapAndSaysWhereItIs() throws IOException {
    Path file = folder.resolve("tour.svg");
    Outcome outcome = Rowan.run("tour", "--picture", file.toString());
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out())
        .contains("A picture, and what it hides", "18.7 % of the variance", "48 of 48")
        .contains(file.toString());
    assertThat(Files.readString(file, StandardCharsets.UTF_8))
        .contains(">january<", "18.7 % of the variance");
  }

  @Test
  void helpShowsExamples() {
    Outcome outcome = Rowan.run("map", "--help");
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).contains("Usage: rowan map", "Examples:");
  }
}
