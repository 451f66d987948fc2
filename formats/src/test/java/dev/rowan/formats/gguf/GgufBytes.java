package dev.rowan.formats.gguf;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Writes GGUF files byte by byte, right or wrong ones. */
final class GgufBytes {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteOrder order;

  GgufBytes(ByteOrder order) {
    this.order = order;
  }

  /** Returns a little-endian file of version 3 up to its keys. */
  static GgufBytes header(long tensors, long keys) {
    return new GgufBytes(ByteOrder.LITTLE_ENDIAN).magic().u32(3).i64(tensors).i64(keys);
  }

  GgufBytes magic() {
    return raw("GGUF".getBytes(StandardCharsets.US_ASCII));
  }

  GgufBytes raw(byte... bytes) {
    out.writeBytes(bytes);
    return this;
  }

  GgufBytes u32(long value) {
    return raw(ByteBuffer.allocate(4).order(order).putInt((int) value).array());
  }

  GgufBytes i64(long value) {
    return raw(ByteBuffer.allocate(8).order(order).putLong(value).array());
  }

  GgufBytes f32(double value) {
    return u32(Float.floatToRawIntBits((float) value));
  }

  GgufBytes text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return i64(bytes.length).raw(bytes);
  }

  GgufBytes key(String key, int type) {
    return text(key).u32(type);
  }

  GgufBytes textKey(String key, String value) {
    return key(key, 8).text(value);
  }

  GgufBytes textsKey(String key, String... values) {
    key(key, 9).u32(8).i64(values.length);
    for (String value : values) {
      text(value);
    }
    return this;
  }

  /** A tensor's entry; dimensions fastest first. */
  GgufBytes tensor(String name, int type, long offset, long... dimensions) {
    text(name).u32(dimensions.length);
    for (long dimension : dimensions) {
      i64(dimension);
    }
    return u32(type).i64(offset);
  }

  GgufBytes align(int alignment) {
    while (out.size() % alignment != 0) {
      out.write(0);
    }
    return this;
  }

  GgufBytes also(Consumer<GgufBytes> more) {
    more.accept(this);
    return this;
  }

  byte[] bytes() {
    return out.toByteArray();
  }
}
