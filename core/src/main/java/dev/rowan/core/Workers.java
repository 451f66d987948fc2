package dev.rowan.core;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A fixed set of threads for computing. Answers never depend on how many there are.
 *
 * <p>Safe for any number of calling threads. {@link #close} ends the threads.
 */
public final class Workers implements AutoCloseable {
  private final int threads;
  private final ExecutorService pool;

  private Workers(int threads) {
    this.threads = threads;
    this.pool =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name("rowan-worker-", 0).factory());
  }

  /**
   * Returns workers with a number of threads, 1 or more.
   *
   * @throws IllegalArgumentException if {@code threads} is below 1
   */
  public static Workers of(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads is " + threads + "; 1 is the least");
    }
    return new Workers(threads);
  }

  /** Returns one thread for each processor that the JVM may use. */
  public static Workers perProcessor() {
    return of(Runtime.getRuntime().availableProcessors());
  }

  /** Returns how many threads compute. */
  public int threads() {
    return threads;
  }

  /** One worker's share of a job: it is called with chunk numbers, each exactly once over all. */
  public interface Share {
    /** Does one chunk. */
    void run(long chunk);
  }

  /** Makes a share for each worker that takes part, so that scratch memory is not shared. */
  public interface Shares {
    /** Returns a new share. */
    Share start();
  }

  /**
   * Does chunks 0 … {@code chunks}−1, handed out as workers become free, and returns when all are
   * done.
   *
   * @throws CancellationException if the calling thread is interrupted; its interrupt flag stays
   *     set, and no chunk is still running on return
   */
  public void run(long chunks, Shares shares) {
    if (Thread.currentThread().isInterrupted()) {
      throw new CancellationException("interrupted before the work began");
    }
    int parts = (int) Math.min(threads, chunks);
    AtomicLong next = new AtomicLong();
    AtomicBoolean stop = new AtomicBoolean();
    Runnable part =
        () -> {
          Share share = shares.start();
          long chunk;
          while (!stop.get() && (chunk = next.getAndIncrement()) < chunks) {
            share.run(chunk);
          }
        };
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      running.add(pool.submit(part));
    }
    boolean interrupted = false;
    Throwable failure = null;
    for (Future<?> future : running) {
      boolean done = false;
      while (!done) {
        try {
          future.get();
          done = true;
        } catch (InterruptedException e) {
          interrupted = true;
          stop.set(true); // and wait on: a chunk is short, and its memory must not go away under it
        } catch (ExecutionException e) {
          stop.set(true);
          failure = e.getCause();
          done = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while computing");
    }
    switch (failure) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException("a worker failed", failure);
    }
  }

  /** Ends the threads; work already given to {@link #run} is finished first. */
  @Override
  public void close() {
    pool.close();
  }
}
