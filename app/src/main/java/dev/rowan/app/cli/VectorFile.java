package dev.rowan.app.cli;

import dev.rowan.core.Query;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One vector as text. */
final class VectorFile {
  private static final long MOST_BYTES = 16L << 20;

  private VectorFile() {}

  /**
   * Reads numbers apart by white space, commas, semicolons or brackets.
   *
   * @param width how many there must be
   */
  static Query read(Path file, int width) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new UseException(
          "%s has %,d bytes; one vector as text is at most %,d"
              .formatted(file, Files.size(file), MOST_BYTES));
    }
    String text;
    try {
      text = Files.readString(file);
    } catch (MalformedInputException e) {
      throw new IOException(file + ": not text; write the vector as numbers apart by spaces", e);
    }
    String[] words = text.strip().split("[\\s,;\\[\\]]+", -1);
    double[] values = new double[words.length];
    int count = 0;
    for (String word : words) {
      if (word.isEmpty()) {
        continue; // in front of the first bracket, after the last
      }
      try {
        values[count++] = Double.parseDouble(word);
      } catch (NumberFormatException e) {
        throw new IOException(
            "%s: %s is no number (the %,d. entry)".formatted(file, Visible.quoted(word), count), e);
      }
    }
    if (count != width) {
      throw new UseException(
          "%s has %,d numbers but the table's width is %,d; make the vector with this model"
              .formatted(file, count, width));
    }
    return Query.of(java.util.Arrays.copyOf(values, count));
  }
}
