package dev.rowan.analysis.eval;

import dev.rowan.analysis.eval.Correlation.Interval;
import java.util.List;

/**
 * How a table's cosines agree with what people said of word pairs.
 *
 * @param name of the test set
 * @param spearman rank correlation, in [−1, 1]; NaN where one side does not vary
 * @param pearson correlation, in [−1, 1]; NaN likewise
 * @param interval where Spearman's correlation lies, by bootstrap
 * @param used how many pairs it is over
 * @param unknown how many pairs have a word without a row; among the used ones, with score 0, if
 *     the rules say so
 * @param total how many pairs the test set has
 * @param unknownWords the words without a row, in order
 * @param skippedLines lines of the file that are no pair
 */
public record PairScores(
    String name,
    double spearman,
    double pearson,
    Interval interval,
    int used,
    int unknown,
    int total,
    List<String> unknownWords,
    int skippedLines) {
  /** Copies the words. */
  public PairScores {
    unknownWords = List.copyOf(unknownWords);
  }

  /** Returns the share of pairs with a word without a row, in percent: gensim's third result. */
  public double unknownPercent() {
    return 100.0 * unknown / total;
  }
}
