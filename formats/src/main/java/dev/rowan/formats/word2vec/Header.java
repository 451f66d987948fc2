package dev.rowan.formats.word2vec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The first line of word2vec files, text and binary: {@code count width}.
 *
 * @param rows the count of rows that it promises
 * @param width the numbers in a row that it promises
 * @param end the byte after its line
 */
record Header(long rows, long width, long end) {
  private static final Pattern LINE = Pattern.compile("^(\\d{1,18}) (\\d{1,18})[ \\r]*\\n");
  private static final int LONGEST = 64;

  /** Reads two whole numbers from the first line; empty if something else stands there. */
  static Optional<Header> read(MemorySegment bytes) {
    byte[] head = bytes.asSlice(0, Math.min(LONGEST, bytes.byteSize())).toArray(JAVA_BYTE);
    String text = new String(head, StandardCharsets.ISO_8859_1);
    Matcher matcher = LINE.matcher(text);
    if (!matcher.find()) {
      return Optional.empty();
    }
    return Optional.of(
        new Header(
            Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)), matcher.end()));
  }
}
