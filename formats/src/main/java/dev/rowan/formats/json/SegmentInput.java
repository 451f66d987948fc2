package dev.rowan.formats.json;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** A stream over a memory segment of any size. Not for several threads at once. */
final class SegmentInput extends InputStream {
  private final MemorySegment bytes;
  private long position;

  SegmentInput(MemorySegment bytes) {
    this.bytes = bytes;
  }

  @Override
  public int read() {
    return position == bytes.byteSize() ? -1 : bytes.get(JAVA_BYTE, position++) & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    int count = (int) Math.min(length, bytes.byteSize() - position);
    if (count == 0) {
      return -1;
    }
    MemorySegment.copy(bytes, JAVA_BYTE, position, target, offset, count);
    position += count;
    return count;
  }
}
