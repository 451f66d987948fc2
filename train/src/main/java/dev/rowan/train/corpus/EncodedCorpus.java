package dev.rowan.train.corpus;

import dev.rowan.core.Workers;
import dev.rowan.train.corpus.Corpus.Form;
import dev.rowan.train.corpus.CorpusBlocks.Numbered;
import dev.rowan.train.corpus.FileBlocks.Cut;
import java.io.Closeable;
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

/**
 * A corpus as ids, in units of about {@value #UNIT_WORDS} words that end where sentences end: what
 * is handed to one thread at a time, and what a checkpoint counts in.
 *
 * <p>The text is read once; the ids, four bytes a word, stay on the heap as far as a quarter of it
 * goes, and in a temporary file beyond. Units and ids are the same for any number of threads. Safe
 * for any number of threads until {@link #close}.
 */
public final class EncodedCorpus implements Closeable {
  /** The words of a unit, to the next end of a sentence. */
  public static final int UNIT_WORDS = 10_000;

  /** A unit without the end of a sentence is cut here. */
  private static final int MOST_UNIT_WORDS = 12_000;

  /** Blocks that each thread reads before an interrupt is looked for. */
  private static final int BLOCKS_AT_ONCE = 16;

  private static final int WORKER_BUFFER =
      Blocks.BLOCK_BYTES + 4 * WordScanner.MOST_BYTES + WordScanner.PADDING;

  private final IdStore store;
  private final List<Segment> segments;
  private final CountedVocabulary vocabulary;
  private final int[][] rowOf;
  private final List<String> notes;
  private final List<Unit> units = new ArrayList<>();
  private final long words;
  private int mostIds;

  /** Ids of one block, numbered by one worker. */
  private record Segment(long ordinal, int worker, IdStore.Run ids) {}

  /**
   * A part of the corpus.
   *
   * @param wordsBefore the words of all units before it
   * @param words the words in it that have a row
   */
  public record Unit(int segment, int from, int to, long wordsBefore, int words) {}

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

  /** Hears how far reading has come. */
  public interface ReadListener {
    /** Nobody listens. */
    ReadListener NONE = (_, _) -> {};

    /**
     * Called from any thread, a few times a second at most for each.
     *
     * @param bytes how many have been read, of compressed files after decompression
     * @param total how many there are; −1 if not known
     */
    void read(long bytes, long total);
  }

  private EncodedCorpus(IdStore store, List<Segment> segments, WordNumbers numbers)
      throws IOException {
    this.store = store;
    this.segments = segments;
    this.vocabulary = numbers.vocabulary();
    this.rowOf = numbers.rowOf();
    this.notes = List.copyOf(numbers.notes());
    long total = 0;
    for (int s = 0; s < segments.size(); s++) {
      total = plan(s, total);
    }
    this.words = total;
  }

  /**
   * Reads and counts a corpus.
   *
   * @throws IOException if a file cannot be read
   * @throws IllegalArgumentException if hardly any word is left, or a word is not UTF-8 where that
   *     is refused
   * @throws dev.rowan.formats.file.FormatException if a line is not JSON or has no text
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static EncodedCorpus read(Corpus corpus, Workers workers, ReadListener listener)
      throws IOException {
    IdStore store = new IdStore(Runtime.getRuntime().maxMemory() / 4);
    Cut cut = corpus.form() instanceof Form.Words ? Cut.WORDS : Cut.LINES;
    try (CorpusBlocks blocks = CorpusBlocks.of(corpus.places(), cut)) {
      List<Reader> readers = new ArrayList<>();
      Deque<Reader> idle = new ConcurrentLinkedDeque<>();
      List<Segment> segments = Collections.synchronizedList(new ArrayList<>());
      AtomicLong read = new AtomicLong();
      AtomicBoolean ended = new AtomicBoolean();
      while (!ended.get()) {
        workers.run(
            (long) workers.threads() * BLOCKS_AT_ONCE,
            () ->
                _ -> {
                  Reader reader = idle.poll();
                  if (reader == null) {
                    synchronized (readers) {
                      reader = new Reader(readers.size(), encoder(corpus.form()));
                      readers.add(reader);
                    }
                  }
                  try {
                    Optional<Numbered> next = blocks.nextNumbered();
                    if (next.isEmpty()) {
                      ended.set(true);
                    } else {
                      Block.Text text = next.get().block().read(reader.buffer);
                      int[] ids = reader.encoder.encode(text);
                      segments.add(
                          new Segment(next.get().ordinal(), reader.number, store.put(ids)));
                      long bytes = text.end() - (long) text.start();
                      listener.read(read.addAndGet(bytes), blocks.totalBytes());
                    }
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                  idle.push(reader);
                });
      }
      List<LineEncoder> encoders = readers.stream().map(reader -> reader.encoder).toList();
      segments.sort(Comparator.comparingLong(Segment::ordinal));
      return new EncodedCorpus(store, List.copyOf(segments), numbers(corpus, encoders));
    } catch (UncheckedIOException e) {
      store.close();
      throw e.getCause();
    } catch (IOException | RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  private static LineEncoder encoder(Form form) {
    return switch (form) {
      case Form.Words() -> new LineEncoder.Words(new WordScanner());
      case Form.JsonLines(String field) -> new LineEncoder.JsonLines(new WordScanner(), field);
      case Form.Tokens tokens -> new LineEncoder.Tokens(tokens);
    };
  }

  private static WordNumbers numbers(Corpus corpus, List<LineEncoder> encoders) {
    if (corpus.form() instanceof Form.Tokens form) {
      return tokenNumbers(form, encoders);
    }
    List<WordScanner> scanners = new ArrayList<>();
    for (LineEncoder encoder : encoders) {
      switch (encoder) {
        case LineEncoder.Words words -> scanners.add(words.scanner());
        case LineEncoder.JsonLines lines -> scanners.add(lines.scanner());
        default -> throw new IllegalStateException("words are numbered by scanners");
      }
    }
    WordNumbers numbers =
        WordNumbers.of(scanners.stream().map(WordScanner::words).toList(), corpus.words());
    long tooLong = scanners.stream().mapToLong(WordScanner::tooLong).sum();
    if (tooLong == 0) {
      return numbers;
    }
    List<String> notes = new ArrayList<>(numbers.notes());
    notes.add(
        "%,d words of more than %,d bytes were left out"
            .formatted(tooLong, WordScanner.MOST_BYTES));
    return new WordNumbers(numbers.vocabulary(), numbers.rowOf(), notes);
  }

  /** A token's row is its id, whether it came or not. */
  private static WordNumbers tokenNumbers(Form.Tokens form, List<LineEncoder> encoders) {
    long[] counts = new long[form.vocabulary().size()];
    for (LineEncoder encoder : encoders) {
      long[] part = ((LineEncoder.Tokens) encoder).counts();
      for (int t = 0; t < counts.length; t++) {
        counts[t] += part[t];
      }
    }
    int[] same = new int[counts.length];
    Arrays.setAll(same, t -> t);
    int[][] rowOf = new int[encoders.size()][];
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
            "%,d tokens of %s; %,d of its %,d came"
                .formatted(Arrays.stream(counts).sum(), form.name(), seen, counts.length)));
  }

  /** Cuts a segment into units; returns the words of the corpus up to its end. */
  private long plan(int s, long wordsBefore) throws IOException {
    Segment segment = segments.get(s);
    int[] rows = rowOf[segment.worker()];
    int[] piece = new int[1 << 14];
    long total = wordsBefore;
    int from = 0;
    int words = 0;
    int length = segment.ids().length();
    for (int first = 0; first < length; first += piece.length) {
      int count = Math.min(piece.length, length - first);
      segment.ids().read(first, count, piece);
      for (int i = 0; i < count; i++) {
        int id = piece[i];
        boolean end = id == WordScanner.SENTENCE_END;
        words += !end && rows[id] >= 0 ? 1 : 0;
        if (words >= MOST_UNIT_WORDS || (end && words >= UNIT_WORDS)) {
          total = add(new Unit(s, from, first + i + 1, total, words));
          from = first + i + 1;
          words = 0;
        }
      }
    }
    return words == 0 ? total : add(new Unit(s, from, length, total, words));
  }

  private long add(Unit unit) {
    units.add(unit);
    mostIds = Math.max(mostIds, unit.to() - unit.from());
    return unit.wordsBefore() + unit.words();
  }

  /** Returns the words that have a row. */
  public CountedVocabulary vocabulary() {
    return vocabulary;
  }

  /** Returns one sentence each on what a user should know about the text. */
  public List<String> notes() {
    return notes;
  }

  /** Returns how many words the text has that have a row. */
  public long words() {
    return words;
  }

  /** Returns how many units there are. */
  public int units() {
    return units.size();
  }

  /** Returns a unit. */
  public Unit unit(int number) {
    return units.get(number);
  }

  /** Returns the length of an array that holds the ids of any unit. */
  public int mostIds() {
    return mostIds;
  }

  /**
   * Reads a unit: rows in the order of the text, −1 at the end of each sentence.
   *
   * @param target {@link #mostIds} places
   * @return how many places were filled
   * @throws UncheckedIOException if the temporary file cannot be read
   */
  public int read(int number, int[] target) {
    Unit unit = units.get(number);
    Segment segment = segments.get(unit.segment());
    int[] rows = rowOf[segment.worker()];
    int count = unit.to() - unit.from();
    try {
      segment.ids().read(unit.from(), count, target);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int id = target[i];
      int row = id == WordScanner.SENTENCE_END ? id : rows[id];
      if (row != WordNumbers.NO_ROW) {
        target[kept++] = row;
      }
    }
    return kept;
  }

  /** Gives the memory, and the temporary file if there is one, back. */
  @Override
  public void close() throws IOException {
    store.close();
  }
}
