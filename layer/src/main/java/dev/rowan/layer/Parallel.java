package dev.rowan.layer;

import dev.rowan.core.Workers;
import org.jspecify.annotations.Nullable;

/** Runs chunks on workers, or on the calling thread where there are none or one chunk only. */
final class Parallel {
  private Parallel() {}

  static void run(@Nullable Workers workers, long chunks, Workers.Shares shares) {
    if (workers == null || workers.threads() == 1 || chunks <= 1) {
      Workers.Share share = shares.start();
      for (long c = 0; c < chunks; c++) {
        share.run(c);
      }
      return;
    }
    workers.run(chunks, shares);
  }

  /** Returns how many chunks of {@code size} cover {@code count}. */
  static long chunks(long count, long size) {
    return (count + size - 1) / size;
  }
}
