package dev.rowan.train;

/** What is learned from a window of text. */
public sealed interface Objective {

  /**
   * Skip-gram: each context word alone predicts the word in the middle (Mikolov et al. 2013a).
   * Which of a pair predicts which makes no difference over all windows; word2vec.c does it so.
   */
  record SkipGram() implements Objective {}

  /**
   * Continuous bag of words: the context words together predict the word in the middle.
   *
   * @param combine how their rows become one
   */
  record Cbow(Combine combine) implements Objective {}

  /** How the rows of a context become one. */
  enum Combine {
    /**
     * Their mean; each row then gets the mean's whole gradient, as in word2vec.c and gensim, which
     * is their number times the true one. Of words made of n-grams, the mean of all their parts, as
     * in fastText, so that a word of more parts counts more.
     */
    MEAN,
    /** Their sum. */
    SUM
  }

  /** Returns the rate to start with if none is given: word2vec.c's. */
  default double usualRate() {
    return switch (this) {
      case SkipGram() -> 0.025;
      case Cbow _ -> 0.05;
    };
  }
}
