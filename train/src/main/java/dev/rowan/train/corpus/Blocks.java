package dev.rowan.train.corpus;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/**
 * The blocks of a corpus, handed out one at a time. The cuts depend on the text alone, so the
 * blocks are the same for any number of threads.
 */
interface Blocks extends Closeable {
  /** Bytes of a block: large against the cost of handing one out, small beside a cache. */
  int BLOCK_BYTES = 4 << 20;

  /** Returns the next block; empty at the end. Safe for any number of threads. */
  Optional<Block> next() throws IOException;
}
