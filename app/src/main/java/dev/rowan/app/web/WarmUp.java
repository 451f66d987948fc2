package dev.rowan.app.web;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Asks the first model some questions before any visitor does: norms are computed, classes loaded
 * and the search compiled by the time somebody asks. In the background, a step at a time, and only
 * while no visitor waits for an answer.
 */
final class WarmUp {
  private static final int STEPS = 40; // a search is compiled after a few dozen panels of rows
  private static final long MOST_NANOS = 3_000_000_000L;
  private static final long MOST_BYTES = 1L << 30; // of a table that is read without being asked
  private static final long PAUSE_MILLIS = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Api api;
  private final ServedModels models;
  private final BooleanSupplier idle;
  private final Thread thread =
      Thread.ofPlatform().daemon().name("rowan-warm").unstarted(this::run);

  /**
   * Makes one.
   *
   * @param idle whether no visitor waits
   */
  WarmUp(Api api, ServedModels models, BooleanSupplier idle) {
    this.api = api;
    this.models = models;
    this.idle = idle;
  }

  /** Begins. */
  void start() {
    thread.start();
  }

  /** Ends it, and waits for that, since what it reads is closed next. */
  void stop() {
    thread.interrupt();
    try {
      thread.join(PATIENCE);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until it has ended; returns whether it has. */
  boolean join(Duration most) throws InterruptedException {
    return thread.join(most);
  }

  private void run() {
    long end = System.nanoTime() + MOST_NANOS;
    try {
      ServedModel model = models.model(Optional.empty());
      long rows = model.table().table().rows();
      if (rows < 2 || model.table().table().bytes() > MOST_BYTES) {
        return;
      }
      boolean words = model.lexicon().vocabulary().isPresent();
      List<String> tokens = List.of(words ? model.asked().text(rows / 2) : "#0", "#1");
      ask("info", Map.of());
      for (int step = 0; step < STEPS && System.nanoTime() < end; step++) {
        while (!idle.getAsBoolean() && System.nanoTime() < end) {
          Thread.sleep(PAUSE_MILLIS);
        }
        ask("near", Map.of("token", tokens));
      }
    } catch (InterruptedException | CancellationException _) {
      Thread.currentThread().interrupt(); // the server is stopping
    } catch (IOException | RuntimeException e) {
      // a visitor who asks the same gets told, with what to do
      System.getLogger(WarmUp.class.getName())
          .log(System.Logger.Level.DEBUG, "the warm-up ended early", e);
    }
  }

  private void ask(String name, Map<String, List<String>> given) throws IOException {
    Endpoint endpoint = api.endpoints().get(Api.ROOT + name);
    if (endpoint != null
        && endpoint.handler().answer(Question.of(endpoint.parameters(), given))
            instanceof Answer.Of(Record value)) {
      RecordJson.of(value);
    }
  }
}
