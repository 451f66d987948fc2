package dev.rowan.train.corpus;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.NewFile;
import dev.rowan.train.corpus.EncodedCorpus.ReadListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Words and how often each came: row i is word i. Counted from a corpus, words stand in descending
 * order of count, equal counts in the order of their bytes.
 *
 * <p>Immutable and safe for any number of threads.
 */
public final class CountedVocabulary {
  private static final int MOST_FILE_BYTES = Integer.MAX_VALUE - 64;

  private final Vocabulary vocabulary;
  private final long[] counts;
  private final long total;

  private CountedVocabulary(Vocabulary vocabulary, long[] counts) {
    this.vocabulary = vocabulary;
    this.counts = counts;
    this.total = Arrays.stream(counts).sum();
  }

  /**
   * Returns a vocabulary with counts.
   *
   * @param counts one for each id below {@code vocabulary.size()}, 0 or more; copied
   * @throws IllegalArgumentException if the counts do not fit
   */
  public static CountedVocabulary of(Vocabulary vocabulary, long[] counts) {
    if (counts.length != vocabulary.size()) {
      throw new IllegalArgumentException(
          "there are %,d counts for %,d words".formatted(counts.length, vocabulary.size()));
    }
    for (long count : counts) {
      if (count < 0) {
        throw new IllegalArgumentException("a count is " + count + "; 0 is the least");
      }
    }
    return new CountedVocabulary(vocabulary, counts.clone());
  }

  static CountedVocabulary of(byte[][] words, long[] counts) {
    return of(Vocabulary.of(Spelling.PLAIN, words, new BitSet(), new BitSet()), counts);
  }

  /**
   * Counts the words of a corpus in one pass, without keeping the text.
   *
   * @throws IOException as {@link EncodedCorpus#read} does, and what else that throws
   */
  public static CountedVocabulary count(Corpus corpus, Workers workers, ReadListener listener)
      throws IOException {
    return new CorpusReader(corpus, workers, listener).count();
  }

  /** Returns the words. */
  public Vocabulary vocabulary() {
    return vocabulary;
  }

  /** Returns how many words there are. */
  public int size() {
    return counts.length;
  }

  /** Returns how often a word came. */
  public long count(int id) {
    return counts[id];
  }

  /** Returns a copy of all counts. */
  public long[] counts() {
    return counts.clone();
  }

  /** Returns how often all the words came together. */
  public long total() {
    return total;
  }

  /**
   * Writes the words as word2vec saves them: a line a word, {@code word " " count}.
   *
   * @throws IOException if that fails; the old file, if any, is untouched then
   */
  public void save(Path file) throws IOException {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (int id = 0; id < counts.length; id++) {
      lines.writeBytes(vocabulary.bytes(id));
      lines.writeBytes((" " + counts[id] + "\n").getBytes(StandardCharsets.US_ASCII));
    }
    NewFile.write(file, out -> out.append(MemorySegment.ofArray(lines.toByteArray())));
  }

  /**
   * Reads words that {@link #save} or word2vec wrote.
   *
   * @throws FormatException if a line is not a word, a space and a count, or a word comes twice
   */
  public static CountedVocabulary read(Path file) throws IOException {
    if (Files.size(file) > MOST_FILE_BYTES) {
      throw new FormatException(file, "this is larger than 2 GB; a vocabulary is a line a word");
    }
    byte[] bytes = Files.readAllBytes(file);
    List<byte[]> words = new ArrayList<>();
    long[] counts = new long[1024];
    int start = 0;
    for (int line = 1; start < bytes.length; line++) {
      int end = start;
      while (end < bytes.length && bytes[end] != '\n') {
        end++;
      }
      int space = end - 1;
      while (space > start && bytes[space] != ' ') {
        space--;
      }
      if (words.size() == counts.length) {
        counts = Arrays.copyOf(counts, 2 * counts.length);
      }
      counts[words.size()] = count(file, bytes, start, space, end, line);
      words.add(Arrays.copyOfRange(bytes, start, space));
      start = end + 1;
    }
    byte[][] entries = words.toArray(byte[][]::new);
    CountedVocabulary read = of(entries, Arrays.copyOf(counts, entries.length));
    for (int id = 0; id < entries.length; id++) {
      int first = read.vocabulary().id(entries[id]).orElseThrow();
      if (first != id) {
        throw new FormatException(
            file,
            "lines %,d and %,d both hold \"%s\"; a word has one row"
                .formatted(first + 1, id + 1, read.vocabulary().text(id)));
      }
    }
    return read;
  }

  private static long count(Path file, byte[] bytes, int start, int space, int end, int line) {
    String digits = new String(bytes, space, end - space, StandardCharsets.ISO_8859_1).strip();
    if (space == start || !digits.matches("\\d{1,18}")) {
      throw new FormatException(
          file,
          "line %,d is \"%s\"; a word, a space and how often it came are expected"
              .formatted(line, new String(bytes, start, end - start, StandardCharsets.UTF_8)));
    }
    return Long.parseLong(digits);
  }
}
