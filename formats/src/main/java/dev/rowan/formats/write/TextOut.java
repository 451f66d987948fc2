package dev.rowan.formats.write;

import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.file.NewFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Rows as text. Numbers are written as the shortest decimal that reads back as the same float32.
 */
final class TextOut {
  private TextOut() {}

  /** Words and numbers with spaces between, word2vec's header in front or not. */
  static void vectors(Source source, Path file, TargetFormat target) throws IOException {
    NewFile.write(
        file,
        out ->
            Sink.over(
                out,
                sink -> {
                  if (target == TargetFormat.WORD2VEC_TEXT) {
                    sink.put(source.rows() + " " + source.width() + "\n");
                  }
                  float[] row = new float[source.width()];
                  for (long i = 0; i < source.rows(); i++) {
                    sink.put(tokenOf(source, i));
                    source.table().copyRow(source.id(i), row, 0);
                    for (float number : row) {
                      sink.put(' ');
                      number(sink, number);
                    }
                    sink.put('\n');
                  }
                }));
  }

  /** word2vec's binary, with a line break behind each row as the C tool writes it. */
  static void binary(Source source, Path file) throws IOException {
    NewFile.write(
        file,
        out ->
            Sink.over(
                out,
                sink -> {
                  sink.put(source.rows() + " " + source.width() + "\n");
                  float[] row = new float[source.width()];
                  byte[] bytes = new byte[Math.multiplyExact(4, source.width())];
                  for (long i = 0; i < source.rows(); i++) {
                    sink.put(tokenOf(source, i));
                    sink.put(' ');
                    source.table().copyRow(source.id(i), row, 0);
                    FloatFormat.F32.encode(row, 0, row.length, MemorySegment.ofArray(bytes), 0);
                    sink.put(bytes);
                    sink.put('\n');
                  }
                }));
  }

  /** A table for people, with the names of the columns in front. */
  static void columns(Source source, Path file, TargetFormat target) throws IOException {
    char separator = target == TargetFormat.CSV ? ',' : '\t';
    NewFile.write(
        file,
        out ->
            Sink.over(
                out,
                sink -> {
                  sink.put("id" + separator + "token");
                  for (int i = 0; i < source.width(); i++) {
                    sink.put(separator);
                    sink.put("d" + i);
                  }
                  sink.put('\n');
                  float[] row = new float[source.width()];
                  for (long i = 0; i < source.rows(); i++) {
                    sink.put(Long.toString(i)); // what it has when read again
                    sink.put(separator);
                    sink.put(field(tokenOf(source, i), separator));
                    source.table().copyRow(source.id(i), row, 0);
                    for (float number : row) {
                      sink.put(separator);
                      number(sink, number);
                    }
                    sink.put('\n');
                  }
                }));
  }

  /** Numbers alone, tabs between. */
  static void numbers(Source source, Path file) throws IOException {
    NewFile.write(
        file,
        out ->
            Sink.over(
                out,
                sink -> {
                  float[] row = new float[source.width()];
                  for (long i = 0; i < source.rows(); i++) {
                    source.table().copyRow(source.id(i), row, 0);
                    for (int j = 0; j < row.length; j++) {
                      if (j > 0) {
                        sink.put('\t');
                      }
                      number(sink, row[j]);
                    }
                    sink.put('\n');
                  }
                }));
  }

  /** Tokens alone, a line each. */
  static void tokens(Source source, Path file) throws IOException {
    NewFile.write(
        file,
        out ->
            Sink.over(
                out,
                sink -> {
                  for (long i = 0; i < source.rows(); i++) {
                    sink.put(tokenOf(source, i));
                    sink.put('\n');
                  }
                }));
  }

  private static byte[] tokenOf(Source source, long row) {
    byte[] token = source.token(row);
    return token == null ? new byte[0] : token;
  }

  private static void number(Sink sink, float number) throws IOException {
    sink.put(Float.toString(number));
  }

  /** Quotes a field of CSV where RFC 4180 asks for it. */
  private static byte[] field(byte[] token, char separator) {
    boolean plain = separator != ',';
    for (int i = 0; i < token.length && !plain; i++) {
      byte b = token[i];
      if (b == ',' || b == '"' || b == '\n' || b == '\r') {
        String text = new String(token, StandardCharsets.UTF_8);
        return ('"' + text.replace("\"", "\"\"") + '"').getBytes(StandardCharsets.UTF_8);
      }
    }
    return token;
  }
}
