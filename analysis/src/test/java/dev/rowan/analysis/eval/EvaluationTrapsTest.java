package dev.rowan.analysis.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.analysis.eval.Correlation.Bootstrap;
import dev.rowan.analysis.eval.EvalRules.Policy;
import dev.rowan.analysis.eval.TestSet.Pair;
import dev.rowan.analysis.eval.TestSet.WordPairs;
import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Origin;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What evaluations of other tools leave behind, count twice, or owe to the user's country. */
class EvaluationTrapsTest {
  private static final Bootstrap BOOTSTRAP = new Bootstrap(50, 1, 0.95);
  // angles 0°, 60°, 90°, 180° from the first
  private static final Table TABLE = Table.of(2, 1f, 0f, 0.5f, 0.8660254f, 0f, 1f, -1f, 0f);

  private static Lexicon lexicon(String... words) {
    return new Lexicon(
        new NamedTable("t", TABLE),
        Optional.empty(),
        Optional.of(Vocabulary.ofWords(List.of(words))),
        Tie.UNKNOWN,
        "",
        new Origin(Path.of("t"), "test", Optional.empty(), OptionalLong.empty(), List.of()),
        () -> {});
  }

  private static PairScores scores(Lexicon lexicon, EvalRules rules, Pair... pairs) {
    try (Workers workers = Workers.of(1)) {
      return Evaluator.of(lexicon, Search.over(TABLE, workers), rules)
          .pairs(new WordPairs("p", List.of(pairs), 0), BOOTSTRAP);
    }
  }

  @ParameterizedTest
  @EnumSource(Policy.class)
  void theVocabularyIsTheSameAfterwardsAndAfterAFailure(Policy policy) {
    Lexicon lexicon = lexicon("Cat", "cat", "DOG", "dog");
    EvalRules rules = EvalRules.of(policy);
    scores(lexicon, rules, new Pair("cat", "dog", 1), new Pair("Cat", "DOG", 2));
    assertThatThrownBy(() -> scores(lexicon, rules, new Pair("x", "y", 1)))
        .isInstanceOf(IllegalArgumentException.class);
    Vocabulary words = lexicon.vocabulary().orElseThrow();
    assertThat(words.size()).isEqualTo(4);
    assertThat(words.id("Cat")).hasValue(0);
    assertThat(words.id("cat")).hasValue(1);
    assertThat(words.id("CAT")).isEmpty();
  }

  /** In Turkish "i" is "İ" in upper case, and "I" is "ı" in lower case. */
  @ParameterizedTest
  @EnumSource(Policy.class)
  void lettersAreFoldedTheSameInEveryCountry(Policy policy) {
    Locale usual = Locale.getDefault();
    try {
      Locale.setDefault(Locale.of("tr", "TR"));
      Lexicon lexicon = lexicon("title", "b", "c", "d");
      WordRows rows = WordRows.of(lexicon, TABLE, EvalRules.of(policy), List.of("TITLE", "Title"));
      assertThat(rows.row("TITLE")).hasValue(0);
      assertThat(rows.row("Title")).hasValue(0);
    } finally {
      Locale.setDefault(usual);
    }
  }

  @Test
  void aPairWithoutRowsCountsOnceWhetherItIsLeftOutOrCountsAsZero() {
    Lexicon lexicon = lexicon("a", "b", "c", "d");
    Pair[] pairs = {
      new Pair("a", "b", 3), new Pair("a", "d", 1), new Pair("x", "a", 2), new Pair("x", "y", 2)
    };
    for (EvalRules.Unknown unknown : EvalRules.Unknown.values()) {
      PairScores scores = scores(lexicon, EvalRules.of(Policy.GENSIM).withUnknown(unknown), pairs);
      assertThat(scores.unknown()).as("%s", unknown).isEqualTo(2);
      assertThat(scores.total()).as("%s", unknown).isEqualTo(4);
      assertThat(scores.unknownPercent()).as("%s", unknown).isEqualTo(50);
    }
  }
}
