package dev.rowan.train.corpus;

import dev.rowan.core.Workers;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

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

  /** Odd, so that no place is lost however long the text is; its bits are those of 2^64 / φ. */
  private static final long BASE = 0x9E3779B97F4A7C15L;

  private final IdStore store;
  private final List<Segment> segments;
  private final CountedVocabulary vocabulary;
  private final int[][] rowOf;
  private final List<String> notes;
  private final String name;
  private final List<Unit> units = new ArrayList<>();
  private final long words;
  private final long digest;
  private int mostIds;

  /**
   * A part of the corpus.
   *
   * @param wordsBefore the words of all units before it
   * @param words the words in it that have a row
   */
  public record Unit(int segment, int from, int to, long wordsBefore, int words) {}

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

  /**
   * Cuts segments into units.
   *
   * @throws UncheckedIOException if the ids cannot be read
   */
  EncodedCorpus(
      IdStore store,
      List<Segment> segments,
      WordNumbers numbers,
      List<String> notes,
      String name,
      Workers workers) {
    this.store = store;
    this.segments = segments;
    this.vocabulary = numbers.vocabulary();
    this.rowOf = numbers.rowOf();
    this.notes = List.copyOf(notes);
    this.name = name;
    List<Plan> plans = new ArrayList<>(Collections.nCopies(segments.size(), Plan.EMPTY));
    workers.run(
        segments.size(),
        () -> {
          int[] piece = new int[1 << 14];
          return s -> plans.set((int) s, plan((int) s, piece));
        });
    long total = 0;
    long all = 0;
    for (Plan plan : plans) {
      for (Unit unit : plan.units()) {
        units.add(new Unit(unit.segment(), unit.from(), unit.to(), total, unit.words()));
        total += unit.words();
        mostIds = Math.max(mostIds, unit.to() - unit.from());
      }
      all = all * power(plan.length()) + plan.digest();
    }
    this.words = total;
    this.digest = all;
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
    return new CorpusReader(corpus, workers, listener).read();
  }

  /**
   * What a segment gives.
   *
   * @param units which do not know yet what comes before them
   * @param digest of what is read from it, as {@link #digest} has it
   * @param length how many places that are
   */
  private record Plan(List<Unit> units, long digest, long length) {
    static final Plan EMPTY = new Plan(List.of(), 0, 0);
  }

  private static long power(long exponent) {
    long power = 1;
    long square = BASE;
    for (long left = exponent; left > 0; left >>= 1) {
      power *= (left & 1) == 0 ? 1 : square;
      square *= square;
    }
    return power;
  }

  /** Cuts a segment into units. */
  private Plan plan(int s, int[] piece) {
    Segment segment = segments.get(s);
    int[] rows = rowOf[segment.worker()];
    List<Unit> units = new ArrayList<>();
    int from = 0;
    int words = 0;
    long sum = 0;
    long places = 0;
    int length = segment.ids().length();
    for (int first = 0; first < length; first += piece.length) {
      int count = Math.min(piece.length, length - first);
      copy(segment, first, count, piece);
      for (int i = 0; i < count; i++) {
        int id = piece[i];
        boolean end = id < 0;
        int row = end ? WordScanner.SENTENCE_END : rows[id];
        if (row != WordNumbers.NO_ROW) {
          sum = sum * BASE + (row + 2);
          places++;
          words += end ? 0 : 1;
        }
        if (words >= MOST_UNIT_WORDS || (end && words >= UNIT_WORDS)) {
          units.add(new Unit(s, from, first + i + 1, 0, words));
          from = first + i + 1;
          words = 0;
        }
      }
    }
    if (words > 0) {
      units.add(new Unit(s, from, length, 0, words));
    }
    return new Plan(units, sum, places);
  }

  private static void copy(Segment segment, int from, int count, int[] target) {
    try {
      segment.ids().read(from, count, target);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what to call the text: where it is, as far as that is short. */
  public String name() {
    return name;
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

  /**
   * Returns what tells the text from others, of the same words too: the polynomial over its rows
   * and ends of sentences, in their order, modulo 2^64. It does not depend on threads, nor on how
   * the text is packed.
   */
  public String digest() {
    return "%016x".formatted(digest);
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
    copy(segment, unit.from(), count, target);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int id = target[i];
      int row = id < 0 ? WordScanner.SENTENCE_END : rows[id];
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
