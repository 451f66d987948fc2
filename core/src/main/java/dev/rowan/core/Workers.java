package dev.rowan.core;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of threads for computing. Answers never depend on how many there are.
 *
 * <p>Safe for any number of calling threads. {@link #close} ends the threads.
 */
public final class Workers implements AutoCloseable {
  /**
   * How long a thread with nothing to do looks for more before it sleeps: waking it costs some 50
   * µs, as much as a small job. A single processor has none to spare for looking.
   */
  private static final long LOOKING_NANOS =
      Runtime.getRuntime().availableProcessors() > 1 ? 100_000 : 0;

  private final int threads;
  private final ExecutorService pool;

  private Workers(int threads) {
    this.threads = threads;
    this.pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            0,
            TimeUnit.SECONDS,
            new LookingQueue(),
            Thread.ofPlatform().daemon().name("rowan-worker-", 0).factory());
  }

  /**
   * Returns workers with a number of threads, 1 or more.
   *
   * @throws IllegalArgumentException if {@code threads} is below 1
   */
  public static Workers of(int threads) {
    OutOfRange.atLeast("threads", threads, 1);
    return new Workers(threads);
  }

  /** Returns one thread for each processor that the JVM may use. */
  public static Workers perProcessor() {
    return of(Runtime.getRuntime().availableProcessors());
  }

  /** Returns how many threads compute for one caller. */
  public int threads() {
    return threads;
  }

  /** One thread's share of a job: it is called with chunk numbers, each exactly once over all. */
  public interface Share {
    /** Does one chunk. */
    void run(long chunk);
  }

  /** Makes a share for each thread that takes part, so that scratch memory is not shared. */
  public interface Shares {
    /** Returns a new share. */
    Share start();
  }

  /**
   * Does chunks 0 … {@code chunks}−1, handed out as threads become free, and returns when all are
   * done. The calling thread works too, so that one thread alone hands nothing over, and a job
   * behind other callers' is done all the same. A virtual thread only waits: others need its
   * carrier.
   *
   * @throws CancellationException if the calling thread is interrupted; its interrupt flag stays
   *     set, and no chunk is still running on return
   */
  public void run(long chunks, Shares shares) {
    if (Thread.currentThread().isInterrupted()) {
      throw new CancellationException("interrupted before the work began");
    }
    if (chunks <= 0) {
      return;
    }
    boolean works = !Thread.currentThread().isVirtual();
    int parts = (int) Math.min(threads, chunks);
    Job job = new Job(chunks, shares);
    for (int i = works ? 1 : 0; i < parts; i++) {
      pool.execute(job);
    }
    if (works) {
      job.run();
    }
    job.await();
  }

  /** Ends the threads; work already given to {@link #run} is finished first. */
  @Override
  public void close() {
    pool.close();
  }

  /** A queue whose taker looks for a while before it sleeps. */
  @SuppressWarnings("serial") // never written
  private static final class LookingQueue extends LinkedBlockingQueue<Runnable> {
    @Override
    public Runnable take() throws InterruptedException {
      long start = System.nanoTime();
      do {
        Runnable job = poll();
        if (job != null) {
          return job;
        }
        Thread.onSpinWait();
      } while (System.nanoTime() - start < LOOKING_NANOS);
      return super.take();
    }
  }

  /** One call of {@link #run}; each thread that takes part runs it once. */
  private static final class Job implements Runnable {
    /** Set in {@link #state} once no further thread may join; the rest of it counts who is in. */
    private static final int CLOSED = 1 << 30;

    private final long chunks;
    private final Shares shares;
    private final Thread caller = Thread.currentThread();
    private final AtomicLong next = new AtomicLong();
    private final AtomicInteger state = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean stop;

    Job(long chunks, Shares shares) {
      this.chunks = chunks;
      this.shares = shares;
    }

    @Override
    public void run() {
      if (state.updateAndGet(s -> s >= CLOSED ? s : s + 1) >= CLOSED) {
        return; // all was done before this thread came
      }
      boolean calling = Thread.currentThread() == caller;
      try {
        Share share = shares.start();
        long chunk;
        while (!stop
            && !(calling && caller.isInterrupted())
            && (chunk = next.getAndIncrement()) < chunks) {
          share.run(chunk);
        }
      } catch (Throwable e) { // handed to the caller, whichever it is
        failure.compareAndSet(null, e);
        stop = true;
      }
      // whoever ends first has seen the last chunk taken, a failure or an interruption
      state.updateAndGet(s -> (s - 1) | CLOSED);
      if (!calling) {
        LockSupport.unpark(caller);
      }
    }

    /** Waits until nobody works on it, and throws what went wrong. */
    void await() {
      boolean interrupted = false;
      long start = System.nanoTime();
      while (state.get() != CLOSED) {
        if (Thread.interrupted()) {
          interrupted = true;
          stop = true; // and wait on: a chunk is short, and its memory must not go away under it
        }
        if (System.nanoTime() - start < LOOKING_NANOS && !caller.isVirtual()) {
          Thread.onSpinWait();
        } else {
          LockSupport.park(this);
        }
      }
      if (interrupted || Thread.interrupted()) {
        caller.interrupt();
        throw new CancellationException("interrupted while computing");
      }
      switch (failure.get()) {
        case null -> {}
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case Throwable e -> throw new IllegalStateException("a worker failed", e);
      }
    }
  }
}
