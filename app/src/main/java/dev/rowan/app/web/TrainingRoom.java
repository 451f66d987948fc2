package dev.rowan.app.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The one training that may run at a time. Its results stay in the folder for them, or in a
 * temporary one that goes when the server ends.
 *
 * <p>Safe for any number of threads.
 */
final class TrainingRoom implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final TrainingPlaces places;
  private final ServedModels models;
  private @Nullable TrainingRun run;
  private @Nullable Path temporary;
  private long runs;
  private boolean closed;

  TrainingRoom(TrainingPlaces places, ServedModels models) {
    this.places = places;
    this.models = models;
  }

  TrainingPlaces places() {
    return places;
  }

  /** Returns the latest run. */
  synchronized Optional<TrainingRun> latest() {
    return Optional.ofNullable(run);
  }

  /**
   * Returns a run.
   *
   * @throws Refusal if that is not the latest
   */
  synchronized TrainingRun run(long number) {
    TrainingRun latest = run;
    if (latest == null || latest.number() != number) {
      throw new Refusal(404, "there is no run %d any more".formatted(number));
    }
    return latest;
  }

  /**
   * Begins a training. The checkpoint of one that was stopped is deleted.
   *
   * @throws Refusal if one is running
   */
  synchronized TrainingRun start(TrainingPlan plan) throws IOException {
    refuseIfBusy();
    if (run != null) {
      run.checkpoint().delete();
    }
    return begin(new TrainingRun(++runs, plan, free(plan.slug()), threads()));
  }

  /**
   * Goes on with the training that was stopped.
   *
   * @throws Refusal if there is none, or one is running
   */
  synchronized TrainingRun resume() throws IOException {
    refuseIfBusy();
    TrainingRun stopped = run;
    if (stopped == null || !stopped.checkpoint().isThere()) {
      throw new Refusal(409, "there is no stopped training to go on with; start one");
    }
    return begin(new TrainingRun(++runs, stopped, threads()));
  }

  private void refuseIfBusy() {
    if (closed) {
      throw new Refusal(503, "the server is stopping");
    }
    if (run != null && !run.now().state().isOver()) {
      throw new Refusal(409, "a training is running; wait for it or stop it");
    }
  }

  private int threads() throws IOException {
    return models.model(Optional.empty()).workers().threads();
  }

  private TrainingRun begin(TrainingRun next) {
    run = next;
    next.start();
    return next;
  }

  private Path free(String slug) throws IOException {
    Path folder = folder();
    for (int n = 1; ; n++) {
      Path file = folder.resolve("%s-%d.safetensors".formatted(slug, n));
      Path checkpoint = folder.resolve(file.getFileName() + ".checkpoint");
      if (!Files.exists(file) && !Files.exists(checkpoint)) {
        return file;
      }
    }
  }

  private Path folder() throws IOException {
    if (places.save().isPresent()) {
      return places.save().get();
    }
    Path made = temporary;
    if (made == null) {
      made = Files.createTempDirectory("rowan-trained");
      temporary = made;
    }
    return made;
  }

  /** Stops a training with a checkpoint, waits for that, and deletes the temporary folder. */
  @Override
  public void close() {
    TrainingRun latest;
    synchronized (this) {
      closed = true;
      latest = run;
    }
    if (latest != null) {
      latest.stop();
      try {
        latest.join(PATIENCE);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
    Path made = temporary;
    if (made != null) {
      try (Stream<Path> files = Files.walk(made)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException("the temporary folder could not be deleted", e);
      }
    }
  }
}
