package dev.rowan.train;

import dev.rowan.core.OutOfRange;

/** How a word is told from the others at the output. */
public sealed interface Output {

  /**
   * Negative sampling: the word against a few drawn ones (Mikolov et al. 2013b, section 2.2).
   *
   * @param negatives drawn words, 1 to 1000
   * @param power words are drawn in proportion to count to this power; word2vec's is 0.75
   * @param sharing which pairs have the same drawn words
   */
  record NegativeSampling(int negatives, double power, Sharing sharing) implements Output {
    /** Checks the ranges. */
    public NegativeSampling {
      OutOfRange.check("negatives", negatives, 1, 1000);
      OutOfRange.check(power >= -2 && power <= 2, "power", power, "−2 to 2");
    }
  }

  /** Hierarchical softmax: a path through a Huffman tree (Mikolov et al. 2013b, section 2.1). */
  record HierarchicalSoftmax() implements Output {}

  /** Which pairs of a skip-gram window have the same negatives. */
  enum Sharing {
    /** All pairs of a window: several times faster, because the work is a matrix product. */
    WINDOW,
    /** Each pair draws its own, as in the original. */
    PAIR
  }
}
