package dev.rowan.formats.columns;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.lines.DecimalFloat;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The lines of a table of columns, one after the other. */
final class ColumnLines {
  private static final int LONGEST_NUMBER = 4096;
  private static final int MOST_WIDTH = 1 << 20;
  private static final String QUOTED = ": it stands in quotes; write numbers without";

  private final Path path;
  private final MemorySegment bytes;
  private final byte separator;
  private final int width;

  private long at;
  private long row;
  private long id;
  private byte[] token = new byte[0];

  ColumnLines(Path path, MemorySegment bytes) {
    this.path = path;
    this.bytes = bytes;
    long end = lineEnd();
    if (end > LONGEST_NUMBER * (long) MOST_WIDTH) {
      throw wrong("the first line does not end");
    }
    String names =
        new String(bytes.asSlice(0, end).toArray(JAVA_BYTE), StandardCharsets.UTF_8)
            .stripTrailing();
    this.separator = (byte) (names.indexOf('\t') >= 0 ? '\t' : names.indexOf(',') >= 0 ? ',' : ';');
    String[] columns = names.split(String.valueOf((char) separator), -1);
    for (int i = 0; i < columns.length; i++) {
      columns[i] = columns[i].replaceFirst("^\"(.*)\"$", "$1");
    }
    this.width = columns.length - 2;
    boolean known = width > 0 && columns[0].equals("id") && columns[1].equals("token");
    for (int i = 0; known && i < width; i++) {
      known = columns[i + 2].equals("d" + i);
    }
    if (!known) {
      String named = String.join(", ", columns);
      throw wrong(
          "the first line should name the columns id, token, d0, d1 and so on and no others, but names %s; pandas writes them so with to_csv(file, index=False)"
              .formatted(named.substring(0, Math.min(60, named.length()))));
    }
    at = Math.min(end + 1, bytes.byteSize());
  }

  /** Returns how many numbers a row has. */
  int width() {
    return width;
  }

  /** Returns a number of rows that there are not more of. */
  long mostRows() {
    long lines = 1;
    for (long i = at; i < bytes.byteSize(); i++) {
      lines += bytes.get(JAVA_BYTE, i) == '\n' ? 1 : 0;
    }
    return lines;
  }

  /** Returns the id that the last row has. */
  long id() {
    return id;
  }

  /** Returns the token that the last row has, empty if it has none. */
  byte[] token() {
    return token;
  }

  /**
   * Reads the next row.
   *
   * @return false if there is none
   */
  boolean next(float[] numbers) {
    if (at >= bytes.byteSize()) {
      return false;
    }
    id = readId();
    token = readToken();
    long end = lineEnd();
    byte[] line = bytes.asSlice(at, end - at).toArray(JAVA_BYTE);
    int stop = line.length > 0 && line[line.length - 1] == '\r' ? line.length - 1 : line.length;
    int from = 0;
    for (int i = 0; i < width; i++) {
      long found = from > stop ? DecimalFloat.NONE : DecimalFloat.read(line, from, stop, separator);
      if (found == DecimalFloat.NONE) {
        boolean quoted = from < stop && line[from] == '"';
        throw wrong(
            "row %,d has no number in column d%d%s".formatted(row, i, quoted ? QUOTED : ""));
      }
      numbers[i] = DecimalFloat.value(found);
      from = DecimalFloat.next(found) + 1;
    }
    if (from <= stop) {
      throw wrong("row %,d has more than %,d numbers".formatted(row, width));
    }
    at = Math.min(end + 1, bytes.byteSize());
    row++;
    return true;
  }

  private long readId() {
    long value = 0;
    int digits = 0;
    byte b = peek();
    for (; b >= '0' && b <= '9' && digits < 18; b = peek()) {
      value = 10 * value + b - '0';
      digits++;
      at++;
    }
    if (digits == 0 || b != separator) {
      throw wrong("row %,d does not start with an id%s".formatted(row, b == '"' ? QUOTED : ""));
    }
    at++;
    return value;
  }

  private byte[] readToken() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (separator != '\t' && peek() == '"') {
      at++;
      while (true) {
        byte b = peek();
        at++;
        if (b == '"' && peek() != '"') {
          break;
        }
        at += b == '"' ? 1 : 0; // two stand for one
        out.write(b);
      }
    } else {
      for (byte b = peek(); b != separator && b != '\n'; b = peek()) {
        out.write(b);
        at++;
      }
    }
    if (peek() != separator) {
      throw wrong("row %,d has nothing behind its token".formatted(row));
    }
    at++;
    return out.toByteArray();
  }

  private byte peek() {
    if (at >= bytes.byteSize()) {
      throw wrong("row %,d is cut off".formatted(row));
    }
    return bytes.get(JAVA_BYTE, at);
  }

  private long lineEnd() {
    long end = at;
    while (end < bytes.byteSize() && bytes.get(JAVA_BYTE, end) != '\n') {
      end++;
    }
    return end;
  }

  private FormatException wrong(String what) {
    return new FormatException(path, at, what);
  }
}
