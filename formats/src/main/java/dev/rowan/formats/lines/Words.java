package dev.rowan.formats.lines;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
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

  /** Returns a word, out of the file's bytes. */
  public byte[] bytes(MemorySegment bytes, int row) {
    return bytes.asSlice(starts[row], lengths[row]).toArray(JAVA_BYTE);
  }

  /** Reads the words out of the file's bytes, with notes on what is odd about them. */
  public Vocabulary vocabulary(MemorySegment bytes) {
    byte[][] entries = new byte[starts.length][];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = bytes(bytes, i);
    }
    return vocabulary(entries);
  }

  /** Returns a vocabulary of plain words, with notes on what is odd about them. */
  public static Vocabulary vocabulary(byte[][] entries) {
    Vocabulary vocabulary = Vocabulary.of(Spelling.PLAIN, entries, new BitSet(), new BitSet());
    return vocabulary.withNotes(notes(vocabulary, entries));
  }

  private static List<String> notes(Vocabulary vocabulary, byte[][] entries) {
    int twice = 0;
    int firstTwice = -1;
    int broken = 0;
    int firstBroken = -1;
    for (int i = 0; i < entries.length; i++) {
      if (vocabulary.id(entries[i]).orElse(i) != i && twice++ == 0) {
        firstTwice = i;
      }
      if (!isUtf8(entries[i]) && broken++ == 0) {
        firstBroken = i;
      }
    }
    List<String> notes = new ArrayList<>();
    if (twice > 0) {
      notes.add(
          "%,d rows repeat a word, first \"%s\" in rows %d and %d; looking it up gives the lower row"
              .formatted(
                  twice,
                  vocabulary.text(firstTwice),
                  vocabulary.id(entries[firstTwice]).orElseThrow(),
                  firstTwice));
    }
    if (broken > 0) {
      notes.add(
          "%,d words are not valid UTF-8, first row %d: \"%s\"; they are kept as their bytes"
              .formatted(broken, firstBroken, vocabulary.text(firstBroken)));
    }
    return notes;
  }

  /** Returns whether bytes are valid UTF-8. */
  public static boolean isUtf8(byte[] bytes) {
    for (byte b : bytes) {
      if (b < 0) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        return Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes);
      }
    }
    return true; // ASCII, as nearly always
  }
}
