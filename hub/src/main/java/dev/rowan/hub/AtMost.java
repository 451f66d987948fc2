package dev.rowan.hub;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Passes bytes on up to a limit, and stops at the first behind it. */
final class AtMost implements Sink {
  private final Sink sink;
  private final long limit;
  private long taken;
  private boolean over;

  AtMost(Sink sink, long limit) {
    this.sink = sink;
    this.limit = limit;
  }

  synchronized long taken() {
    return taken;
  }

  synchronized boolean isOver() {
    return over;
  }

  @Override
  public synchronized boolean take(ByteBuffer buffer) throws IOException {
    int size = buffer.remaining();
    if (size > limit - taken) {
      over = true;
      return false;
    }
    sink.take(buffer);
    taken += size;
    return true;
  }
}
