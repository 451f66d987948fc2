package dev.rowan.hub;

import dev.rowan.hub.Excerpt.Piece;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Fetches the pieces of an excerpt, several at once, into a file of its size. A journal beside it
 * notes each step that is on disk, so that a killed run goes on where it was.
 */
final class ExcerptFetch {
  private final ByteSource source;
  private final Excerpt excerpt;
  private final HubSettings.Transfer transfer;
  private final Meter meter;

  ExcerptFetch(
      ByteSource source, Excerpt excerpt, HubSettings.Transfer transfer, HubListener listener) {
    this.source = source;
    this.excerpt = excerpt;
    this.transfer = transfer;
    this.meter = new Meter(listener);
  }

  /**
   * A part of a piece that is fetched by one request: steps in a row, of which only the last of the
   * piece may be short.
   *
   * @param first the number of the first step, counted from 0 over all pieces
   * @param from the first byte in the source
   * @param to behind the last
   * @param at where it goes
   */
  private record Chunk(int first, long from, long to, long at) {}

  /**
   * Fetches.
   *
   * @param part the file to fill; what an earlier run left there is used
   * @param identity of the source, so that the left-overs of another version are not
   */
  void into(Path part, String identity) throws IOException {
    Path notes = part.resolveSibling(part.getFileName() + ".journal");
    if (!Files.exists(part)) {
      Files.deleteIfExists(notes); // what it tells of is gone
    }
    meter.listener().began(source.name(), excerpt.fetched());
    try (FileChannel file =
            FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        Journal journal = Journal.open(notes, id(identity))) {
      if (journal.isNew()) {
        file.truncate(0);
      }
      Kept.writeFully(file, ByteBuffer.wrap(excerpt.start()), 0);
      if (source.readsParts()) {
        inParallel(file, journal);
      } else {
        inOrder(file);
      }
      long end = excerpt.size() - excerpt.end().length;
      if (file.size() >= end) {
        Kept.writeFully(file, ByteBuffer.wrap(excerpt.end()), end);
      }
      if (file.size() != excerpt.size()) {
        throw new IOException(
            "%s: %,d bytes are on disk, but %,d should be; is the disk full?"
                .formatted(part, file.size(), excerpt.size()));
      }
      journal.delete();
    }
    meter.listener().ended();
  }

  private String id(String identity) {
    return "%s %s %d %d".formatted(identity, excerpt.name(), excerpt.size(), transfer.step());
  }

  private void inParallel(FileChannel file, Journal journal) throws IOException {
    List<Chunk> missing = missing(journal);
    meter.add(excerpt.fetched() - missing.stream().mapToLong(c -> c.to - c.from).sum());
    Queue<Chunk> left = new ConcurrentLinkedQueue<>(missing);
    int workers = Math.min(transfer.connections(), left.size());
    List<Together.Task> tasks = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      tasks.add(() -> {
        for (Chunk chunk = left.poll(); chunk != null; chunk = left.poll()) {
          fetch(chunk, file, journal);
        }
      });
    }
    Together.run(tasks);
  }

  /** Returns what the journal does not have, in requests of bounded size. */
  private List<Chunk> missing(Journal journal) {
    List<Chunk> chunks = new ArrayList<>();
    int most = transfer.chunk() / transfer.step();
    int number = 0;
    long at = excerpt.startSize();
    for (Piece piece : excerpt.pieces()) {
      int steps = Math.toIntExact(Math.ceilDiv(piece.bytes(), transfer.step()));
      for (int i = 0; i < steps; ) {
        int end = i;
        while (end < steps && end - i < most && !journal.has(number + end)) {
          end++;
        }
        if (end > i) {
          long start = (long) i * transfer.step();
          long to = Math.min(piece.to(), piece.from() + (long) end * transfer.step());
          chunks.add(new Chunk(number + i, piece.from() + start, to, at + start));
        }
        i = Math.max(end, i + 1);
      }
      number += steps;
      at += piece.bytes();
    }
    return chunks;
  }

  private void fetch(Chunk chunk, FileChannel file, Journal journal) throws IOException {
    AtomicLong done = new AtomicLong();
    source.read(
        chunk.from,
        chunk.to,
        bytes -> {
          int count = bytes.remaining();
          long before = done.getAndAdd(count);
          Kept.writeFully(file, bytes, chunk.at + before);
          note(chunk, before, before + count, file, journal);
          meter.add(count);
          return true;
        },
        _ -> {});
  }

  /** Notes the steps that a request has got behind it. Less than one is fetched anew sooner. */
  private void note(Chunk chunk, long before, long now, FileChannel file, Journal journal)
      throws IOException {
    int from = (int) (before / transfer.step());
    int to =
        (int)
            (now == chunk.to - chunk.from
                ? Math.ceilDiv(now, transfer.step())
                : now / transfer.step());
    if (to > from && excerpt.fetched() > transfer.step()) {
      file.force(false); // first the bytes, then the note that they are there
      for (int i = from; i < to; i++) {
        journal.add(chunk.first + i);
      }
    }
  }

  /**
   * The server sends everything from the start anyway: it is read once, what lies between is lost.
   */
  private void inOrder(FileChannel file) throws IOException {
    if (excerpt.pieces().isEmpty()) {
      return;
    }
    long first = excerpt.pieces().getFirst().from();
    long last = excerpt.pieces().getLast().to();
    if (excerpt.fetched() < last) {
      meter
          .listener()
          .noted(
              "the server of %s sends no parts of files, so %,d bytes pass by for the %,d that are wanted"
                  .formatted(source.name(), last, excerpt.fetched()));
    }
    AtomicLong position = new AtomicLong(first);
    source.read(first, last, bytes -> spread(file, bytes, position), _ -> {});
  }

  private boolean spread(FileChannel file, ByteBuffer bytes, AtomicLong position)
      throws IOException {
    long start = position.getAndAdd(bytes.remaining());
    long end = start + bytes.remaining();
    int base = bytes.position();
    long at = excerpt.startSize();
    for (Piece piece : excerpt.pieces()) {
      long from = Math.max(start, piece.from());
      long to = Math.min(end, piece.to());
      if (from < to) {
        ByteBuffer wanted = bytes.duplicate();
        wanted.limit(base + (int) (to - start)).position(base + (int) (from - start));
        Kept.writeFully(file, wanted, at + from - piece.from());
        meter.add(to - from);
      }
      at += piece.bytes();
    }
    bytes.position(bytes.limit());
    return true;
  }

  /** Counts for the listener, one call at a time and not for every buffer. */
  private static final class Meter {
    private static final long STEP = 256 << 10;

    private final HubListener listener;
    private long reached;
    private long told;

    Meter(HubListener listener) {
      this.listener = listener;
    }

    HubListener listener() {
      return listener;
    }

    synchronized void add(long bytes) {
      reached += bytes;
      if (reached - told >= STEP) {
        told = reached;
        listener.reached(reached);
      }
    }
  }
}
