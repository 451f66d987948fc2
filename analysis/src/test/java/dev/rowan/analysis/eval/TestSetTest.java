package dev.rowan.analysis.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.analysis.eval.EvalRules.Policy;
import dev.rowan.analysis.eval.TestSet.Analogies;
import dev.rowan.analysis.eval.TestSet.Form;
import dev.rowan.analysis.eval.TestSet.Kind;
import dev.rowan.analysis.eval.TestSet.Pair;
import dev.rowan.analysis.eval.TestSet.Question;
import dev.rowan.analysis.eval.TestSet.Reading;
import dev.rowan.analysis.eval.TestSet.RelationPair;
import dev.rowan.analysis.eval.TestSet.WordPairs;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestSetTest {
  @TempDir Path folder;

  private TestSet read(Policy policy, Reading reading, String text) throws IOException {
    Path file = Files.writeString(folder.resolve("set.txt"), text);
    return TestSet.read(file, policy, reading);
  }

  private TestSet read(String text) throws IOException {
    return read(Policy.ROWAN, Reading.automatic(), text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tiger\tcat\t7.35\ncar\ttrain\t6.31\n",
        "tiger,cat,7.35\r\ncar,train,6.31",
        "tiger;cat;7.35\rcar;train;6.31\r",
        "  tiger   cat 7.35\n\ncar train   6.31\n\n",
        "\uFEFFtiger cat 7.35\ncar train 6.31\n",
        "Word 1,Word 2,Human (mean)\ntiger,cat,7.35\ncar,train,6.31\n",
        "\"tiger\",\"cat\",\"7.35\"\n\"car\",\"train\",\"6.31\"\n",
        "# a comment\nword1\tword2\tPOS\tX\ntiger\tcat\tN\t7.35\t1\ncar\ttrain\tN\t6.31\t2",
      })
  void readsPairsHoweverTheyAreWritten(String text) throws IOException {
    assertThat(read(text))
        .isEqualTo(
            new WordPairs(
                "set.txt",
                List.of(new Pair("tiger", "cat", 7.35), new Pair("car", "train", 6.31)),
                0));
  }

  @Test
  void countsLinesThatAreNoPair() throws IOException {
    TestSet set = read("a b 1\nbroken\nc d x\ne f nan\ng h 2\n");
    assertThat(set.skippedLines()).isEqualTo(3);
    assertThat(((WordPairs) set).pairs()).hasSize(2);
  }

  @Test
  void gensimTakesThreeFieldsAsTheyAreAndNothingElse() throws IOException {
    // what evaluate_word_pairs does: split('\t'), float(), words untrimmed
    String text = "#x\ny\t 1\ta\nA b\tc\t1_0\na\tb\tnan\na\tb\t3\t4\na b 3\na\tb\t2f\n";
    WordPairs set =
        (WordPairs)
            read(Policy.GENSIM, new Reading(Optional.of(Kind.PAIRS), OptionalInt.empty()), text);
    assertThat(set.pairs())
        .containsExactly(new Pair("A b", "c", 10), new Pair("a", "b", Double.NaN));
    assertThat(set.skippedLines()).isEqualTo(4);
  }

  @Test
  void separatorCanBeNamed() throws IOException {
    Reading bars = new Reading(Optional.empty(), OptionalInt.of('|'));
    assertThat(((WordPairs) read(Policy.GENSIM, bars, "a|b|1\n")).pairs())
        .containsExactly(new Pair("a", "b", 1));
    assertThat(((WordPairs) read(Policy.ROWAN, bars, "a, b | c | 1\n")).pairs())
        .containsExactly(new Pair("a, b", "c", 1));
  }

  @Test
  void readsTheGoogleForm() throws IOException {
    Analogies set =
        (Analogies)
            read(": capital\nAthens Greece\tOslo  Norway\nbroken\n: empty\n: two\na b c d\n");
    assertThat(set.form()).isEqualTo(Form.GOOGLE);
    assertThat(set.skippedLines()).isEqualTo(1);
    assertThat(set.sections())
        .containsExactly(
            new TestSet.Section(
                "capital",
                List.of(new RelationPair("Athens", "Greece"), new RelationPair("Oslo", "Norway")),
                List.of(new Question("Athens", "Greece", "Oslo", List.of("Norway")))),
            new TestSet.Section("empty", List.of(), List.of()),
            new TestSet.Section(
                "two",
                List.of(new RelationPair("a", "b"), new RelationPair("c", "d")),
                List.of(new Question("a", "b", "c", List.of("d")))));
  }

  @Test
  void questionsWithoutASectionAreOneUnlessTheRulesAreGensims() throws IOException {
    assertThat(((Analogies) read("a b c d\n")).sections().getFirst().name()).isEqualTo("set.txt");
    assertThatThrownBy(() -> read(Policy.GENSIM, Reading.automatic(), "a b c d\n"))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("set.txt: line 1 comes before any section");
  }

  @Test
  void batsPairsAskAboutEachOther() throws IOException {
    Analogies set = (Analogies) read("cat\tcats\nox\toxen/oxes\nman\tmen\n");
    assertThat(set.form()).isEqualTo(Form.BATS);
    assertThat(set.sections()).hasSize(1);
    assertThat(set.sections().getFirst().questions())
        .containsExactlyInAnyOrder(
            new Question("cat", "cats", "ox", List.of("oxen", "oxes")),
            new Question("cat", "cats", "man", List.of("men")),
            new Question("ox", "oxen", "man", List.of("men")),
            new Question("ox", "oxen", "cat", List.of("cats")),
            new Question("man", "men", "cat", List.of("cats")),
            new Question("man", "men", "ox", List.of("oxen", "oxes")));
  }

  @Test
  void longRelationsDoNotMakeQuestionsWithoutEnd() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      text.append('a').append(i).append("\tb").append(i).append('\n');
    }
    Analogies set = (Analogies) read(text.toString());
    assertThat(set.sections().getFirst().questions()).hasSize(200_000);
  }

  @Test
  void aFolderIsABatsSet() throws IOException {
    Path inner = Files.createDirectories(folder.resolve("bats/1_Inflectional"));
    Files.writeString(inner.resolve("I02 [b].txt"), "a\tb\nc\td\n");
    Files.writeString(inner.resolve("I01 [a].txt"), "e\tf\ng\th\nbroken\n");
    Files.writeString(inner.resolve("readme.md"), "no");
    Analogies set =
        (Analogies) TestSet.read(folder.resolve("bats"), Policy.ROWAN, Reading.automatic());
    assertThat(set.name()).isEqualTo("bats");
    assertThat(set.sections())
        .extracting(TestSet.Section::name)
        .containsExactly("I01 [a]", "I02 [b]");
    assertThat(set.skippedLines()).isEqualTo(1);
  }

  @Test
  void refusesFilesThatAreNoTestSet() throws IOException {
    for (String text :
        new String[] {"", "\n\n", "# only\n", "one\ntwo words and many more here x\n"}) {
      assertThatThrownBy(() -> read(text))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("set.txt: no line looks like a pair with a score");
    }
    assertThatThrownBy(() -> read("a b 1\u0000\n"))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("zero bytes");
    Path latin =
        Files.write(
            folder.resolve("latin.txt"), "caf\u00e9 bar 1".getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> TestSet.read(latin, Policy.ROWAN, Reading.automatic()))
        .isInstanceOf(FormatException.class)
        .hasMessage("latin.txt: this byte is not UTF-8; save the file as UTF-8 (at byte 3)");
    Path empty = Files.createDirectories(folder.resolve("empty"));
    assertThatThrownBy(() -> TestSet.read(empty, Policy.ROWAN, Reading.automatic()))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("holds no .txt file");
    assertThatThrownBy(
            () -> TestSet.read(folder.resolve("none"), Policy.ROWAN, Reading.automatic()))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> read(Policy.GENSIM, Reading.automatic(), "a b 1\n"))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("name another separator with --delimiter");
  }
}
