package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs commands in this JVM on a model without a vocabulary; every number follows by hand. */
class MainTest {
  private static final int WIDTH = 2;

  @TempDir Path folder;
  private String model = "";
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void write() throws IOException {
    model = write(3, 0, 6, 8, 0, 2, 0, 0, Float.NaN, 1).toString();
  }

  private Path write(float... values) throws IOException {
    String json =
        "{\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[%d,2],\"data_offsets\":[0,%d]}}"
            .formatted(values.length / WIDTH, values.length * 4);
    byte[] header = json.getBytes(StandardCharsets.UTF_8);
    ByteBuffer file =
        ByteBuffer.allocate(8 + header.length + values.length * 4).order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(header.length).put(header);
    for (float value : values) {
      file.putFloat(value);
    }
    return Files.write(folder.resolve("model.safetensors"), file.array());
  }

  private int run(Map<String, String> environment, boolean terminal, String... arguments) {
    out.reset();
    err.reset();
    Surroundings surroundings =
        new Surroundings(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            environment,
            terminal,
            false,
            80);
    return Main.run(surroundings, arguments);
  }

  private String output(String... arguments) {
    List<String> all = new java.util.ArrayList<>(List.of("-m", model));
    all.addAll(List.of(arguments));
    int code = run(Map.of(), false, all.toArray(String[]::new));
    assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
    return out.toString(StandardCharsets.UTF_8).strip();
  }

  @Test
  void ranksRowsByHand() {
    // from (3, 0): (6, 8) has cosine 0.6, (0, 2) and the zero row 0; the row with a NaN never ranks
    assertThat(output("--json", "near", "#0"))
        .contains(
            "\"neighbours\":[{\"token\":\"#1\",\"id\":1,\"score\":0.6},"
                + "{\"token\":\"#2\",\"id\":2,\"score\":0.0},"
                + "{\"token\":\"#3\",\"id\":3,\"score\":0.0}]");
  }

  @Test
  void writesNumbersThatJsonCannotSayAsNull() {
    assertThat(output("--json", "row", "#4")).contains("\"norm\":null,\"values\":[null,1.0]");
  }

  @Test
  void countsZeroAndNonFiniteRows() {
    assertThat(output("--json", "stats"))
        .contains("\"zeroRows\":1", "\"nonFiniteRows\":1", "\"min\":0.0", "\"max\":10.0");
  }

  @Test
  void saysWhyAMultiplicationDiffersFromLookup() {
    // 0 × NaN is NaN, so the sum is spoilt and the lookup is not
    assertThat(output("--json", "step", "#0"))
        .isEqualTo(
            "{\"oneHotTimesTable\":[null,0.0],\"lookedUp\":[3.0,0.0],\"equal\":false,"
                + "\"multiplicationsSaved\":10}");
    assertThat(output("step", "#0")).contains("0 × ∞ is NaN");
  }

  @Test
  void refusesARowThatIsNotFinite() {
    assertThat(run(Map.of(), false, "-m", model, "near", "#4")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("row #4 holds NaN at column 0");
    assertThat(out.size()).isZero();
  }

  /** Others call such a row by the key of another row, or ask for more rows than there are. */
  @Test
  void rowsWithoutATokenHaveTheirIdForAName() throws IOException {
    Files.writeString(
        folder.resolve("tokenizer.json"),
        "{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0,\"b\":1}}}");
    assertThat(output("--json", "near", "a", "-k", "9"))
        .contains(
            "\"neighbours\":[{\"token\":\"b\",\"id\":1,\"score\":0.6},"
                + "{\"token\":\"[no token 2]\",\"id\":2,\"score\":0.0},"
                + "{\"token\":\"[no token 3]\",\"id\":3,\"score\":0.0}]");
  }

  @Test
  void aWordOfSeveralTokensIsTheMeanOfTheirRowsIfAskedFor() throws IOException {
    Files.writeString(folder.resolve("vocab.txt"), "[UNK]\na\n##b\nc\nd\n");
    // a is (6, 8) and ##b (0, 2), so (3, 5): times (3, 0) that is 9
    assertThat(output("--json", "near", "--mean", "ab", "--metric", "dot"))
        .contains("\"query\":{\"token\":\"a ##b\",\"id\":null,\"meanOf\":[1,2]}")
        .contains(
            "\"neighbours\":[{\"token\":\"[UNK]\",\"id\":0,\"score\":9.0},"
                + "{\"token\":\"c\",\"id\":3,\"score\":0.0}]");
    assertThat(run(Map.of(), false, "-m", model, "near", "ab")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("a #1, ##b #2").contains("--mean");
  }

  @Test
  void namesRowsByIdWhereThereIsNoVocabulary() {
    assertThat(run(Map.of(), false, "-m", model, "near", "cat")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("this file has no vocabulary, so rows are named #0 to #4");
  }

  @Test
  void scoresAVectorFromAFile() throws IOException {
    Path vector = Files.writeString(folder.resolve("h.txt"), "[0.5,\n 1]\n");
    // (0.5, 1) · rows: 1.5, 11, 2, 0; the row with a NaN has no part
    assertThat(output("--json", "score", "--vector", vector.toString(), "-k", "2"))
        .contains("{\"token\":\"#1\",\"id\":1,\"logit\":11.0", "\"id\":2,\"logit\":2.0");
  }

  @Test
  void refusesAVectorOfAnotherWidth() throws IOException {
    Path vector = Files.writeString(folder.resolve("h.txt"), "1 2 3");
    assertThat(run(Map.of(), false, "-m", model, "score", "--vector", vector.toString()))
        .isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("3 numbers but the table's width is 2");
  }

  @Test
  void refusesAVectorThatIsNoNumbers() throws IOException {
    Path vector = Files.writeString(folder.resolve("h.txt"), "1 two");
    assertThat(run(Map.of(), false, "-m", model, "score", "--vector", vector.toString()))
        .isEqualTo(3);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("\"two\" is no number");
  }

  @Test
  void addsWeightedTerms() {
    // 0.5·(6, 8) − 1·(0, 2) = (3, 2): cosine with (3, 0) is 3/√13
    assertThat(output("--json", "analogy", "0.5*#1 - #2", "-k", "1"))
        .contains("\"excludingInputs\":[{\"token\":\"#0\",\"id\":0,\"score\":0.832050294337843")
        .contains("\"scoreBefore\":0.6,\"rankBefore\":2");
  }

  @Test
  void coloursOnATerminalOnly() {
    assertThat(run(Map.of(), true, "-m", model, "near", "#0")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("\u001b[");
    assertThat(run(Map.of("NO_COLOR", "1"), true, "-m", model, "near", "#0")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).doesNotContain("\u001b[");
    assertThat(run(Map.of(), false, "-m", model, "near", "#0")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).doesNotContain("\u001b[");
  }

  @Test
  void anOptionBeforeAndAfterTheVerbIsOn() {
    assertThat(run(Map.of(), false, "-m", model, "--json", "near", "--json", "#0")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("{");
  }

  @Test
  void aNumberTooLargeForAnOptionIsNamedWithTheLimit() {
    assertThat(run(Map.of(), false, "-m", model, "near", "#0", "-k", "99999999999")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("-k \"99999999999\": it takes 2,147,483,647 at most");
  }

  @Test
  void aVerbCanBeATokenOfAnotherVerb() {
    assertThat(run(Map.of(), false, "-m", model, "near", "stats")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("no token \"stats\"");
  }

  @Test
  void refusesAnEmptyModel() {
    assertThat(run(Map.of(), false, "-m", "", "info")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("-m is empty");
  }

  @Test
  void refusesTwoNamesOfOneModel() {
    String target = folder.resolve("x.npy").toString();
    assertThat(run(Map.of(), false, "convert", model, target, "-m", "default")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("leave -m \"default\" away");
  }

  @Test
  void refusesTwoChangesOfOneRow() throws IOException {
    String target = folder.resolve("new").toString();
    String in = folder.toString();
    String[] edit = {
      "edit", in, "-o", target, "--dry-run", "--reset", "#2", "--replace", "#2", "#0"
    };
    assertThat(run(Map.of(), false, edit)).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("--replace \"#2\" \"#0\" and --reset \"#2\" both change row #2");
  }

  @Test
  void saysThatRowsThatAreNotFiniteNeverRank() {
    assertThat(run(Map.of(), false, "-m", model, "near", "#0", "-k", "9")).isZero();
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("1 row holds a NaN or an infinity");
    String scored = output("score", "#0", "--rank", "#4");
    assertThat(scored).contains("1 of 5 rows hold a NaN").doesNotContain("e+00 %");
    assertThat(output("--json", "score", "#0")).contains("\"nonFiniteRows\":1");
  }

  @Test
  void saysThatARowOfZerosHasNoDirection() {
    assertThat(output("near", "#3")).contains("the row is zero, so its cosine with every row is 0");
  }

  @Test
  void auditsFewRowsInPlainWords() throws IOException {
    assertThat(output("audit")).contains("cut-off for under-trained").doesNotContain("NaN");
    write(Float.NaN, 1, Float.NaN, 2);
    assertThat(output("audit")).contains("nothing to rank").doesNotContain("NaN");
  }

  @Test
  void namesRowsWithoutTokensByTheirIds() throws IOException {
    model = write(3, 0, 6, 8, 0, 2, -5, 1).toString();
    String page = output("stats");
    assertThat(page.substring(page.indexOf("directions in which")))
        .contains("#3")
        .doesNotContain("row  ");
    assertThat(output("analogy", "#0", "-", "#1", "+", "#3"))
        .doesNotContain("row was", "of row with");
  }

  @Test
  void saysThatOtherAddressesAreNotFetched() {
    assertThat(run(Map.of(), false, "info", "ftp://example.org/y.npy")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("\"ftp://example.org/y.npy\": models are fetched from https://");
    assertThat(run(Map.of(), false, "-m", "file:///a/b.npy", "info")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("by its path, without file://");
  }

  @Test
  void saysWhichWordsHaveNoToken() throws IOException {
    Path vectors = Files.writeString(folder.resolve("a.vec"), "2 2\nfox 1 2\ndog 3 4\n");
    assertThat(run(Map.of(), false, "-m", vectors.toString(), "tokens", "fox foxes dog cow foxes"))
        .isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("2 tokens");
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("not in the vocabulary, and left out: \"foxes\", \"cow\"");
  }
}
