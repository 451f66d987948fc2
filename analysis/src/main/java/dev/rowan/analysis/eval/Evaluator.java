package dev.rowan.analysis.eval;

import dev.rowan.analysis.eval.Correlation.Bootstrap;
import dev.rowan.analysis.eval.EvalRules.Unknown;
import dev.rowan.analysis.eval.TestSet.Analogies;
import dev.rowan.analysis.eval.TestSet.Pair;
import dev.rowan.analysis.eval.TestSet.WordPairs;
import dev.rowan.core.AnalogyBatch.Rule;
import dev.rowan.core.Lexicon;
import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Search;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Scores one table on test sets.
 *
 * <p>Safe for any number of threads.
 */
public final class Evaluator {
  private final Lexicon lexicon;
  private final Search search;
  private final EvalRules rules;

  private Evaluator(Lexicon lexicon, Search search, EvalRules rules) {
    this.lexicon = lexicon;
    this.search = search;
    this.rules = rules;
  }

  /**
   * Returns an evaluator.
   *
   * @param lexicon whose vocabulary names the rows
   * @param search over the table to score, one of the lexicon's
   */
  public static Evaluator of(Lexicon lexicon, Search search, EvalRules rules) {
    return new Evaluator(lexicon, search, rules);
  }

  /**
   * Scores word pairs: the correlations of the rows' cosines with what people said.
   *
   * @throws IllegalArgumentException if there is no vocabulary, or no pair has rows for both words
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public PairScores pairs(WordPairs set, Bootstrap bootstrap) {
    WordRows rows = rows(set);
    List<Double> people = new ArrayList<>();
    List<Double> cosines = new ArrayList<>();
    int unknown = 0;
    for (Pair pair : set.pairs()) {
      OptionalLong first = rows.row(pair.first());
      OptionalLong second = rows.row(pair.second());
      if (first.isPresent() && second.isPresent()) {
        people.add(pair.score());
        Query row = Query.row(search.table(), first.getAsLong());
        cosines.add(search.score(row, Metric.COSINE, second.getAsLong()));
        continue;
      }
      unknown++;
      if (rules.unknown() == Unknown.ZERO) {
        people.add(pair.score());
        cosines.add(0.0);
      }
    }
    if (people.isEmpty()) {
      throw new IllegalArgumentException(
          "none of the %,d pairs of %s has rows for both words; is this the vocabulary they ask about?"
              .formatted(set.pairs().size(), set.name()));
    }
    double[] x = people.stream().mapToDouble(Double::doubleValue).toArray();
    double[] y = cosines.stream().mapToDouble(Double::doubleValue).toArray();
    return new PairScores(
        set.name(),
        Correlation.spearman(x, y),
        Correlation.pearson(x, y),
        Correlation.interval(x, y, bootstrap),
        x.length,
        unknown,
        set.pairs().size(),
        unknown(rows, set.words()),
        set.skippedLines());
  }

  /**
   * Answers analogy questions: all of them in one pass over the table, and the neighbours of their
   * words in another.
   *
   * @param seed of the comparison of offsets with chance
   * @throws IllegalArgumentException if there is no vocabulary
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public AnalogyScores analogies(Analogies set, Rule rule, long seed) {
    WordRows rows = rows(set);
    AnalogyMarking marking = new AnalogyMarking(search, rows, rules, rule);
    return new AnalogyScores(
        set.name(),
        set.form(),
        rule,
        marking.sections(set, seed),
        unknown(rows, set.words()),
        set.skippedLines());
  }

  private WordRows rows(TestSet set) {
    Collection<String> words = set.words().distinct().toList();
    return WordRows.of(lexicon, search.table(), rules, words);
  }

  private static List<String> unknown(WordRows rows, Stream<String> words) {
    return words.distinct().filter(word -> rows.row(word).isEmpty()).sorted().toList();
  }
}
