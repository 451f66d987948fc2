package dev.rowan.hub;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.Stretches;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A remote file of which a few small stretches are looked at. Each is kept in the cache like any
 * other excerpt, so that the next look needs no network. Not for several threads at once.
 */
final class Glimpses implements Stretches {
  static final String SUFFIX = ".glimpse";

  /** Fetched at least: what is looked at next often follows. */
  private static final int LEAST = 4 << 10;

  /** Fetched at most for a look that needs less. */
  private static final int MOST = 1 << 20;

  private final Fetcher fetcher;
  private final Entry file;
  private final Path path;
  private final long size;
  private final long limit;
  private final TreeMap<Long, MemorySegment> seen = new TreeMap<>();
  private long ahead = LEAST;
  private long fetched;

  /**
   * Looks at the start of a file, from the cache if it is there.
   *
   * @param limit the most bytes to look at
   */
  Glimpses(Fetcher fetcher, Entry file, long limit) throws IOException {
    this.fetcher = fetcher.quietly();
    this.file = file;
    this.path = Path.of(file.name());
    this.size = file.size().orElseThrow();
    this.limit = limit;
    Path head =
        fetcher.obtain(
            file, Heads.HEAD, (source, part) -> Files.write(part, Heads.first(source, size)));
    seen.put(0L, bytes(head));
  }

  /** Returns the first bytes, as many as one request brings. */
  MemorySegment head() {
    return seen.firstEntry().getValue();
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public MemorySegment stretch(long from, long count) {
    Objects.checkFromIndexSize(from, count, size);
    if (count == 0) {
      return MemorySegment.NULL.asReadOnly();
    }
    Map.Entry<Long, MemorySegment> before = seen.floorEntry(from);
    if (before != null && from + count <= end(before)) {
      return before.getValue().asSlice(from - before.getKey(), count);
    }
    // what follows is often here already: the directory of an archive lies in front of its end
    Map.Entry<Long, MemorySegment> after = seen.floorEntry(from + count);
    boolean joins = after != null && after.getKey() > from && end(after) >= from + count;
    boolean goesOn = count <= LEAST && before != null && from <= end(before);
    // who reads on and on is given twice as much each time
    ahead = goesOn ? Math.min(2 * ahead, MOST) : LEAST;
    long to = joins ? after.getKey() : Math.min(size, from + Math.max(count, ahead));
    MemorySegment bytes = fetch(from, to);
    if (joins) {
      MemorySegment all = MemorySegment.ofArray(new byte[Math.toIntExact(end(after) - from)]);
      all.copyFrom(bytes);
      MemorySegment.copy(after.getValue(), 0, all, to - from, after.getValue().byteSize());
      bytes = all.asReadOnly();
    }
    seen.put(from, bytes);
    return bytes.asSlice(0, count);
  }

  private static long end(Map.Entry<Long, MemorySegment> piece) {
    return piece.getKey() + piece.getValue().byteSize();
  }

  private MemorySegment fetch(long from, long to) {
    fetched += to - from;
    if (fetched > limit) {
      throw new FormatException(
          path,
          from,
          "what describes the tensors is above the limit of %,d bytes; raise the limit (ROWAN_HEADER_LIMIT) if you trust this file"
              .formatted(limit));
    }
    try {
      return bytes(fetcher.glimpse(file, from, to, SUFFIX));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Mapped, not read: a model may have hundreds of files. */
  private static MemorySegment bytes(Path kept) throws IOException {
    try (FileChannel channel = FileChannel.open(kept, StandardOpenOption.READ)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
    }
  }
}
