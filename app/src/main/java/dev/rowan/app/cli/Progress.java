package dev.rowan.app.cli;

import java.io.PrintStream;

/**
 * Tells a person at a terminal what takes so long: nothing for the first half second, then one line
 * that goes away when the work is done.
 */
final class Progress implements AutoCloseable {
  private static final long PATIENCE_MILLIS = 500;

  private final PrintStream err;
  private final Thread teller;
  private boolean told;
  private boolean done;

  private Progress(PrintStream err, String work) {
    this.err = err;
    this.teller = Thread.ofPlatform().daemon().name("rowan-progress").unstarted(() -> tell(work));
  }

  /** Begins to wait; closing ends it. */
  static Progress of(Surroundings surroundings, String work) {
    Progress progress = new Progress(surroundings.err(), work);
    if (surroundings.errIsTerminal()) {
      progress.teller.start();
    }
    return progress;
  }

  private synchronized void tell(String work) {
    long end = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
    try {
      long left;
      while (!done && (left = (end - System.nanoTime()) / 1_000_000) > 0) {
        wait(left);
      }
    } catch (InterruptedException e) {
      return;
    }
    if (!done) {
      told = true;
      err.print(work + " …");
      err.flush();
    }
  }

  @Override
  public synchronized void close() {
    done = true;
    notifyAll();
    if (told) {
      told = false;
      err.print("\r\u001b[K");
      err.flush();
    }
  }
}
