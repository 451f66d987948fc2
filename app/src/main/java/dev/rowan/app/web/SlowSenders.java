package dev.rowan.app.web;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections whose client sends a request so slowly, byte by byte, that the idle timeout
 * never strikes: the head and body of a request have to arrive in time.
 */
final class SlowSenders extends AbstractLifeCycle implements Connection.Listener {
  private static final int ROUNDS = 6; // looks while a request may take

  private final long patience; // nanoseconds
  private final Map<Connection, Seen> open = new ConcurrentHashMap<>();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("rowan-web-clock").factory());

  private @Nullable ScheduledFuture<?> rounds;

  /**
   * Makes one.
   *
   * @param patience how long a client may take to send one request
   */
  SlowSenders(Duration patience) {
    this.patience = patience.toNanos();
  }

  /** What a connection had received, and since when no request was complete. */
  private record Seen(long requests, long bytes, long since) {}

  @Override
  public void onOpened(Connection connection) {
    open.put(connection, new Seen(0, 0, System.nanoTime()));
  }

  @Override
  public void onClosed(Connection connection) {
    open.remove(connection);
  }

  @Override
  protected void doStart() {
    long round = patience / ROUNDS;
    rounds =
        clock.scheduleAtFixedRate(
            () -> look(System.nanoTime()), round, round, TimeUnit.NANOSECONDS);
  }

  @Override
  protected void doStop() {
    if (rounds != null) {
      rounds.cancel(true);
    }
    clock.shutdown();
  }

  /** Closes who is too slow at a time. */
  private void look(long now) {
    open.forEach((connection, seen) -> {
      long requests = connection.getMessagesIn();
      long bytes = connection.getBytesIn();
      if (requests != seen.requests() || bytes == seen.bytes()) {
        open.replace(connection, seen, new Seen(requests, bytes, now));
      } else if (now - seen.since() > patience) {
        connection.close();
      }
    });
  }
}
