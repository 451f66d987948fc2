package dev.rowan.formats.write;

import dev.rowan.formats.file.NewFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Gathers small pieces before they go to a file. Integers are little-endian. */
final class Sink {
  private final NewFile file;
  private final byte[] buffer = new byte[1 << 16];
  private int count;

  /** Writes pieces through a sink, all of which are in the file afterwards. */
  interface Content {
    void writeTo(Sink out) throws IOException;
  }

  private Sink(NewFile file) {
    this.file = file;
  }

  static void over(NewFile file, Content content) throws IOException {
    Sink sink = new Sink(file);
    content.writeTo(sink);
    sink.flush();
  }

  void put(int oneByte) throws IOException {
    if (count == buffer.length) {
      flush();
    }
    buffer[count++] = (byte) oneByte;
  }

  void put(byte[] bytes) throws IOException {
    for (byte b : bytes) {
      put(b);
    }
  }

  /** Puts text as UTF-8. */
  void put(String text) throws IOException {
    put(text.getBytes(StandardCharsets.UTF_8));
  }

  void putInt(int value) throws IOException {
    putLittle(value, 4);
  }

  void putLong(long value) throws IOException {
    putLittle(value, 8);
  }

  void putLittle(long value, int bytes) throws IOException {
    for (int i = 0; i < bytes; i++) {
      put((int) (value >>> (8 * i)));
    }
  }

  private void flush() throws IOException {
    file.append(MemorySegment.ofArray(buffer).asSlice(0, count));
    count = 0;
  }
}
