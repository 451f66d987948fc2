package dev.rowan.analysis.eval;

import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Text files whose lines end in any of the usual ways. */
final class TextLines {
  /** Far above any test set: 19,544 analogy questions are 0.6 MB. */
  private static final int MOST_BYTES = 64 << 20;

  private static final Pattern SPACE = Pattern.compile("[\\s\\p{Z}\\x1C-\\x1F\\x85]+");

  private TextLines() {}

  /**
   * Reads all lines, without a byte order mark.
   *
   * @throws FormatException if the file is not UTF-8 or too large to be a test set
   */
  static List<String> read(Path path) throws IOException {
    byte[] raw;
    try (InputStream in = Files.newInputStream(path)) {
      raw = in.readNBytes(MOST_BYTES + 1); // counted as it is read: a pipe does not tell its size
    }
    if (raw.length > MOST_BYTES) {
      throw new FormatException(
          path, "more than %,d bytes are too many for a test set".formatted(MOST_BYTES));
    }
    ByteBuffer bytes = ByteBuffer.wrap(raw);
    CharBuffer text = CharBuffer.allocate(bytes.remaining());
    CoderResult result =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .decode(bytes, text, true);
    if (result.isError()) {
      throw new FormatException(
          path, bytes.position(), "this byte is not UTF-8; save the file as UTF-8");
    }
    String all = text.flip().toString();
    if (all.indexOf('\0') >= 0) {
      throw new FormatException(path, "holds zero bytes, so it is no text; look at what it is");
    }
    return (all.startsWith("\uFEFF") ? all.substring(1) : all).lines().toList();
  }

  /** Returns the fields of a line apart by white space, as Python's {@code str.split()} does. */
  static List<String> fields(String line) {
    return SPACE.splitAsStream(line).filter(field -> !field.isEmpty()).toList();
  }
}
