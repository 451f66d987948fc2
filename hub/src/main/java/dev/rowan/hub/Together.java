package dev.rowan.hub;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Runs tasks that wait for servers side by side; the first failure stops the others. */
final class Together {
  private Together() {}

  /** Something that may take long. */
  interface Task {
    void run() throws IOException;
  }

  /**
   * Runs tasks, each on a thread of its own, and waits for them.
   *
   * @throws java.util.concurrent.CancellationException if this thread is interrupted
   */
  static void run(List<? extends Task> tasks) throws IOException {
    List<Task> waiting = new ArrayList<>(tasks);
    if (waiting.size() <= 1) {
      for (Task task : waiting) {
        task.run();
      }
      return;
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var finished = new ExecutorCompletionService<Boolean>(threads);
      for (Task task : waiting) {
        finished.submit(() -> {
          task.run();
          return true;
        });
      }
      try {
        for (int i = 0; i < waiting.size(); i++) {
          finished.take().get();
        }
      } catch (ExecutionException e) {
        threads.shutdownNow();
        throw rethrown(e);
      } catch (InterruptedException e) {
        threads.shutdownNow();
        Thread.currentThread().interrupt();
        throw Transport.cancelled(e);
      }
    }
  }

  private static IOException rethrown(ExecutionException thrown) {
    return switch (thrown.getCause()) {
      case IOException e -> e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case null, default -> new IOException("a download failed", thrown);
    };
  }
}
