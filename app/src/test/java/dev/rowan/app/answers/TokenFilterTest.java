package dev.rowan.app.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rowan.core.Hit;
import dev.rowan.core.Lexicon;
import dev.rowan.core.Metric;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Origin;
import dev.rowan.core.Query;
import dev.rowan.core.Scope;
import dev.rowan.core.Search;
import dev.rowan.core.Spelling;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Which tokens are listed: {@link TokenFilter} and {@link Variants}. */
class TokenFilterTest {

  private static Lexicon lexicon(Spelling spelling, Table table, String... tokens) {
    return new Lexicon(
        new NamedTable("t", table),
        Optional.empty(),
        Optional.of(Vocabulary.of(spelling, Arrays.asList(tokens), new BitSet())),
        Tie.UNKNOWN,
        "",
        new Origin(Path.of("t"), "test", Optional.empty(), OptionalLong.empty(), List.of()),
        () -> {});
  }

  @Test
  void findsTokensInWhichTheExpressionOccurs() {
    Table table = Table.of(1, 1f, 2f, 3f);
    Lexicon lexicon = lexicon(Spelling.PLAIN, table, "cat", "dog", "catalog", "cats beyond");
    assertThat(TokenFilter.matching(lexicon, table, "cat", TokenFilter.MOST)).containsExactly(0, 2);
    assertThat(TokenFilter.matching(lexicon, table, "^cat$", TokenFilter.MOST)).containsExactly(0);
    assertThat(TokenFilter.matching(lexicon, table, "x", TokenFilter.MOST)).isEmpty();
  }

  @Test
  void stopsAnExpressionThatBacktracksWithoutEnd() {
    Table table = Table.of(1, 1f);
    Lexicon lexicon = lexicon(Spelling.PLAIN, table, "a".repeat(60) + "!");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            TokenFilter.matching(lexicon, table, "a*a*a*a*a*a*a*a*a*\\d", Duration.ofMillis(30)))
        .withMessageContaining("write it without nested repetitions");
  }

  @Test
  void saysWhereAnExpressionIsWrong() {
    Table table = Table.of(1, 1f);
    Lexicon lexicon = lexicon(Spelling.PLAIN, table, "a");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TokenFilter.matching(lexicon, table, "a[", TokenFilter.MOST))
        .withMessageStartingWith("\"a[\" is no regular expression: ");
  }

  @Test
  void wordsAreListedOnceHoweverTheyAreWritten() {
    Table table = Table.of(2, 1f, 0f, 1f, 0.1f, 1f, 0.2f, 1f, 0.3f, 1f, 0.4f, 1f, 0.5f);
    Lexicon lexicon =
        lexicon(
            Spelling.BYTE_LEVEL, table, "cat", "\u0120Cat", "dog", "\u0120Dog", "CAT", "\u0120owl");
    try (Workers workers = Workers.of(1)) {
      Asking.Point cat =
          new Asking.Point(
              Query.row(table, 0),
              List.of(0L),
              List.of("cat"),
              "cat",
              Optional.empty(),
              Optional.empty(),
              0);
      List<Variants.Word> words =
          Variants.nearest(
              lexicon, Search.over(table, workers), cat, Metric.COSINE, 2, Scope.all());
      assertThat(words).extracting(word -> word.hit().id()).containsExactly(2L, 5L);
      assertThat(words.getFirst().others()).extracting(Hit::id).containsExactly(3L);
      assertThat(
              Variants.nearest(
                  lexicon, Search.over(table, workers), cat, Metric.COSINE, 0, Scope.all()))
          .isEmpty();
    }
  }

  @Test
  void continuationsAreVariantsOfTheirWord() {
    Table table = Table.of(1, 1f, 2f, 3f);
    Lexicon lexicon = lexicon(Spelling.WORDPIECE, table, "##Cat", "##", "\u2581cat");
    assertThat(Variants.form(lexicon, 0)).isEqualTo("cat");
    assertThat(Variants.form(lexicon, 1)).isEqualTo("##");
    assertThat(Variants.form(lexicon, 2)).isEqualTo("cat");
  }
}
