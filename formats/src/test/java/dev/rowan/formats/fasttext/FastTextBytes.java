package dev.rowan.formats.fasttext;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Writes fastText models field by field, for tests. */
final class FastTextBytes {
  static final int MAGIC = 793712314;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  FastTextBytes ints(int... values) {
    for (int value : values) {
      out.writeBytes(little(4).putInt(value).array());
    }
    return this;
  }

  FastTextBytes longs(long... values) {
    for (long value : values) {
      out.writeBytes(little(8).putLong(value).array());
    }
    return this;
  }

  FastTextBytes doubles(double value) {
    out.writeBytes(little(8).putDouble(value).array());
    return this;
  }

  FastTextBytes floats(float... values) {
    for (float value : values) {
      out.writeBytes(little(4).putFloat(value).array());
    }
    return this;
  }

  FastTextBytes bytes(int... values) {
    for (int value : values) {
      out.write(value);
    }
    return this;
  }

  /** A dictionary entry: 0 for a word, 1 for a label. */
  FastTextBytes entry(String text, int type) {
    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    return bytes(0).longs(1).bytes(type);
  }

  byte[] toBytes() {
    return out.toByteArray();
  }

  private static ByteBuffer little(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
