package dev.rowan.hub;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/** Asks again, after pauses that grow, as long as that may help. */
final class Retries {
  /** What counts as getting on; below that a server could keep us for ever. */
  private static final long PROGRESS = 64 << 10;

  private final Patience patience;
  private final HubListener listener;
  private final String model;

  Retries(Patience patience, HubListener listener, String model) {
    this.patience = patience;
    this.listener = listener;
    this.model = model;
  }

  /** One attempt. */
  interface Attempt<T> {
    T run() throws IOException;
  }

  /** Attempts something that gets nowhere unless it is done. */
  <T> T run(Attempt<T> attempt) throws IOException {
    return run(attempt, () -> 0);
  }

  /**
   * Attempts something that may get on a bit each time; attempts are counted from the last time
   * that it did.
   *
   * @param reached how many bytes are here
   * @throws Unreachable if it does not help
   */
  <T> T run(Attempt<T> attempt, LongSupplier reached) throws IOException {
    int failed = 0;
    while (true) {
      long before = reached.getAsLong();
      try {
        return attempt.run();
      } catch (HubException e) {
        throw e;
      } catch (Transport.LocalException e) {
        throw e.reason();
      } catch (IOException e) {
        failed = reached.getAsLong() - before >= PROGRESS ? 1 : failed + 1;
        // who cannot be reached or says nothing now will hardly answer in ten seconds
        int most = isNoAnswer(e) ? Math.min(2, patience.attempts()) : patience.attempts();
        Optional<Duration> asked =
            e instanceof Refusals.Transient transients ? transients.after() : Optional.empty();
        if (failed >= most || tooLong(asked)) {
          throw gaveUp(e, failed, asked);
        }
        pause(e, asked.orElse(Duration.ZERO), failed);
      }
    }
  }

  private static boolean isNoAnswer(IOException e) {
    return e instanceof Transport.ConnectException || e instanceof Transport.SilentException;
  }

  private boolean tooLong(Optional<Duration> asked) {
    return asked.isPresent() && asked.get().compareTo(patience.longestPause()) > 0;
  }

  private Unreachable gaveUp(IOException e, int failed, Optional<Duration> asked) {
    String advice =
        tooLong(asked)
            ? " and asks to wait for %,d seconds; try again then"
                .formatted(asked.orElseThrow().toSeconds())
            : e instanceof Transport.ConnectException
                ? "; is there a network?"
                : "; asked %d times, try again later".formatted(failed);
    return new Unreachable("%s: %s%s".formatted(model, e.getMessage(), advice), e);
  }

  private void pause(IOException e, Duration asked, int failed) {
    Duration own = patience.pause(failed);
    // many who failed together should not come back together
    long jittered =
        own.toMillis() / 2 + ThreadLocalRandom.current().nextLong(own.toMillis() / 2 + 1);
    long millis = Math.max(jittered, asked.toMillis());
    listener.noted(
        String.format(
            Locale.ROOT, "%s; asking again in %.1f seconds", e.getMessage(), millis / 1e3));
    try {
      Thread.sleep(millis);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw Transport.cancelled(interrupted);
    }
  }

  /** Nobody answers, or nobody answers with what was asked for, however often. */
  static final class Unreachable extends IOException {
    private static final long serialVersionUID = 1;

    private final String what;

    Unreachable(String message, Throwable cause) {
      super(message, cause);
      this.what = message;
    }

    /** Returns this as what a user is told. */
    HubException refusal() {
      return new HubException(what, this);
    }
  }
}
