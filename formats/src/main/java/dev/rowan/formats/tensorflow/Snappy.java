package dev.rowan.formats.tensorflow;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.file.FormatException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Undoes Snappy compression (google/snappy, format_description.txt).
 *
 * <pre>
 *   varint length of the result, then elements by the lowest two bits of their first byte t:
 *     0  literal: t &gt;&gt; 2 + 1 bytes follow; from 60 on, the length − 1 is in the next 1 to 4 bytes
 *     1  copy of 4 + (t &gt;&gt; 2 &amp; 7) bytes from ((t &gt;&gt; 5) &lt;&lt; 8 | next byte) back
 *     2  copy of 1 + (t &gt;&gt; 2) bytes from as far back as the next 2 bytes say
 *     3  as 2, with 4 bytes
 * </pre>
 */
final class Snappy {
  /** No element makes more of its bytes: 64 from 3. */
  private static final long LARGEST_RATIO = 32;

  private final Path path;
  private final long at;
  private final byte[] in;
  private int position;

  private Snappy(Path path, long at, byte[] in) {
    this.path = path;
    this.at = at;
    this.in = in;
  }

  /**
   * Returns what was compressed.
   *
   * @param at where the compressed bytes start in the file, for messages
   * @throws FormatException if they are not Snappy's, or claim a length they cannot make
   */
  static byte[] decompress(Path path, long at, MemorySegment compressed) {
    if (compressed.byteSize() > Integer.MAX_VALUE / LARGEST_RATIO) {
      throw new FormatException(path, at, "a compressed block is larger than 64 MiB");
    }
    return new Snappy(path, at, compressed.toArray(JAVA_BYTE)).run();
  }

  private byte[] run() {
    long length = 0;
    for (int shift = 0; ; shift += 7) {
      int b = next();
      length |= (long) (b & 0x7F) << shift;
      if (b < 0x80) {
        break;
      }
      if (shift >= 28) {
        throw wrong("its length is longer than 5 bytes");
      }
    }
    if (length > LARGEST_RATIO * in.length) {
      throw wrong("%,d bytes cannot make %,d".formatted(in.length, length));
    }
    byte[] out = new byte[(int) length];
    int to = 0;
    while (position < in.length) {
      int tag = next();
      to = (tag & 3) == 0 ? literal(tag, out, to) : copy(tag, out, to);
    }
    if (to != out.length) {
      throw wrong("it makes %,d bytes, not %,d".formatted(to, out.length));
    }
    return out;
  }

  private int literal(int tag, byte[] out, int to) {
    long length = tag >> 2;
    if (length >= 60) {
      length = little((int) length - 59);
    }
    length++;
    if (length > in.length - position || length > out.length - to) {
      throw wrong("a literal of %,d bytes does not fit".formatted(length));
    }
    System.arraycopy(in, position, out, to, (int) length);
    position += (int) length;
    return to + (int) length;
  }

  private int copy(int tag, byte[] out, int to) {
    int length;
    long back;
    if ((tag & 3) == 1) {
      length = 4 + ((tag >> 2) & 7);
      back = ((long) (tag >> 5) << 8) | next();
    } else {
      length = 1 + (tag >> 2);
      back = little((tag & 3) == 2 ? 2 : 4);
    }
    if (back < 1 || back > to || length > out.length - to) {
      throw wrong("a copy of %d bytes from %,d back does not fit".formatted(length, back));
    }
    for (int i = 0; i < length; i++) { // it may overlap what it makes
      out[to + i] = out[to + i - (int) back];
    }
    return to + length;
  }

  private long little(int bytes) {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= (long) next() << (8 * i);
    }
    return value;
  }

  private int next() {
    if (position == in.length) {
      throw wrong("it is cut off");
    }
    return in[position++] & 0xFF;
  }

  private FormatException wrong(String what) {
    return new FormatException(path, at, "a compressed block is damaged: " + what);
  }
}
