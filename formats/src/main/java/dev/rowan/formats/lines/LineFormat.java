package dev.rowan.formats.lines;

/**
 * How the lines of a table are written.
 *
 * @param start the byte at which the first row's line starts
 * @param firstLine the number of that line, counted from 1
 * @param width d, how many numbers end a line
 * @param separator the ASCII character between fields
 * @param evidence what says how many numbers a line has, as the end of a sentence: {@code the
 *     header says}
 */
public record LineFormat(long start, int firstLine, int width, byte separator, String evidence) {

  /** Counts the fields of a line; several separators in a row count as one. */
  static int fields(byte[] bytes, int from, int end, byte separator) {
    int count = 0;
    for (int i = from; i < end; i++) {
      if (bytes[i] != separator && (i == from || bytes[i - 1] == separator)) {
        count++;
      }
    }
    return count;
  }
}
