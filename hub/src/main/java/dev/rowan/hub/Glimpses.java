package dev.rowan.hub;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.Stretches;
import dev.rowan.hub.Excerpt.Piece;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A remote file of which a few small stretches are looked at. What is not here is fetched together
 * with what is likely to be looked at next, and kept in the cache like any other excerpt, so that
 * the next look needs no network. Not for several threads at once.
 */
final class Glimpses implements Stretches {
  static final String SUFFIX = ".glimpses";

  /**
   * Fetched at least: what is looked at next often follows, and so many bytes arrive as soon as
   * fewer (RFC 6928: a server sends about 14,600 before it waits for an answer).
   */
  private static final int LEAST = 16 << 10;

  /** Fetched at most for a look that needs less. */
  private static final int MOST = 1 << 20;

  /** How far in front of a guessed place a glimpse starts. */
  private static final int EARLY = 1024;

  private final Fetcher fetcher;
  private final Entry file;
  private final Path path;
  private final long size;
  private final long limit;
  private final TreeMap<Long, MemorySegment> seen = new TreeMap<>();
  private final Foresight foresight = new Foresight();
  private long looked;
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
    for (Path kept : fetcher.store().named(file.known(), name -> name.endsWith(SUFFIX))) {
      MemorySegment bytes = bytes(kept);
      PieceList.read(bytes, size).ifPresent(list -> add(list, bytes));
    }
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
  public MemorySegment some(long from, long most) {
    Objects.checkFromIndexSize(from, most, size);
    Map.Entry<Long, MemorySegment> before = seen.floorEntry(from);
    boolean here = before != null && from < end(before);
    return stretch(from, here ? Math.min(most, end(before) - from) : most);
  }

  @Override
  public MemorySegment stretch(long from, long count) {
    Objects.checkFromIndexSize(from, count, size);
    if (count == 0) {
      return MemorySegment.NULL.asReadOnly();
    }
    // what is this near costs less to read than to ask for what lies behind it
    boolean jumps = from < looked - LEAST || from > looked + LEAST;
    looked = from + count;
    Map.Entry<Long, MemorySegment> before = seen.floorEntry(from);
    if (before != null && from + count <= end(before)) {
      if (jumps) {
        foresight.met(from);
      }
      return before.getValue().asSlice(from - before.getKey(), count);
    }
    long first = before == null ? from : Math.max(from, end(before)); // that is not here
    // who reads on and on is given twice as much each time
    boolean goesOn = !jumps && before != null && from <= end(before) + LEAST;
    long ahead = goesOn ? Math.clamp(2 * before.getValue().byteSize(), LEAST, MOST) : LEAST;
    long to = Math.min(size, Math.max(from + count, first + ahead));
    // what follows is often here already: the directory of an archive lies in front of its end
    Map.Entry<Long, MemorySegment> after = seen.floorEntry(from + count);
    if (after != null && after.getKey() > from && end(after) >= from + count) {
      to = after.getKey();
    }
    if (first < to) {
      List<Piece> pieces = new ArrayList<>(List.of(new Piece(first, to)));
      if (jumps) {
        foresight.missed(from).forEach(place -> guess(place - EARLY, pieces));
      }
      fetch(pieces);
    }
    return together(from, count);
  }

  /** Returns bytes that are all here, perhaps in several pieces. */
  private MemorySegment together(long from, long count) {
    Map.Entry<Long, MemorySegment> piece = seen.floorEntry(from);
    if (end(piece) >= from + count) {
      return piece.getValue().asSlice(from - piece.getKey(), count);
    }
    MemorySegment all = MemorySegment.ofArray(new byte[Math.toIntExact(count)]);
    for (long at = from; at < from + count; at = end(piece)) {
      piece = seen.floorEntry(at);
      long some = Math.min(end(piece), from + count) - at;
      MemorySegment.copy(piece.getValue(), at - piece.getKey(), all, at - from, some);
    }
    return all.asReadOnly();
  }

  /** Adds a piece that may be looked at soon, if it lies behind the others and is not here. */
  private void guess(long from, List<Piece> pieces) {
    long to = Math.min(size, from + LEAST);
    Map.Entry<Long, MemorySegment> before = seen.lowerEntry(to);
    boolean here = before != null && end(before) > from;
    if (from >= pieces.getLast().to() && from < to && !here) {
      pieces.add(new Piece(from, to));
    }
  }

  private static long end(Map.Entry<Long, MemorySegment> piece) {
    return piece.getKey() + piece.getValue().byteSize();
  }

  private void fetch(List<Piece> pieces) {
    Piece asked = pieces.getFirst();
    fetched += asked.bytes();
    if (fetched > limit) {
      throw new FormatException(
          path,
          asked.from(),
          "what describes the tensors is above the limit of %,d bytes; raise the limit (ROWAN_HEADER_LIMIT) if you trust this file"
              .formatted(limit));
    }
    try {
      MemorySegment bytes = bytes(fetcher.glimpses(file, PieceList.of(pieces), SUFFIX));
      PieceList list =
          PieceList.read(bytes, size)
              .orElseThrow(() -> new IOException("%s: not all of it was kept".formatted(path)));
      add(list, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(PieceList list, MemorySegment kept) {
    long at = list.start();
    for (Piece piece : list.pieces()) {
      // what lies within a longer piece would hide the rest of that
      seen.subMap(piece.from(), piece.to()).entrySet().removeIf(e -> end(e) <= piece.to());
      Map.Entry<Long, MemorySegment> before = seen.floorEntry(piece.from());
      if (before == null || end(before) < piece.to()) {
        seen.put(piece.from(), kept.asSlice(at, piece.bytes()));
      }
      at += piece.bytes();
    }
  }

  /** Mapped, not read: a model may have hundreds of files. */
  private static MemorySegment bytes(Path kept) throws IOException {
    try (FileChannel channel = FileChannel.open(kept, StandardOpenOption.READ)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
    }
  }
}
