package dev.rowan.formats.file;

import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A file of which stretches are looked at: mapped into memory, or far away, where each stretch that
 * was not looked at before costs a request.
 */
public interface Stretches {
  /** Returns the file, for messages. */
  Path path();

  /** Returns how many bytes it has. */
  long size();

  /**
   * Returns some of its bytes, read-only.
   *
   * @param from the first byte
   * @param count how many, all of them in the file
   * @throws IndexOutOfBoundsException if they are not
   * @throws UncheckedIOException if they cannot be had
   */
  MemorySegment stretch(long from, long count);

  /**
   * Returns some of its bytes, read-only: at least one, and as many as are here if not all are.
   *
   * @param from the first byte
   * @param most how many at most, all of them in the file
   * @throws IndexOutOfBoundsException if they are not
   * @throws UncheckedIOException if none can be had
   */
  default MemorySegment some(long from, long most) {
    return stretch(from, most);
  }
}
