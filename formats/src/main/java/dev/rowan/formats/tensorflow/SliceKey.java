package dev.rowan.formats.tensorflow;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The keys under which the parts of a partitioned variable stand (tensorflow/tensorflow,
 * saved_tensor_slice_util.cc and ordered_code.cc): made so that they sort as the parts do.
 *
 * <pre>
 *   key      number 0  text name  number rank  { signed start  signed length } for each dimension
 *   number   u8 how many bytes follow, most significant first, without leading zeros
 *   text     the bytes, 00 as 00 FF and FF as FF 00; then 00 01
 *   signed   big-endian with its sign, in 1 to 10 bytes; the length in the leading bits, as UTF-8 has it
 * </pre>
 */
final class SliceKey {
  private final ByteArrayOutputStream key = new ByteArrayOutputStream();

  private SliceKey() {}

  /** Where a part lies along one dimension; length −1 for all of it. */
  record Extent(long start, long length) {}

  static byte[] of(String name, List<Extent> extents) {
    SliceKey key = new SliceKey();
    key.number(0);
    key.text(name);
    key.number(extents.size());
    for (Extent extent : extents) {
      key.signed(extent.start());
      key.signed(extent.length());
    }
    return key.key.toByteArray();
  }

  private void number(long value) {
    int bytes = (Long.SIZE - Long.numberOfLeadingZeros(value) + 7) / 8;
    key.write(bytes);
    for (int i = bytes - 1; i >= 0; i--) {
      key.write((int) (value >>> (8 * i)));
    }
  }

  private void text(String text) {
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      key.write(b);
      if (b == 0) {
        key.write(0xFF);
      } else if (b == (byte) 0xFF) {
        key.write(0);
      }
    }
    key.write(0);
    key.write(1);
  }

  private void signed(long value) {
    long magnitude = value < 0 ? ~value : value;
    int length = (Long.SIZE - Long.numberOfLeadingZeros(magnitude)) / 7 + 1;
    byte[] bytes = new byte[10];
    for (int i = 0; i < 10; i++) {
      bytes[9 - i] = (byte) (i < 8 ? value >> (8 * i) : value >> 63);
    }
    // as many ones as there are bytes, from the highest bit on
    int first = 10 - length;
    bytes[first] ^= (byte) (length >= 8 ? 0xFF : 0xFF << (8 - length));
    if (length > 8) {
      bytes[first + 1] ^= (byte) (length == 9 ? 0x80 : 0xC0);
    }
    key.write(bytes, first, length);
  }
}
