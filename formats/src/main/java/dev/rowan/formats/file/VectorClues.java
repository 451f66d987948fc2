package dev.rowan.formats.file;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Tells word vectors, which have no magic number, by their first line: {@code count width} in front
 * of word2vec rows, or fields that end in numbers.
 */
final class VectorClues {
  /** Enough of a line to see two of its fields behind any ordinary word. */
  private static final int LOOK = 4096;

  private static final Pattern HEADER = Pattern.compile("^\\d{1,18} \\d{1,18}[ \\r]*\\n");
  private static final String NUMBER =
      "[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?|[-+]?(?i:nan|inf|infinity)";
  private static final Pattern IS_NUMBER = Pattern.compile(NUMBER);

  /** Also behind another column, in quotes, or with semicolons: whoever reads it says why not. */
  private static final Pattern COLUMNS =
      Pattern.compile("^(?:[^\\n]*[,;\\t])?\"?id\"?[,;\\t]\"?token\"?[,;\\t]\"?d0");

  private VectorClues() {}

  /** Returns whether the first line names the columns of a table: id, token, d0. */
  static boolean namesColumns(String head) {
    return COLUMNS.matcher(head).find();
  }

  /** Returns whether the first line is word2vec's header. */
  static boolean hasHeader(String head) {
    return HEADER.matcher(head).find();
  }

  /** Returns whether the first line is fields with spaces between, the last of them numbers. */
  static boolean isWordLine(MemorySegment bytes) {
    String line = firstLine(bytes);
    String[] fields = line.split(" ", -1);
    if (hasControls(fields[0]) && bytes.byteSize() == line.length()) {
      return false; // no line ends at all: rather the start of something that was cut off
    }
    int last = fields.length - 1;
    while (last > 0 && (fields[last].isEmpty() || fields[last].equals("\r"))) {
      last--;
    }
    for (int i = 1; i < last && hasControls(fields[0]); i++) {
      if (!isNumber(fields[i])) {
        return false; // a word may hold any character, but then all the rest must be numbers
      }
    }
    // in a line longer than we look, the last field may be cut within
    boolean second = last >= 2 && isNumber(fields[last - 1]);
    boolean ends = last >= 1 && isNumber(fields[last].stripTrailing()) && (second || last == 1);
    return ends && IntStream.rangeClosed(1, last).noneMatch(i -> hasControls(fields[i]));
  }

  /** Returns whether the first line is two numbers or more with tabs between and nothing else. */
  static boolean isNumberLine(MemorySegment bytes) {
    String[] fields = firstLine(bytes).split("\t", -1);
    for (String field : fields) {
      if (!isNumber(field.stripTrailing())) {
        return false;
      }
    }
    return fields.length > 1;
  }

  private static boolean hasControls(String text) {
    return text.chars().anyMatch(c -> c < ' ' && c != '\t' && c != '\r');
  }

  private static boolean isNumber(String field) {
    return IS_NUMBER.matcher(field).matches();
  }

  /** Returns the first line, or its whole fields among the first bytes. */
  private static String firstLine(MemorySegment bytes) {
    byte[] head = bytes.asSlice(0, Math.min(LOOK, bytes.byteSize())).toArray(JAVA_BYTE);
    String text = new String(head, StandardCharsets.ISO_8859_1);
    int end = text.indexOf('\n');
    if (end < 0 && bytes.byteSize() > LOOK) {
      end = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\t'));
    }
    return end < 0 ? text : text.substring(0, end);
  }
}
