package dev.rowan.formats.safetensors;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Puts safetensors files together by hand, right or wrong ones. */
public final class RawSafetensors {
  private RawSafetensors() {}

  /** Returns a file with this header and this data. */
  public static byte[] bytes(String header, byte... data) {
    byte[] json = header.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(8 + json.length + data.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(json.length)
        .put(json)
        .put(data)
        .array();
  }

  /** Writes a file with this header and this data. */
  public static Path write(Path file, String header, byte... data) throws IOException {
    return Files.write(file, bytes(header, data));
  }

  /** Returns little-endian float32. */
  public static byte[] floats(float... values) {
    ByteBuffer buffer = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      buffer.putFloat(value);
    }
    return buffer.array();
  }

  /** Returns little-endian 16-bit patterns. */
  public static byte[] shorts(int... values) {
    ByteBuffer buffer = ByteBuffer.allocate(2 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int value : values) {
      buffer.putShort((short) value);
    }
    return buffer.array();
  }

  /** Returns one entry of a header. */
  public static String entry(String name, String dtype, String shape, long begin, long end) {
    return "\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%d,%d]}"
        .formatted(name, dtype, shape, begin, end);
  }
}
