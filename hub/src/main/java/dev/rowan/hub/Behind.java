package dev.rowan.hub;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Drops the first bytes and passes on those behind them. */
final class Behind implements Sink {
  private final Sink sink;
  private long ahead;

  Behind(Sink sink, long ahead) {
    this.sink = sink;
    this.ahead = ahead;
  }

  @Override
  public boolean take(ByteBuffer buffer) throws IOException {
    int dropped = (int) Math.min(ahead, buffer.remaining());
    buffer.position(buffer.position() + dropped);
    ahead -= dropped;
    return !buffer.hasRemaining() || sink.take(buffer);
  }
}
