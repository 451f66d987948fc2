package dev.rowan.formats.lines;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.rowan.core.Counted;
import dev.rowan.core.Vocabulary;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where the words of a file stand: row i's word is {@code lengths[i]} bytes from {@code starts[i]}.
 * The bytes are a word's identity; they need not be UTF-8.
 *
 * <p>Filled by one or several threads, each its own rows; read after that.
 */
public final class Words {
  private final long[] starts;
  private final int[] lengths;

  /** Makes places for so many words. */
  public Words(int count) {
    starts = new long[count];
    lengths = new int[count];
  }

  /** Sets where a word stands. */
  public void set(int row, long start, int length) {
    starts[row] = start;
    lengths[row] = length;
  }

  /** Returns how many words there are. */
  public int count() {
    return starts.length;
  }

  /** Returns how many bytes a word has. */
  public int length(int row) {
    return lengths[row];
  }

  /** Returns a word, out of the file's bytes. */
  public byte[] bytes(MemorySegment bytes, int row) {
    return bytes.asSlice(starts[row], lengths[row]).toArray(JAVA_BYTE);
  }

  /**
   * Reads the words out of the file's bytes, with notes on what is odd about them.
   *
   * @throws IllegalArgumentException if they take more than 2³¹ − 1 bytes together
   */
  public Vocabulary vocabulary(MemorySegment bytes) {
    byte[] all = new byte[size(lengths)];
    int[] ends = new int[lengths.length];
    int at = 0;
    for (int i = 0; i < ends.length; i++) {
      MemorySegment.copy(bytes, JAVA_BYTE, starts[i], all, at, lengths[i]);
      at += lengths[i];
      ends[i] = at;
    }
    return vocabulary(all, ends);
  }

  /** Returns a vocabulary of plain words, with notes on what is odd about them. */
  public static Vocabulary vocabulary(byte[][] entries) {
    int[] ends = Arrays.stream(entries).mapToInt(entry -> entry.length).toArray();
    byte[] all = new byte[size(ends)];
    int at = 0;
    for (int i = 0; i < ends.length; i++) {
      System.arraycopy(entries[i], 0, all, at, entries[i].length);
      at += entries[i].length;
      ends[i] = at;
    }
    return vocabulary(all, ends);
  }

  private static int size(int[] lengths) {
    long total = 0;
    for (int length : lengths) {
      total += length;
    }
    if (total > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "the words take %,d bytes together; at most 2^31 are supported".formatted(total));
    }
    return (int) total;
  }

  private static Vocabulary vocabulary(byte[] all, int[] ends) {
    Vocabulary vocabulary = Vocabulary.ofWords(all, ends);
    List<String> notes = new ArrayList<>();
    if (vocabulary.repeats() > 0) {
      int repeat = vocabulary.firstRepeat().orElseThrow();
      notes.add(
          "%s, first \"%s\" in rows %d and %d; looking it up gives the lower row"
              .formatted(
                  Counted.of(vocabulary.repeats(), "row repeats a word", "rows repeat a word"),
                  vocabulary.text(repeat),
                  vocabulary.id(vocabulary.bytes(repeat)).orElseThrow(),
                  repeat));
    }
    if (!isAscii(all, 0, all.length)) {
      addBroken(vocabulary, all, ends, notes);
    }
    return vocabulary.withNotes(notes);
  }

  private static void addBroken(Vocabulary vocabulary, byte[] all, int[] ends, List<String> notes) {
    int broken = 0;
    int first = -1;
    for (int i = 0; i < ends.length; i++) {
      int from = i == 0 ? 0 : ends[i - 1];
      if (!isAscii(all, from, ends[i])
          && !isUtf8(Arrays.copyOfRange(all, from, ends[i]))
          && broken++ == 0) {
        first = i;
      }
    }
    if (broken > 0) {
      notes.add(brokenNote(vocabulary, broken, first));
    }
  }

  /** Adds a note to a vocabulary on words that are not valid UTF-8, if it has any. */
  public static Vocabulary noteBroken(Vocabulary vocabulary) {
    int broken = 0;
    int first = -1;
    for (int id = 0; id < vocabulary.size(); id++) {
      if (vocabulary.has(id) && !isUtf8(vocabulary.bytes(id)) && broken++ == 0) {
        first = id;
      }
    }
    if (broken == 0) {
      return vocabulary;
    }
    List<String> notes = new ArrayList<>(vocabulary.notes());
    notes.add(brokenNote(vocabulary, broken, first));
    return vocabulary.withNotes(notes);
  }

  private static String brokenNote(Vocabulary vocabulary, int broken, int first) {
    return "%s valid UTF-8, first row %d: \"%s\"; kept as bytes"
        .formatted(
            Counted.of(broken, "word is not", "words are not"), first, vocabulary.text(first));
  }

  private static boolean isAscii(byte[] bytes, int from, int to) {
    int any = 0;
    for (int i = from; i < to; i++) {
      any |= bytes[i];
    }
    return any >= 0;
  }

  /** Returns whether no byte has its highest bit set. */
  public static boolean isAscii(MemorySegment bytes) {
    long any = 0;
    long at = 0;
    for (; at <= bytes.byteSize() - 8; at += 8) {
      any |= bytes.get(JAVA_LONG_UNALIGNED, at);
    }
    for (; at < bytes.byteSize(); at++) {
      any |= bytes.get(JAVA_BYTE, at);
    }
    return (any & 0x8080808080808080L) == 0;
  }

  /** Returns whether bytes are valid UTF-8. */
  public static boolean isUtf8(byte[] bytes) {
    if (isAscii(bytes, 0, bytes.length)) {
      return true; // as nearly always
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    return Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes);
  }
}
