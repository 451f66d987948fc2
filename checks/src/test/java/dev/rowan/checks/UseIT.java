package dev.rowan.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.checks.Rowan.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong use and bad files: exit codes, messages on stderr, and nothing on stdout. */
class UseIT {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "near kittenish | is not one token but 2: kitten #18401, ##ish #4509",
        "near quen | did you mean queen",
        "near #40000 | the table has 30,522 rows, #0 to #30521",
        "near cat -k -1 | -k -1: it takes 0 or more",
        "near cat -k x | -k \"x\": it takes a whole number",
        "near cat --metric foo | --metric \"foo\": it takes cosine, dot or euclidean",
        "near | missing required parameter",
        "nea cat | there is no verb \"nea\"; did you mean near?",
        "--bogus near cat | there is no option \"--bogus\"",
        "near cat --threads 0 | --threads 0: it takes 1 to 1,024",
        "analogy king man | there is no + or - before \"man\"",
        "analogy king - | the expression ends without a token",
        "corner --rows -1 | --rows -1: it takes 0 or more",
        "score cat --temperature 0 | --temperature 0: it takes more than 0",
        "score cat --final-norm | no final norm under a usual name",
        "audit --fail-on zeroes | there is no rule \"zeroes\"",
        "audit --reference 5-3 | no range of ids",
        "audit --reference 40000 | id 40000 is not in [0, 30522)",
        "audit --indicator cosin | --indicator \"cosin\": it takes one of norm, cosine",
        "audit --near-duplicates 2 | it takes a cosine of more than 0",
        "score | either a token or --vector FILE",
        "-m hf: info | write hf:owner/name",
        "-m http://example.org/x.safetensors info | only https is used",
        "pull | there is nothing to fetch",
        "cache list --all | \"cache list\" takes nothing more",
        "tour --json | tour is for reading",
      })
  void wrongUseEndsWithTwo(String command, String message) {
    Outcome outcome = Rowan.run(command.strip().split(" ", -1));
    assertThat(outcome.err()).contains(message).doesNotContain("\tat ");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
  }

  @Test
  void noArgumentsShowTheHelpPageAsWrongUse() {
    Outcome outcome = Rowan.run();
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).contains("Usage: rowan", "near", "tour");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tour",
        "info",
        "near",
        "analogy",
        "tokens",
        "row",
        "corner",
        "step",
        "stats",
        "score",
        "params",
        "audit",
        "train",
        "completion"
      })
  void helpOfEveryVerbShowsExamples(String verb) {
    Outcome outcome = Rowan.run(verb, "--help");
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).contains("Usage: rowan " + verb, "Examples:");
    assertThat(outcome.out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void anAnswerThatIsNotWrittenEndsWithThree() {
    Path full = Path.of("/dev/full"); // of Linux: it takes nothing
    Assumptions.assumeTrue(Files.exists(full), "needs /dev/full");
    Outcome outcome =
        Rowan.launcher()
            .command(List.of("bash", "-c", "\"$0\" near cat > /dev/full", Rowan.HOME + "/rowan"));
    assertThat(outcome.code()).isEqualTo(3);
    assertThat(outcome.err()).contains("the answer cannot be written");
  }

  @Test
  void missingFileEndsWithThree() {
    Outcome outcome = Rowan.run("-m", folder.resolve("no such").toString(), "info");
    assertThat(outcome.code()).isEqualTo(3);
    assertThat(outcome.err()).contains("no such");
    assertThat(outcome.out()).isEmpty();
  }

  @Test
  void cutOffFileEndsWithThreeAndSaysWhere() throws IOException {
    Path file = folder.resolve("model.safetensors");
    byte[] header =
        "{\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[4,2],\"data_offsets\":[0,32]}}"
            .getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[8 + header.length + 16];
    bytes[0] = (byte) header.length;
    System.arraycopy(header, 0, bytes, 8, header.length);
    Files.write(file, bytes);
    Outcome outcome = Rowan.run("--json", "-m", file.toString(), "info");
    assertThat(outcome.code()).isEqualTo(3);
    assertThat(outcome.err()).contains("model.safetensors", "wte.weight");
    assertThat(outcome.out()).isEmpty();
  }

  @Test
  void lfsPointerEndsWithThreeAndSaysWhatToDo() throws IOException {
    Path file = folder.resolve("model.safetensors");
    Files.writeString(
        file, "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 548105171\n");
    Outcome outcome = Rowan.run("-m", file.toString(), "info");
    assertThat(outcome.code()).isEqualTo(3);
    assertThat(outcome.err()).contains("git lfs pull");
  }

  @Test
  void debugAddsTheTrace() {
    Outcome outcome = Rowan.run("near", "--debug", "#40000");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err()).contains("\tat dev.rowan.");
  }

  @ParameterizedTest
  @CsvSource({
    "before, --json near cat",
    "after, near cat --json",
    "split, -m default near --json cat"
  })
  void globalOptionsStandBeforeOrAfterTheVerb(String where, String command) {
    Outcome outcome = Rowan.run(command.split(" ", -1));
    assertThat(outcome.code()).as(where).isZero();
    assertThat(outcome.json().at("results").elements()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "info",
        "tokens The cat",
        "row cat",
        "corner",
        "step",
        "near cat dog",
        "analogy king - man + woman",
        "stats --directions 1",
        "score cat",
        "params",
      })
  void jsonIsOneObjectAndNothingElse(String command) {
    List<String> arguments = new ArrayList<>(List.of("--json"));
    arguments.addAll(List.of(command.split(" ", -1)));
    Outcome outcome = Rowan.run(arguments.toArray(String[]::new));
    assertThat(outcome.code()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).startsWith("{").endsWith("}\n").containsOnlyOnce("\n");
    outcome.json();
  }

  @Test
  void moreNeighboursThanRowsListsAllWithANote() throws IOException {
    Path gpt = Gpt2Shape.write(folder.resolve("gpt"));
    Outcome outcome = Rowan.run("-m", gpt.toString(), "--json", "near", "cat", "-k", "5000");
    assertThat(outcome.err())
        .contains("-k 5000 is more than the " + Gpt2Shape.TOKENS.size() + " rows there are");
    assertThat(outcome.json().at("results").at(0).at("neighbours").elements())
        .hasSize(Gpt2Shape.TOKENS.size() - 1);
  }

  @Test
  void zeroNeighboursIsAnEmptyList() {
    Json json = Rowan.run("--json", "near", "cat", "-k", "0").json();
    assertThat(json.at("results").at(0).at("neighbours").elements()).isEmpty();
  }

  @Test
  void meanOfPiecesSearchesFromTheirMean() {
    Json query =
        Rowan.run("--json", "near", "--mean", "kittenish").json().at("results").at(0).at("query");
    assertThat(query.at("token").text()).isEqualTo("kitten ##ish");
    assertThat(query.at("id").isNull()).isTrue();
  }

  @Test
  void plainTextHasNoEscapesInAPipe() {
    assertThat(Rowan.run("tour").out()).doesNotContain("\u001b");
  }

  @Test
  void completionKnowsTheVerbs() {
    assertThat(Rowan.run("completion").out()).contains("complete -F", "analogy", "--tokenizer");
  }

  @Test
  void modelCanBeChosenByTheEnvironment() throws IOException {
    Path gpt = Gpt2Shape.write(folder.resolve("gpt"));
    Json json = Rowan.launcher().env("ROWAN_MODEL", gpt.toString()).with("--json", "info").json();
    assertThat(json.at("architecture").text()).isEqualTo("gpt2");
  }

  @Test
  void wordsBeyondAsciiArriveWithoutAUtf8Locale() {
    Outcome outcome =
        Rowan.launcher()
            .env("LC_ALL", "C")
            .env("LANG", "")
            .with("--json", "near", "Café", "-k", "1");
    assertThat(outcome.json().at("results").at(0).at("query").at("token").text()).isEqualTo("cafe");
  }
}
