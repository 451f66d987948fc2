package dev.rowan.formats.write;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The settings of a GGUF file while they are gathered: text key, u32 type, value. */
final class GgufKeys {
  private static final int U8 = 0;
  private static final int U32 = 4;
  private static final int I32 = 5;
  private static final int F32 = 6;
  private static final int BOOL = 7;
  private static final int TEXT = 8;
  private static final int ARRAY = 9;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private long count;

  long count() {
    return count;
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }

  void text(String key, String value) {
    key(key, TEXT);
    text(bytes, utf8(value));
  }

  void number(String key, long value) {
    key(key, U32);
    little(bytes, value, 4);
  }

  void truth(String key, boolean value) {
    key(key, BOOL);
    bytes.write(value ? 1 : 0);
  }

  void octets(String key, byte[] values) {
    array(key, U8, values.length);
    bytes.writeBytes(values);
  }

  /** Gives items of an array, by place. */
  interface Texts {
    byte[] at(int place);
  }

  /** Gives items of an array, by place. */
  interface Numbers {
    int at(int place);
  }

  void texts(String key, int length, Texts texts) {
    array(key, TEXT, length);
    for (int i = 0; i < length; i++) {
      text(bytes, texts.at(i));
    }
  }

  void numbers(String key, int length, Numbers numbers) {
    array(key, I32, length);
    for (int i = 0; i < length; i++) {
      little(bytes, numbers.at(i), 4);
    }
  }

  /** An array of f32, given by their bits. */
  void floats(String key, int length, Numbers bits) {
    array(key, F32, length);
    for (int i = 0; i < length; i++) {
      little(bytes, bits.at(i), 4);
    }
  }

  private void array(String key, int type, int length) {
    key(key, ARRAY);
    little(bytes, type, 4);
    little(bytes, length, 8);
  }

  private void key(String key, int type) {
    text(bytes, utf8(key));
    little(bytes, type, 4);
    count++;
  }

  static void text(ByteArrayOutputStream out, byte[] text) {
    little(out, text.length, 8);
    out.writeBytes(text);
  }

  static void little(ByteArrayOutputStream out, long value, int bytes) {
    byte[] all = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    out.write(all, 0, bytes);
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
