package dev.rowan.formats.file;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Bytes that are in memory, or mapped.
 *
 * @param path the file they come from, for messages
 */
public record HeldBytes(Path path, MemorySegment bytes) implements Stretches {
  @Override
  public long size() {
    return bytes.byteSize();
  }

  @Override
  public MemorySegment stretch(long from, long count) {
    return bytes.asSlice(from, count).asReadOnly();
  }
}
