package dev.rowan.train.corpus;

import dev.rowan.core.Counted;
import dev.rowan.core.Workers;
import dev.rowan.train.corpus.Corpus.Form;
import dev.rowan.train.corpus.Corpus.Limits;
import dev.rowan.train.corpus.CorpusBlocks.Numbered;
import dev.rowan.train.corpus.EncodedCorpus.ReadListener;
import dev.rowan.train.corpus.FileBlocks.Cut;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Reads a corpus: its blocks in parallel, then what limits, phrases and rows make of them. */
final class CorpusReader {
  /**
   * Blocks that each thread reads before the limits are looked at; so many where there are none.
   */
  private static final int BLOCKS_AT_ONCE = 16;

  private static final int UNLIMITED_BLOCKS_AT_ONCE = 1024; // all but the longest texts at once

  private static final int WORKER_BUFFER =
      Blocks.BLOCK_BYTES + 4 * WordScanner.MOST_BYTES + WordScanner.PADDING;

  private final Corpus corpus;
  private final Workers workers;
  private final ReadListener listener;
  private final List<String> notes = new ArrayList<>();
  private final List<Reader> readers = new ArrayList<>();
  private List<Segment> segments = Collections.synchronizedList(new ArrayList<>());
  private IdStore store = new IdStore(Runtime.getRuntime().maxMemory() / 4);

  CorpusReader(Corpus corpus, Workers workers, ReadListener listener) {
    this.corpus = corpus;
    this.workers = workers;
    this.listener = listener;
    if (corpus.form() instanceof Form.Tokens && corpus.words().phrases().isPresent()) {
      throw new IllegalArgumentException(
          "phrases are made of words, and a tokenizer's tokens are none; leave one of them away");
    }
  }

  /** What numbers words in one thread at a time. */
  private static final class Reader {
    private final int number;
    private final LineEncoder encoder;
    private final byte[] buffer = new byte[WORKER_BUFFER];

    Reader(int number, LineEncoder encoder) {
      this.number = number;
      this.encoder = encoder;
    }
  }

  /** Counts the words; ids are kept only where limits or phrases need them. */
  CountedVocabulary count() throws IOException {
    if (!corpus.limits().equals(Limits.NONE) || corpus.words().phrases().isPresent()) {
      try (EncodedCorpus encoded = read()) {
        return encoded.vocabulary();
      }
    }
    try {
      scan(Ids.DROPPED);
      return numbers().vocabulary();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private enum Ids {
    KEPT,
    DROPPED
  }

  /** Reads everything; the caller closes what it gets. */
  EncodedCorpus read() throws IOException {
    try {
      scan(Ids.KEPT);
      segments = segments.stream().sorted(Comparator.comparingLong(Segment::ordinal)).toList();
      limit();
      WordNumbers numbers = numbers();
      notes.addAll(numbers.notes());
      return new EncodedCorpus(store, segments, numbers, notes, corpus.name(), workers);
    } catch (UncheckedIOException e) {
      store.close();
      throw e.getCause();
    } catch (IOException | RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  private void scan(Ids ids) throws IOException {
    Cut cut = corpus.form() instanceof Form.Words ? Cut.WORDS : Cut.LINES;
    Cutting seen = new Cutting(corpus.form());
    try (CorpusBlocks blocks = CorpusBlocks.of(corpus.places(), cut)) {
      notes.addAll(blocks.notes());
      Deque<Reader> idle = new ConcurrentLinkedDeque<>();
      AtomicLong read = new AtomicLong();
      AtomicBoolean ended = new AtomicBoolean();
      boolean limited = !corpus.limits().equals(Limits.NONE);
      while (!ended.get()) {
        workers.run(
            (long) workers.threads() * (limited ? BLOCKS_AT_ONCE : UNLIMITED_BLOCKS_AT_ONCE),
            () ->
                _ -> {
                  Reader reader = idle.poll();
                  if (reader == null) {
                    reader = newReader();
                  }
                  try {
                    Optional<Numbered> next = blocks.nextNumbered();
                    if (next.isEmpty()) {
                      ended.set(true);
                    } else {
                      Block.Text text = next.get().block().read(reader.buffer);
                      reader.encoder.encodeNumbered(text);
                      if (ids == Ids.KEPT) {
                        int[] found = reader.encoder.ids();
                        if (limited) {
                          synchronized (seen) {
                            seen.countAll(found, text.isLast());
                          }
                        }
                        IdStore.Run run = store.put(found);
                        segments.add(
                            new Segment(next.get().ordinal(), reader.number, run, text.isLast()));
                      }
                      long bytes = text.end() - (long) text.start();
                      listener.read(read.addAndGet(bytes), blocks.totalBytes());
                    }
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                  idle.push(reader);
                });
        // blocks are handed out in order and all of these are done: the limits lie within them
        if (seen.words() >= corpus.limits().words()
            || seen.documents() >= corpus.limits().documents()) {
          ended.set(true);
        }
      }
    }
  }

  private Reader newReader() {
    synchronized (readers) {
      Reader reader = new Reader(readers.size(), encoder());
      readers.add(reader);
      return reader;
    }
  }

  private LineEncoder encoder() {
    return switch (corpus.form()) {
      case Form.Words() -> new LineEncoder.Words(new WordScanner());
      case Form.JsonLines(String field) -> new LineEncoder.JsonLines(new WordScanner(), field);
      case Form.Tokens tokens -> new LineEncoder.Tokens(tokens, corpus.words().broken());
    };
  }

  /** Cuts the text where its limits are. */
  private void limit() throws IOException {
    Limits limits = corpus.limits();
    if (limits.equals(Limits.NONE)) {
      return;
    }
    Cutting cutting = new Cutting(corpus.form());
    List<Segment> kept = new ArrayList<>();
    for (Segment segment : segments) {
      int[] length = {0};
      segment.ids().forEachPiece((ids, count) -> length[0] += cutting.count(ids, count, limits));
      if (length[0] > 0) {
        kept.add(segment.with(segment.ids().head(length[0])));
      }
      if (length[0] < segment.ids().length()) {
        break;
      }
      if (segment.isLast()) {
        cutting.endFile();
      }
    }
    boolean all =
        kept.size() == segments.size()
            && kept.getLast().ids().length() == segments.getLast().ids().length();
    segments = List.copyOf(kept);
    notes.add(
        "%s: %s in %s (%s) were read"
            .formatted(
                all ? "the text is shorter than its limit" : "the text was cut at its limit",
                Counted.of(cutting.words(), "word"),
                Counted.of(cutting.documents() + (cutting.isOpen() ? 1 : 0), "document"),
                corpus.form() instanceof Form.JsonLines ? "JSON objects" : "lines"));
    recount();
  }

  /** Counts again after a cut. */
  private void recount() throws IOException {
    long[][] counts = new long[readers.size()][];
    for (Reader reader : readers) {
      counts[reader.number] = new long[reader.encoder.words()];
    }
    for (Segment segment : segments) {
      long[] own = counts[segment.worker()];
      segment
          .ids()
          .forEachPiece((ids, count) -> {
            for (int i = 0; i < count; i++) {
              if (ids[i] >= 0) {
                own[ids[i]]++;
              }
            }
          });
    }
    for (Reader reader : readers) {
      reader.encoder.recount(counts[reader.number]);
    }
  }

  private WordNumbers numbers() throws IOException {
    if (corpus.form() instanceof Form.Tokens form) {
      return tokenNumbers(form);
    }
    List<WordScanner> scanners = new ArrayList<>();
    for (Reader reader : readers) {
      switch (reader.encoder) {
        case LineEncoder.Words words -> scanners.add(words.scanner());
        case LineEncoder.JsonLines lines -> scanners.add(lines.scanner());
        default -> throw new IllegalStateException("words are numbered by scanners");
      }
    }
    long tooLong = scanners.stream().mapToLong(WordScanner::tooLong).sum();
    if (tooLong > 0) {
      notes.add(
          "%s left out, of more than %,d bytes"
              .formatted(Counted.of(tooLong, "word was", "words were"), WordScanner.MOST_BYTES));
    }
    MergedWords merged =
        MergedWords.of(scanners.stream().map(WordScanner::words).toList(), corpus.words());
    if (corpus.words().phrases().isPresent()) {
      PhraseJoiner joiner = PhraseJoiner.of(merged, corpus.words().phrases().get(), workers);
      PhraseJoiner.Joined joined = joiner.join(store, segments);
      store = joined.store();
      segments = joined.segments();
      notes.addAll(joiner.notes());
    }
    return WordNumbers.of(merged, corpus.words());
  }

  /** A token's row is its id, whether it came or not. */
  private WordNumbers tokenNumbers(Form.Tokens form) {
    long[] counts = new long[form.vocabulary().size()];
    long broken = 0;
    long lines = 0;
    for (Reader reader : readers) {
      LineEncoder.Tokens encoder = (LineEncoder.Tokens) reader.encoder;
      long[] part = encoder.counts();
      broken += encoder.brokenLines();
      lines += encoder.lines();
      for (int t = 0; t < counts.length; t++) {
        counts[t] += part[t];
      }
    }
    WordNumbers.checkUtf8(broken, lines, "line", corpus.words().broken());
    if (broken > 0) {
      notes.add(
          "%s %s"
              .formatted(
                  Counted.of(broken, "line was not UTF-8 and was", "lines were not UTF-8 and were"),
                  corpus.words().broken() == Corpus.Broken.DROPPED
                      ? "left out"
                      : "mended with U+FFFD"));
    }
    int[] same = new int[counts.length];
    Arrays.setAll(same, t -> t);
    int[][] rowOf = new int[readers.size()][];
    Arrays.fill(rowOf, same);
    long seen = Arrays.stream(counts).filter(count -> count > 0).count();
    if (seen < 2) {
      throw new IllegalArgumentException(
          "the text has %d of the tokenizer's tokens; give more text".formatted(seen));
    }
    return new WordNumbers(
        CountedVocabulary.of(form.vocabulary(), counts),
        rowOf,
        List.of(
            "%s of %s; %,d of its %,d came"
                .formatted(
                    Counted.of(Arrays.stream(counts).sum(), "token"),
                    form.name(),
                    seen,
                    counts.length)));
  }
}
