package dev.rowan.hub;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Feeds a body to a sink, buffer by buffer, and remembers when the last one came. A body of which
 * the sink wants no more is broken off, and its connection with it; but one that is all here ends
 * by itself, so that its connection serves again.
 */
final class Intake implements BodySubscriber<Void> {
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private final Sink sink;
  private final Runnable alive;
  private long left;
  private Flow.@Nullable Subscription subscription;
  private boolean shut;

  /**
   * Makes an intake.
   *
   * @param length how many bytes the body has; −1 if that is not known
   * @param alive called when bytes come
   */
  Intake(Sink sink, long length, Runnable alive) {
    this.sink = sink;
    this.left = length < 0 ? Long.MAX_VALUE : length;
    this.alive = alive;
  }

  @Override
  public CompletionStage<Void> getBody() {
    return done;
  }

  /** Lets nothing more through: what is late must not mix with what is asked for anew. */
  synchronized void shut() {
    shut = true;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    synchronized (this) {
      this.subscription = subscription;
    }
    subscription.request(1);
  }

  @Override
  public synchronized void onNext(List<ByteBuffer> buffers) {
    alive.run();
    Flow.Subscription source = subscription;
    if (source == null || shut || done.isDone()) {
      return;
    }
    try {
      for (ByteBuffer buffer : buffers) {
        left -= buffer.remaining();
        if (!sink.take(buffer) && left > 0) {
          source.cancel();
          done.complete(null);
          return;
        }
      }
      source.request(1);
    } catch (IOException e) {
      source.cancel();
      done.completeExceptionally(new LocalFailure(e));
    } catch (RuntimeException | Error e) {
      source.cancel();
      done.completeExceptionally(e);
    }
  }

  @Override
  public void onError(Throwable failure) {
    done.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    done.complete(null);
  }

  /** What went wrong on this machine while bytes came; asking again does not help. */
  static final class LocalFailure extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final IOException reason;

    LocalFailure(IOException reason) {
      super(reason);
      this.reason = reason;
    }

    IOException reason() {
      return reason;
    }
  }
}
