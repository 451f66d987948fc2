package dev.rowan.analysis.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.analysis.eval.AnalogyScores.Tally;
import dev.rowan.analysis.eval.Correlation.Bootstrap;
import dev.rowan.analysis.eval.EvalRules.Policy;
import dev.rowan.analysis.eval.TestSet.Analogies;
import dev.rowan.analysis.eval.TestSet.Form;
import dev.rowan.analysis.eval.TestSet.Pair;
import dev.rowan.analysis.eval.TestSet.Question;
import dev.rowan.analysis.eval.TestSet.RelationPair;
import dev.rowan.analysis.eval.TestSet.WordPairs;
import dev.rowan.core.AnalogyBatch.Rule;
import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Origin;
import dev.rowan.core.Search;
import dev.rowan.core.Spelling;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class EvaluatorTest {
  private static final Workers WORKERS = Workers.of(2);
  private static final Bootstrap BOOTSTRAP = new Bootstrap(50, 1, 0.95);

  @AfterAll
  static void endThreads() {
    WORKERS.close();
  }

  private static Lexicon lexicon(Spelling spelling, String tokens, Table table) {
    Vocabulary words = Vocabulary.of(spelling, Arrays.asList(tokens.split(" ", -1)), new BitSet());
    return new Lexicon(
        new NamedTable("t", table),
        Optional.empty(),
        Optional.of(words),
        Tie.UNKNOWN,
        "",
        new Origin(Path.of("t"), "test", Optional.empty(), OptionalLong.empty(), List.of()),
        () -> {});
  }

  private static Evaluator evaluator(String tokens, Table table, EvalRules rules) {
    return Evaluator.of(lexicon(Spelling.PLAIN, tokens, table), Search.over(table, WORKERS), rules);
  }

  // at angles 0°, 10°, 30°, 60°, 90°, 180° from the first
  private static Table angles(double... degrees) {
    float[] values = new float[2 * degrees.length];
    for (int i = 0; i < degrees.length; i++) {
      values[2 * i] = (float) Math.cos(Math.toRadians(degrees[i]));
      values[2 * i + 1] = (float) Math.sin(Math.toRadians(degrees[i]));
    }
    return Table.of(2, values);
  }

  private static WordPairs pairs(Pair... pairs) {
    return new WordPairs("p", List.of(pairs), 0);
  }

  @Test
  void correlatesCosinesWithWhatPeopleSaid() {
    Evaluator evaluator = evaluator("a b c d", angles(0, 60, 90, 180), EvalRules.of(Policy.ROWAN));
    PairScores scores =
        evaluator.pairs(
            pairs(
                new Pair("a", "b", 3), // cosines 0.5, 0, −1
                new Pair("A", "C", 2),
                new Pair("a", "d", 1),
                new Pair("a", "zebra", 9)),
            BOOTSTRAP);
    assertThat(scores.spearman()).isCloseTo(1, within(1e-12));
    // of (3, 2, 1) and (0.5, 0, −1): 1.5 / √(2 · 7/6)
    assertThat(scores.pearson()).isCloseTo(1.5 / Math.sqrt(2 * 7.0 / 6), within(1e-7));
    assertThat(scores.used()).isEqualTo(3);
    assertThat(scores.unknown()).isEqualTo(1);
    assertThat(scores.total()).isEqualTo(4);
    assertThat(scores.unknownPercent()).isEqualTo(25);
    assertThat(scores.unknownWords()).containsExactly("zebra");
  }

  @Test
  void unknownPairsCanCountAsZero() {
    Evaluator evaluator =
        evaluator(
            "a b c d",
            angles(0, 60, 90, 180),
            EvalRules.of(Policy.GENSIM).withUnknown(EvalRules.Unknown.ZERO));
    PairScores scores =
        evaluator.pairs(
            pairs(new Pair("a", "b", 3), new Pair("a", "d", 1), new Pair("a", "zebra", 2)),
            BOOTSTRAP);
    assertThat(scores.used()).isEqualTo(3);
    assertThat(scores.spearman()).isCloseTo(1, within(1e-12)); // 0.5, −1 and 0
  }

  @Test
  void caseIsFoldedToTheLowestRowOrKept() {
    // Turkey is row 2, turkey row 1; a is row 0
    Table table = angles(0, 60, 90);
    WordPairs turkey = pairs(new Pair("a", "Turkey", 1), new Pair("a", "a", 2));
    EvalRules gensim = EvalRules.of(Policy.GENSIM);
    // the lowest row of the folded form is row 1, at 60°; the word as it is written is row 2, at
    // 90°
    assertThat(cosineOfTurkey(table, gensim, turkey)).isCloseTo(0.5, within(1e-7));
    assertThat(cosineOfTurkey(table, gensim.withSpelling(EvalRules.Spelling.EXACT), turkey))
        .isCloseTo(0, within(1e-7));
    assertThat(cosineOfTurkey(table, EvalRules.of(Policy.ROWAN), turkey))
        .isCloseTo(0, within(1e-7));
    assertThat(cosineOfTurkey(table, EvalRules.of(Policy.WORD2VEC), turkey))
        .isCloseTo(0.5, within(1e-7));
  }

  private static double cosineOfTurkey(Table table, EvalRules rules, WordPairs set) {
    Lexicon lexicon = lexicon(Spelling.PLAIN, "a turkey Turkey", table);
    WordRows rows = WordRows.of(lexicon, table, rules, set.words().toList());
    return table.row(rows.row("Turkey").orElseThrow())[0];
  }

  @Test
  void ourRulesLookBehindTheSpaceOfAToken() {
    Table table = angles(0, 1, 2, 3);
    Lexicon lexicon = lexicon(Spelling.BYTE_LEVEL, "cat \u0120cat \u0120Dog dog", table);
    WordRows ours =
        WordRows.of(
            lexicon, table, EvalRules.of(Policy.ROWAN), List.of("cat", "Cat", "dog", "Dog"));
    assertThat(ours.row("cat")).hasValue(1); // with its space
    assertThat(ours.row("Cat")).hasValue(1);
    assertThat(ours.row("dog")).hasValue(3); // the spelling before the space
    assertThat(ours.row("Dog")).hasValue(2);
    assertThat(ours.form(1)).isEqualTo(ours.form("cat")).isEqualTo("CAT");
    WordRows plain =
        WordRows.of(lexicon, table, EvalRules.of(Policy.GENSIM), List.of("cat", "dog"));
    assertThat(plain.row("cat")).hasValue(0);
    assertThat(plain.row("dog")).hasValue(3);
  }

  @Test
  void asciiLettersAloneAreFoldedByTheCTool() {
    Table table = angles(0, 1);
    Lexicon lexicon = lexicon(Spelling.PLAIN, "\u00e9a stra\u00dfe", table);
    List<String> words = List.of("\u00c9A", "\u00e9A", "STRASSE");
    WordRows gensim = WordRows.of(lexicon, table, EvalRules.of(Policy.GENSIM), words);
    assertThat(gensim.row("\u00c9A")).hasValue(0);
    assertThat(gensim.row("STRASSE")).hasValue(1); // ß in upper case is SS
    WordRows tool = WordRows.of(lexicon, table, EvalRules.of(Policy.WORD2VEC), words);
    assertThat(tool.row("\u00c9A")).isEmpty();
    assertThat(tool.row("\u00e9A")).hasValue(0);
  }

  @Test
  void rowsBeyondTheLimitOrNotFiniteAreUnknown() {
    Table table = Table.of(1, 1f, Float.NaN, 2f, 3f);
    Lexicon lexicon = lexicon(Spelling.PLAIN, "a b c d", table);
    EvalRules rules = EvalRules.of(Policy.ROWAN).withRestrict(OptionalLong.of(3));
    WordRows rows = WordRows.of(lexicon, table, rules, List.of("a", "b", "c", "d"));
    assertThat(rows.row("a")).hasValue(0);
    assertThat(rows.row("b")).isEmpty();
    assertThat(rows.row("c")).hasValue(2);
    assertThat(rows.row("d")).isEmpty();
  }

  private static Analogies asking(Question... questions) {
    List<RelationPair> pairs =
        Arrays.stream(questions).map(q -> new RelationPair(q.a(), q.b())).distinct().toList();
    return new Analogies(
        "q", Form.GOOGLE, List.of(new TestSet.Section("s", pairs, List.of(questions))), 0);
  }

  private static Tally tally(String tokens, Table table, EvalRules rules, Question... questions) {
    return evaluator(tokens, table, rules).analogies(asking(questions), Rule.ADD, 1).all();
  }

  // the unit square: man (1,0,0), king (1,0,1)…: king − man + woman is queen exactly
  private static final Table ROYALS =
      Table.of(3, 1f, 0f, 0f, 1f, 0f, 1f, 0f, 1f, 0f, 0f, 1f, 1f, -1f, -1f, 0f);
  private static final String ROYAL_WORDS = "man king woman queen other";

  @Test
  void tellsRawFromExcludingInputsFromAlreadyNearest() {
    Question royal = new Question("man", "king", "woman", List.of("queen"));
    Tally tally = tally(ROYAL_WORDS, ROYALS, EvalRules.of(Policy.ROWAN), royal);
    // unit sum: king/√2 − man + woman = (−0.293, 1, 0.707): cosine with queen 0.95, woman 0.79
    assertThat(tally).isEqualTo(new Tally(1, 0, 1, 1, 1, 1, 0));
  }

  @Test
  void anInputThatIsNearestMakesTheRawAnswerWrong() {
    // all on a circle: sum of unit vectors at 40° − at 0° + at 100° points near 100°
    Table table = angles(0, 40, 100, 140, 300);
    Question question = new Question("a", "b", "c", List.of("d"));
    Tally tally = tally("a b c d e", table, EvalRules.of(Policy.ROWAN), question);
    // (cos40 − 1 + cos100, sin40 + sin100) = (−0.408, 1.628): at 104°, so c is nearest, then d
    assertThat(tally).isEqualTo(new Tally(1, 0, 1, 0, 1, 1, 0));
  }

  @Test
  void gensimLeavesOutFormsAndTheCToolRows() {
    // C, a case variant of an input, stands between the inputs and the answer d
    Table table = angles(0, 40, 100, 107, 140, 300);
    Question question = new Question("a", "b", "c", List.of("d"));
    String words = "a b c C d e";
    assertThat(tally(words, table, EvalRules.of(Policy.GENSIM), question).excludingInputs())
        .isEqualTo(1);
    assertThat(tally(words, table, EvalRules.of(Policy.WORD2VEC), question).excludingInputs())
        .isZero();
    assertThat(tally(words, table, EvalRules.of(Policy.ROWAN), question).excludingInputs())
        .isZero();
  }

  @Test
  void theCToolNeedsAPositiveScore() {
    // three inputs and one other row, opposite to the sum
    Table table = angles(0, 40, 100, 284);
    Question question = new Question("a", "b", "c", List.of("d"));
    assertThat(tally("a b c d", table, EvalRules.of(Policy.WORD2VEC), question).excludingInputs())
        .isZero();
    assertThat(tally("a b c d", table, EvalRules.of(Policy.ROWAN), question).excludingInputs())
        .isEqualTo(1);
  }

  @Test
  void questionsWithUnknownWordsAreSkippedOrWrong() {
    Question known = new Question("man", "king", "woman", List.of("queen"));
    Question unknown = new Question("man", "king", "zebra", List.of("queen"));
    EvalRules rules = EvalRules.of(Policy.GENSIM);
    assertThat(tally(ROYAL_WORDS, ROYALS, rules, known, unknown))
        .isEqualTo(new Tally(2, 1, 1, 1, 1, 1, 0));
    assertThat(
            tally(ROYAL_WORDS, ROYALS, rules.withUnknown(EvalRules.Unknown.ZERO), known, unknown))
        .isEqualTo(new Tally(2, 1, 2, 1, 1, 1, 0));
  }

  @Test
  void anyOfSeveralAnswersIsRight() {
    Question royal = new Question("man", "king", "woman", List.of("empress", "queen"));
    assertThat(tally(ROYAL_WORDS, ROYALS, EvalRules.of(Policy.ROWAN), royal).excludingInputs())
        .isEqualTo(1);
  }

  @Test
  void unusableTestSetsAreNamed() {
    Evaluator evaluator = evaluator("a b", angles(0, 1), EvalRules.of(Policy.ROWAN));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> evaluator.pairs(pairs(new Pair("x", "y", 1)), BOOTSTRAP))
        .withMessageStartingWith("none of the 1 pairs of p has rows for both words");
    assertThat(evaluator.analogies(asking(), Rule.ADD, 1).all().share(0)).isZero();
  }

  @Test
  void offsetsOfAParallelogramAreParallel() {
    Table table = Table.of(3, 1f, 0f, 0f, 0f, 1f, 0f, 1f, 0f, 1f, 0f, 1f, 1f, 5f, 1f, 3f);
    // unit rows: (1,0,0) → (1,0,1)/√2 and (0,1,0) → (0,1,1)/√2; offsets (−0.293, 0, 0.707), (0,
    // −0.293, 0.707): cosine 0.5 / (0.0858 + 0.5)
    RelationDirections directions =
        RelationDirections.of(
            Search.over(table, WORKERS),
            List.of(new RelationDirections.Pair(0, 2), new RelationDirections.Pair(1, 3)),
            1);
    assertThat(directions.pairs()).isEqualTo(2);
    assertThat(directions.meanCosine())
        .isCloseTo(0.5 / (Math.pow(1 - Math.sqrt(0.5), 2) + 0.5), within(1e-7));
    // the only other pairing: (0,1,1)/√2 − (1,0,0) and (1,0,1)/√2 − (0,1,0)
    double mixed = (-2 * Math.sqrt(0.5) + 0.5) / 2; // product / squared norm (1 + 1)
    assertThat(directions.shuffled()).isCloseTo(mixed, within(1e-7));
    assertThat(directions.shuffledBelow()).isEqualTo(1);
  }

  @Test
  void onePairHasNoDirectionToCompare() {
    RelationDirections directions =
        RelationDirections.of(
            Search.over(ROYALS, WORKERS), List.of(new RelationDirections.Pair(0, 1)), 1);
    assertThat(directions.meanCosine()).isNaN();
    assertThat(directions.pairs()).isEqualTo(1);
  }
}
