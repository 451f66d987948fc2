package dev.rowan.hub;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/** Passes on a number of bytes, and none behind them. */
final class Exactly implements Sink {
  private final Sink sink;
  private final long count;
  private final LongConsumer reached;
  private long left;

  Exactly(Sink sink, long count, LongConsumer reached) {
    this.sink = sink;
    this.count = count;
    this.reached = reached;
    this.left = count;
  }

  synchronized long left() {
    return left;
  }

  @Override
  public synchronized boolean take(ByteBuffer buffer) throws IOException {
    if (buffer.remaining() > left) {
      buffer.limit(buffer.position() + (int) left);
    }
    int size = buffer.remaining();
    sink.take(buffer);
    left -= size;
    reached.accept(count - left);
    return left > 0;
  }
}
