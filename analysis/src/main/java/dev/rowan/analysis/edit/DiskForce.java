package dev.rowan.analysis.edit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Forces written files to disk on a thread of its own, while the next ones are written and all are
 * compared: neither waits for the disk then.
 */
final class DiskForce implements AutoCloseable {
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("rowan-disk").factory());
  private final List<Future<?>> files = new ArrayList<>();

  /** Takes a file whose bytes are all written. */
  void add(Path file) {
    files.add(
        thread.submit(() -> {
          try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
          }
          return null;
        }));
  }

  /**
   * Waits until every file is on the disk.
   *
   * @throws IOException if one could not be forced
   * @throws CancellationException if the thread is interrupted
   */
  void await() throws IOException {
    try {
      for (Future<?> file : files) {
        file.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException("a file could not be forced to disk", e.getCause());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while writing");
    }
  }

  /** Gives up what still waits. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
