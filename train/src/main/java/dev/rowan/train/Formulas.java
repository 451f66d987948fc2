package dev.rowan.train;

/** The formulas of word2vec.c, by which others are compared. */
public final class Formulas {
  /** The rate never falls below this share of the first one. */
  static final double LEAST_RATE_SHARE = 1e-4;

  private Formulas() {}

  /**
   * Returns the share of a word's occurrences that are kept: (√(c/(tT)) + 1) · tT/c, at most 1.
   *
   * @param count c, how often the word comes, above 0
   * @param total T, how many words there are
   * @param threshold t; 0 keeps all
   */
  public static double keepShare(long count, long total, double threshold) {
    if (threshold == 0) {
      return 1;
    }
    double often = threshold * total;
    return Math.min(1, (Math.sqrt(count / often) + 1) * often / count);
  }

  /**
   * Returns the learning rate: in a straight line from the first one towards 0, but not below a
   * ten-thousandth of it.
   *
   * @param done words so far, over all epochs
   * @param total words of all epochs
   */
  public static double rate(double first, long done, long total) {
    return first * Math.max(LEAST_RATE_SHARE, 1 - done / (total + 1.0));
  }
}
