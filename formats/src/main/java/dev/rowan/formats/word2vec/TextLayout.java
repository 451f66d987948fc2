package dev.rowan.formats.word2vec;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.lines.LineFormat;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How a text of word vectors is laid out: with word2vec's header or without, and how many numbers a
 * line has.
 *
 * @param header the header, if there is one
 * @param lines how the lines after it are written
 */
record TextLayout(Optional<Header> header, LineFormat lines) {

  /**
   * Finds out. The first line is a header if it holds exactly two whole numbers and the lines after
   * it do not look the same: they have another number of fields, or the header promises one number
   * a line, which they have.
   *
   * @throws FormatException if the header and the lines disagree on the width, or no line has
   *     numbers
   */
  static TextLayout of(Path path, MemorySegment bytes) {
    if (TextSample.hasCarriageReturnsOnly(bytes)) {
      throw new FormatException(
          path,
          "is a text whose lines end in a carriage return alone, as on old Macs; save it with line feeds");
    }
    Optional<Header> header = Header.read(bytes);
    if (header.isPresent()) {
      TextSample after = new TextSample(bytes, header.get().end());
      if (!after.areAllPairs() || header.get().width() == 1) {
        return withHeader(path, header.get(), after);
      }
    }
    TextSample sample = new TextSample(bytes, 0);
    int width = sample.usualNumbers();
    if (width < 1) {
      throw new FormatException(
          path,
          "does not look like word vectors: most lines do not end in numbers with single spaces"
              + " between");
    }
    return new TextLayout(
        Optional.empty(), new LineFormat(0, 1, width, (byte) ' ', "most lines have"));
  }

  private static TextLayout withHeader(Path path, Header header, TextSample sample) {
    if (header.width() < 1 || header.width() > Integer.MAX_VALUE / 4) {
      throw new FormatException(
          path,
          "the header says %,d numbers a row; 1 to %,d can be read"
              .formatted(header.width(), Integer.MAX_VALUE / 4));
    }
    int width = (int) header.width();
    if (!sample.isEmpty() && sample.usualNumbers() != width) {
      throw new FormatException(
          path,
          "the header says %,d numbers a row but most lines have %,d; the header or the file is"
                  .formatted(width, sample.usualNumbers())
              + " wrong");
    }
    return new TextLayout(
        Optional.of(header), new LineFormat(header.end(), 2, width, (byte) ' ', "the header says"));
  }
}
