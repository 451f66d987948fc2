package dev.rowan.hub;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A lock that holds among threads and among processes, for one file of the cache at a time. The
 * system frees the locks of a process that dies.
 */
final class Locks implements AutoCloseable {
  /** File locks belong to a whole JVM, so threads need a lock of their own in front. */
  private static final ConcurrentHashMap<Path, ReentrantLock> THREADS = new ConcurrentHashMap<>();

  private static final long LOOK_MILLIS = 100;

  private final ReentrantLock threads;
  private final FileChannel channel;
  private final FileLock lock;

  private Locks(ReentrantLock threads, FileChannel channel, FileLock lock) {
    this.threads = threads;
    this.channel = channel;
    this.lock = lock;
  }

  /**
   * Waits for a lock.
   *
   * @param file the lock's own file; made if it is not there
   * @param waiting called once if the lock is not free
   */
  static Locks take(Path file, Runnable waiting) throws IOException {
    ReentrantLock threads = threads(file);
    FileChannel channel = null;
    try {
      if (!threads.tryLock()) {
        waiting.run();
        threads.lockInterruptibly();
      }
      boolean taken = false;
      try {
        channel = open(file);
        FileLock lock = channel.tryLock();
        if (lock == null) {
          waiting.run();
        }
        while (lock == null) {
          TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
          lock = channel.tryLock();
        }
        taken = true;
        return new Locks(threads, channel, lock);
      } finally {
        if (!taken) {
          close(channel);
          threads.unlock();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Transport.cancelled(e);
    }
  }

  /** Takes a lock if it is free. */
  static Optional<Locks> tryTake(Path file) throws IOException {
    ReentrantLock threads = threads(file);
    if (!threads.tryLock()) {
      return Optional.empty();
    }
    FileChannel channel = null;
    boolean taken = false;
    try {
      channel = open(file);
      FileLock lock = channel.tryLock();
      taken = lock != null;
      return lock == null ? Optional.empty() : Optional.of(new Locks(threads, channel, lock));
    } finally {
      if (!taken) {
        close(channel);
        threads.unlock();
      }
    }
  }

  private static ReentrantLock threads(Path file) {
    return THREADS.computeIfAbsent(file.toAbsolutePath().normalize(), _ -> new ReentrantLock());
  }

  private static FileChannel open(Path file) throws IOException {
    Files.createDirectories(Kept.parent(file));
    return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private static void close(@Nullable FileChannel channel) throws IOException {
    if (channel != null) {
      channel.close();
    }
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      lock.release();
    } finally {
      threads.unlock();
    }
  }
}
