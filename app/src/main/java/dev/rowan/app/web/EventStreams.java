package dev.rowan.app.web;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;

/**
 * Runs jobs and sends their events (server-sent events, WHATWG HTML section 9.2) while a client
 * listens. A client that leaves ends its job: each second something is written, and where that
 * fails the job's thread is interrupted.
 */
final class EventStreams implements AutoCloseable {
  private static final int MOST_JOBS = 2;
  private static final int MOST_LISTENERS = 64;
  private static final byte[] STILL_HERE = ": still at it\n\n".getBytes(StandardCharsets.UTF_8);

  private final Semaphore jobs = new Semaphore(MOST_JOBS);
  private final Semaphore listeners = new Semaphore(MOST_LISTENERS);
  private final Set<Thread> running = ConcurrentHashMap.newKeySet();

  /** What an event stream ends with when the job failed. */
  record Failed(String message) {}

  /** What an event stream ends with. */
  record Done(boolean done) {}

  /** Events that wait to be sent: a newer one takes the place of an older one of its name. */
  private static final class Mailbox implements Answer.Listener {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Record> waiting = new LinkedHashMap<>();
    private boolean ended;

    @Override
    public void event(String name, Record data) {
      lock.lock();
      try {
        waiting.remove(name);
        waiting.put(name, data);
        changed.signal();
      } finally {
        lock.unlock();
      }
    }

    void end() {
      lock.lock();
      try {
        ended = true;
        changed.signal();
      } finally {
        lock.unlock();
      }
    }

    /** Returns what waits, after a second at most; null at the end. */
    byte @org.jspecify.annotations.Nullable [] next() throws InterruptedException {
      lock.lock();
      try {
        long left = TimeUnit.SECONDS.toNanos(1);
        while (waiting.isEmpty() && !ended && left > 0) {
          left = changed.awaitNanos(left);
        }
        if (waiting.isEmpty()) {
          return ended ? null : STILL_HERE;
        }
        StringBuilder text = new StringBuilder();
        waiting.forEach((name, data) ->
            text.append("event: ")
                .append(name)
                .append("\ndata: ")
                .append(RecordJson.of(data))
                .append("\n\n"));
        waiting.clear();
        return text.toString().getBytes(StandardCharsets.UTF_8);
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Runs a job and sends its events; returns when it has ended.
   *
   * @throws Refusal if too many jobs run already
   * @throws IOException if the client left
   */
  void send(Response response, Answer.Job job) throws IOException {
    if (!jobs.tryAcquire()) {
      throw new Refusal(
          503, "%d jobs are running; wait for one or close its page".formatted(MOST_JOBS));
    }
    Mailbox mailbox = new Mailbox();
    send(
        response,
        mailbox,
        Thread.ofPlatform().daemon().name("rowan-job").unstarted(() -> work(job, mailbox, jobs)));
  }

  /**
   * Sends the events of work that goes on without anybody listening; returns when that has ended.
   *
   * @throws Refusal if too many listen already
   * @throws IOException if the client left
   */
  void sendLive(Response response, Answer.Job job) throws IOException {
    if (!listeners.tryAcquire()) {
      throw new Refusal(503, "%d pages are listening already; close one".formatted(MOST_LISTENERS));
    }
    Mailbox mailbox = new Mailbox();
    send(
        response,
        mailbox,
        Thread.ofVirtual().name("rowan-live").unstarted(() -> work(job, mailbox, listeners)));
  }

  private void send(Response response, Mailbox mailbox, Thread worker) throws IOException {
    running.add(worker);
    try {
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, Endpoint.EVENTS);
      response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
      response.setStatus(200);
      worker.start();
      byte[] next;
      while ((next = mailbox.next()) != null) {
        Content.Sink.write(response, false, ByteBuffer.wrap(next));
      }
      Content.Sink.write(response, true, ByteBuffer.allocate(0));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server is stopping", e);
    } finally {
      worker.interrupt();
      running.remove(worker);
    }
  }

  private static void work(Answer.Job job, Mailbox mailbox, Semaphore places) {
    try {
      job.run(mailbox);
      mailbox.event("done", new Done(true));
    } catch (IOException | RuntimeException e) {
      mailbox.event("failed", new Failed(HttpFailures.message(e)));
    } finally {
      places.release(); // not before its work has ended
      mailbox.end();
    }
  }

  /** Interrupts every job. */
  @Override
  public void close() {
    running.forEach(Thread::interrupt);
  }
}
