package dev.rowan.formats.zip;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * What makes an archive of some entries of another.
 *
 * @param spans the bytes of the other archive that come first, in order: each entry with its local
 *     header
 * @param directory the bytes that follow them, read-only
 */
public record ZipPart(List<Span> spans, MemorySegment directory) {
  /**
   * Some bytes.
   *
   * @param from the first
   * @param to behind the last
   */
  public record Span(long from, long to) {}

  /** Copies the list. */
  public ZipPart {
    spans = List.copyOf(spans);
  }
}
