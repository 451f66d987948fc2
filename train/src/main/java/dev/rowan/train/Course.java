package dev.rowan.train;

import dev.rowan.core.Workers;

/** The way in which threads go through the units of an epoch. */
interface Course {
  /** Returns where the rows of words lie. */
  Dealing dealing();

  /**
   * Learns from units {@code from} to {@code to}.
   *
   * @return the unit before which all are done: {@code to}, or less after {@link #pause}
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted; {@link
   *     #done} tells how far it came
   */
  int run(int epoch, int from, int to, Workers workers, Ledger ledger);

  /** Returns the unit before which all were done when the last run ended. */
  int done();

  /** Ends a run soon. From any thread. */
  void pause();

  /** Lets runs go on. */
  void resume();
}
