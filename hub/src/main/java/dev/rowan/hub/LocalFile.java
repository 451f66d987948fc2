package dev.rowan.hub;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;

/**
 * A file on this machine.
 *
 * @param path where it is
 */
record LocalFile(Path path) implements ByteSource {
  @Override
  public String name() {
    return path.toString();
  }

  @Override
  public long size() throws IOException {
    return Files.size(path);
  }

  @Override
  public boolean readsParts() {
    return true;
  }

  @Override
  public void read(long from, long to, Sink sink, LongConsumer reached) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(1 << 20, to - from));
      for (long at = from; at < to; ) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), to - at));
        int count = channel.read(buffer, at);
        if (count < 0) {
          throw new EOFException("%s ends before byte %,d".formatted(path, to));
        }
        sink.take(buffer.flip());
        at += count;
        reached.accept(at - from);
      }
    }
  }
}
