package dev.rowan.formats.word2vec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * How often words occurred in training, from the vocabulary file that word2vec saves beside its
 * vectors: a line a word, {@code word " " count}. Words are bytes, as in the vectors themselves.
 *
 * <p>Immutable and safe for any number of threads.
 */
public final class WordCounts {
  private final long[] counts;
  private final long unknown;

  private WordCounts(long[] counts, long unknown) {
    this.counts = counts;
    this.unknown = unknown;
  }

  /**
   * Reads a file.
   *
   * @param vocabulary the words of the vectors, whose ids counts are kept by
   * @throws FormatException if a line does not end in a space and a whole number
   */
  public static WordCounts read(Path path, Vocabulary vocabulary) throws IOException {
    try (MappedFile file = MappedFile.open(path)) {
      MemorySegment bytes = file.bytes();
      long[] counts = new long[vocabulary.size()];
      long unknown = 0;
      long line = 1;
      for (long at = 0; at < bytes.byteSize(); line++) {
        long end = at;
        while (end < bytes.byteSize() && bytes.get(JAVA_BYTE, end) != '\n') {
          end++;
        }
        byte[] text = bytes.asSlice(at, end - at).toArray(JAVA_BYTE);
        int space = lastSpace(text);
        if (space >= 0 || !isBlank(text)) {
          long count = count(path, text, space, line);
          OptionalInt id = vocabulary.id(Arrays.copyOf(text, space));
          if (id.isPresent()) {
            counts[id.getAsInt()] = count;
          } else {
            unknown++;
          }
        }
        at = end + 1;
      }
      return new WordCounts(counts, unknown);
    }
  }

  /** Returns how often the word of a row occurred; 0 if the file does not name it. */
  public long of(int id) {
    return counts[id];
  }

  /** Returns how many words of the file have no row. */
  public long wordsWithoutRow() {
    return unknown;
  }

  private static long count(Path path, byte[] text, int space, long line) {
    String digits =
        space < 0
            ? ""
            : new String(text, space + 1, text.length - space - 1, StandardCharsets.ISO_8859_1)
                .strip();
    if (!digits.matches("\\d{1,18}")) {
      throw new FormatException(
          path,
          "line %,d is \"%s\"; a word, a space and a whole number are expected"
              .formatted(line, new String(text, StandardCharsets.UTF_8)));
    }
    return Long.parseLong(digits);
  }

  private static int lastSpace(byte[] text) {
    for (int i = text.length - 1; i >= 0; i--) {
      if (text[i] == ' ') {
        return i;
      }
    }
    return -1;
  }

  private static boolean isBlank(byte[] text) {
    return text.length == 0 || (text.length == 1 && text[0] == '\r');
  }
}
