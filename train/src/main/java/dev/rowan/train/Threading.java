package dev.rowan.train;

import dev.rowan.core.OutOfRange;

/** How several threads learn at once. */
public sealed interface Threading {

  /**
   * All threads change the same rows without locks (Niu et al. 2011): fastest. Of the rows that are
   * touched often each thread changes replicas, which are brought together every so many words,
   * since rows that two processors write wander between their caches; that takes up to twice the
   * memory. With one thread the same seed gives the same bytes; with more, runs differ by which
   * thread came first.
   */
  record Shared() implements Threading {}

  /**
   * Rows are dealt into so many blocks, and a thread has a block of input rows and one of output
   * rows to itself; the pairs of blocks take turns. The same bytes for any number of threads; the
   * price is that windows fall into parts, so that it takes about twice as long for two blocks, and
   * negatives come from the block of the word alone.
   *
   * @param count 2 to 64; at most so many threads are of use
   */
  record Blocks(int count) implements Threading {
    /** Checks the range. */
    public Blocks {
      OutOfRange.check("blocks", count, 2, 64);
    }
  }
}
