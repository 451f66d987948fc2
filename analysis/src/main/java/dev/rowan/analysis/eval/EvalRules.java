package dev.rowan.analysis.eval;

import java.util.OptionalLong;

/**
 * How words become rows and answers become right or wrong.
 *
 * @param policy whose rules
 * @param restrict only the first so many rows count, as words and as answers; empty for all
 * @param spelling whether case matters
 * @param unknown what becomes of pairs and questions with a word that has no row
 */
public record EvalRules(Policy policy, OptionalLong restrict, Spelling spelling, Unknown unknown) {
  /** The limit of gensim's {@code restrict_vocab} unless it is told otherwise. */
  public static final long GENSIM_ROWS = 300_000;

  /** Whose rules. */
  public enum Policy {
    /**
     * Ours. A word is the token of that spelling, with its leading space where the vocabulary
     * writes one; failing that the lowest row whose token is the word when case is folded. An
     * answer is right if its token is the expected word in that sense; the three input rows are
     * left out.
     */
    ROWAN,
    /**
     * gensim 4.4: {@code KeyedVectors.evaluate_word_pairs} and {@code evaluate_word_analogies}.
     * Words and tokens in upper case, the lowest row of several wins; an answer is the first of
     * five rows whose upper-case token is none of the inputs'.
     */
    GENSIM,
    /**
     * The C tool {@code compute-accuracy}: words and tokens with ASCII letters in upper case, the
     * first row wins, the three input rows are left out, and only a positive score can win.
     */
    WORD2VEC
  }

  /** Whether case matters. */
  public enum Spelling {
    /** Upper and lower case are the same. */
    FOLDED,
    /** Letters as they are. */
    EXACT
  }

  /** What becomes of pairs and questions with a word that has no row. */
  public enum Unknown {
    /** They are left out, and counted. */
    SKIPPED,
    /** A pair scores 0, a question is wrong: gensim's {@code dummy4unknown}. */
    ZERO
  }

  /**
   * Checks the limit.
   *
   * @throws IllegalArgumentException if it is below 1
   */
  public EvalRules {
    if (restrict.isPresent() && restrict.getAsLong() < 1) {
      throw new IllegalArgumentException(
          "the first %d rows are none; restrict takes 1 or more".formatted(restrict.getAsLong()));
    }
  }

  /** Returns a policy with its own defaults. */
  public static EvalRules of(Policy policy) {
    OptionalLong restrict =
        policy == Policy.GENSIM ? OptionalLong.of(GENSIM_ROWS) : OptionalLong.empty();
    return new EvalRules(policy, restrict, Spelling.FOLDED, Unknown.SKIPPED);
  }

  /** Returns the same rules over the first rows only. */
  public EvalRules withRestrict(OptionalLong rows) {
    return new EvalRules(policy, rows, spelling, unknown);
  }

  /** Returns the same rules with another treatment of case. */
  public EvalRules withSpelling(Spelling other) {
    return new EvalRules(policy, restrict, other, unknown);
  }

  /** Returns the same rules with another treatment of unknown words. */
  public EvalRules withUnknown(Unknown other) {
    return new EvalRules(policy, restrict, spelling, other);
  }

  /** Returns how many of a table's rows count. */
  public long limit(long rows) {
    return Math.min(rows, restrict.orElse(rows));
  }
}
