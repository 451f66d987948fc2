package dev.rowan.app.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets Ctrl-C interrupt the thread that works, and the program wait until that thread has cleaned
 * up. Without it the JVM would end in the middle of a file.
 */
final class InterruptOnExit implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 30;

  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook;

  private InterruptOnExit(Thread working) {
    this.hook =
        new Thread(
            () -> {
              working.interrupt();
              await();
            },
            "rowan-interrupt");
  }

  /** Guards the calling thread until it is closed. */
  static InterruptOnExit guard() {
    InterruptOnExit guard = new InterruptOnExit(Thread.currentThread());
    Runtime.getRuntime().addShutdownHook(guard.hook);
    return guard;
  }

  private void await() {
    try {
      boolean _ = done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    done.countDown();
    try {
      boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // the program is ending already, and the hook has what it waited for
    }
  }
}
