package dev.rowan.formats.projector;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.TextStart;
import dev.rowan.formats.lines.Words;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The tokens of a projector table, a line a row. With one column there is no header; with several
 * the first line names them, and the token is the one called word, token, label or name, else the
 * first.
 */
final class Metadata {
  private static final List<String> NAMES = List.of("word", "token", "label", "name");

  private Metadata() {}

  /**
   * Reads tokens.
   *
   * @param rows how many the table has
   * @throws FormatException if there are not as many tokens
   */
  static Vocabulary read(Path path, long rows) throws IOException {
    try (MappedFile file = MappedFile.open(path)) {
      List<byte[]> lines = lines(TextStart.after(file.bytes()));
      boolean header = !lines.isEmpty() && indexOf(lines.getFirst(), 0) >= 0;
      int column = header ? column(lines.removeFirst()) : 0;
      if (lines.size() != rows) {
        throw new FormatException(
            path,
            "names %,d rows but the table has %,d; the two files do not belong together"
                .formatted(lines.size(), rows));
      }
      byte[][] words = new byte[lines.size()][];
      for (int i = 0; i < words.length; i++) {
        words[i] = header ? field(path, lines.get(i), column, i) : lines.get(i);
      }
      return Words.vocabulary(words);
    }
  }

  private static List<byte[]> lines(MemorySegment bytes) {
    List<byte[]> lines = new ArrayList<>();
    long start = 0;
    for (long at = 0; at <= bytes.byteSize(); at++) {
      boolean end = at == bytes.byteSize();
      if (end ? start < at : bytes.get(JAVA_BYTE, at) == '\n') {
        boolean carriage = at > start && bytes.get(JAVA_BYTE, at - 1) == '\r';
        lines.add(bytes.asSlice(start, at - start - (carriage ? 1 : 0)).toArray(JAVA_BYTE));
        start = at + 1;
      }
    }
    return lines;
  }

  private static int column(byte[] header) {
    String[] names = new String(header, StandardCharsets.UTF_8).split("\t", -1);
    for (String wanted : NAMES) {
      for (int i = 0; i < names.length; i++) {
        if (names[i].strip().toLowerCase(Locale.ROOT).equals(wanted)) {
          return i;
        }
      }
    }
    return 0;
  }

  private static byte[] field(Path path, byte[] line, int column, int row) {
    int from = 0;
    for (int i = 0; i < column; i++) {
      from = indexOf(line, from) + 1;
      if (from == 0) {
        throw new FormatException(
            path, "line %,d has too few columns to name a token".formatted(row + 2));
      }
    }
    int to = indexOf(line, from);
    return Arrays.copyOfRange(line, from, to < 0 ? line.length : to);
  }

  /** Returns the place of the next tab, −1 if there is none. */
  private static int indexOf(byte[] line, int from) {
    for (int i = from; i < line.length; i++) {
      if (line[i] == '\t') {
        return i;
      }
    }
    return -1;
  }
}
