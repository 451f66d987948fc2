package dev.rowan.formats.word2vec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.lines.DecimalFloat;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Some lines from the front, the middle and the end of a text, to tell how its lines are made
 * before it is read as a whole.
 */
final class TextSample {
  private static final int PLACES = 8;
  private static final int LINES = 256;
  private static final long LONGEST = 1 << 22;

  private final List<byte[]> lines = new ArrayList<>();

  /** Takes a sample of the lines from a byte on. */
  TextSample(MemorySegment bytes, long from) {
    long end = bytes.byteSize();
    long at = from;
    for (int place = 0; place < PLACES; place++) {
      long nominal = from + (end - from) / PLACES * place;
      if (nominal > at) {
        at = nextLine(bytes, nominal, end);
      }
      for (int i = 0; i < LINES && at < end; i++) {
        long next = nextLine(bytes, at, end);
        boolean whole = next < end || bytes.get(JAVA_BYTE, end - 1) == '\n';
        long to = next - (whole ? 1 : 0);
        if (to - at <= LONGEST) {
          add(bytes.asSlice(at, to - at).toArray(JAVA_BYTE));
        }
        at = next;
      }
    }
  }

  private void add(byte[] line) {
    byte[] trimmed = trimmed(line);
    if (trimmed.length > 0) {
      lines.add(trimmed);
    }
  }

  private static byte[] trimmed(byte[] line) {
    int end = line.length;
    while (end > 0 && (line[end - 1] == ' ' || line[end - 1] == '\r')) {
      end--;
    }
    return Arrays.copyOf(line, end);
  }

  /** Returns how many numbers one line ends in, beside its first field. */
  static int numbersOfLine(MemorySegment bytes, long from) {
    long next = nextLine(bytes, from, bytes.byteSize());
    return from == next ? 0 : numbersOfLine(bytes.asSlice(from, next - from).toArray(JAVA_BYTE));
  }

  private static int numbersOfLine(byte[] line) {
    boolean ended = line.length > 0 && line[line.length - 1] == '\n';
    byte[] trimmed = trimmed(ended ? Arrays.copyOf(line, line.length - 1) : line);
    return Math.min(numbersAtEnd(trimmed), fields(trimmed) - 1);
  }

  /**
   * Returns whether carriage returns alone end the lines of a text, as on the Macs of old: it has
   * no line feed, and what stands in front of the first carriage return is a word and numbers.
   */
  static boolean hasCarriageReturnsOnly(MemorySegment bytes) {
    long end = nextLine(bytes, 0, bytes.byteSize());
    if (end < bytes.byteSize()) {
      return false;
    }
    byte[] head = bytes.asSlice(0, Math.min(LONGEST, end)).toArray(JAVA_BYTE);
    for (int i = 0; i < head.length - 2; i++) {
      if (head[i] == '\r') {
        return head[i + 1] != '\n' && numbersOfLine(Arrays.copyOf(head, i)) > 0;
      }
    }
    return false;
  }

  private static long nextLine(MemorySegment bytes, long from, long end) {
    long at = from;
    long limit = Math.min(end, from + LONGEST);
    while (at < limit && bytes.get(JAVA_BYTE, at) != '\n') {
      at++;
    }
    return Math.min(at + 1, end);
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  /**
   * Returns how many numbers most lines end in, of several answers the least. A line's first field
   * is its word, even if it looks like a number.
   */
  int usualNumbers() {
    Map<Integer, Integer> counts = new HashMap<>();
    lines.forEach(
        line -> counts.merge(Math.min(numbersAtEnd(line), fields(line) - 1), 1, Integer::sum));
    int usual = 0;
    int most = 0;
    for (var entry : counts.entrySet()) {
      if (entry.getValue() > most || (entry.getValue() == most && entry.getKey() < usual)) {
        usual = entry.getKey();
        most = entry.getValue();
      }
    }
    return usual;
  }

  /** Returns whether every line has exactly two fields. */
  boolean areAllPairs() {
    return !lines.isEmpty() && lines.stream().allMatch(line -> fields(line) == 2);
  }

  private static int numbersAtEnd(byte[] line) {
    int count = 0;
    int stop = line.length;
    while (stop > 0) {
      int from = stop;
      while (from > 0 && line[from - 1] != ' ') {
        from--;
      }
      if (from == stop || DecimalFloat.read(line, from, stop, (byte) ' ') == DecimalFloat.NONE) {
        break;
      }
      count++;
      stop = Math.max(0, from - 1);
    }
    return count;
  }

  private static int fields(byte[] line) {
    int count = 0;
    for (int i = 0; i < line.length; i++) {
      if (line[i] != ' ' && (i == 0 || line[i - 1] == ' ')) {
        count++;
      }
    }
    return count;
  }
}
