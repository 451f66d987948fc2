package dev.rowan.formats.write;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.file.NewFile;
import dev.rowan.formats.numpy.NumpyFile;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * NumPy's .npy (format 1.0) and .npz.
 *
 * <pre>
 *   .npy  "\x93NUMPY" 1 0, u16 length, a Python dict as text, padded with spaces and "\n" so that
 *         the numbers start at a multiple of 64
 *   .npz  a zip of: embeddings.npy, output.weight.npy where the output has a table of its own,
 *         tokens.npy ({@code <U}), source.npy ({@code <U})
 * </pre>
 */
final class NumpyOut {
  private static final int ALIGNMENT = 64;
  private static final int PREFIX = 10;

  /** NumPy gives each text the room of the longest; beyond this a few long ones waste too much. */
  private static final long MOST_TEXT_BYTES = 1L << 30;

  private NumpyOut() {}

  static void npy(EncodedRows rows, Path file) throws IOException {
    NewFile.write(
        file,
        out -> {
          out.append(MemorySegment.ofArray(header(rows)));
          rows.appendTo(out);
        });
  }

  /** Refuses tokens that cannot be kept as an array of texts. */
  static void checkTokens(Source source) {
    if (source.hasTokens() && hasEmptyToken(source) && hasRowWithoutToken(source)) {
      throw new IllegalArgumentException(
          "a token is empty and other rows have none, which npz would not tell apart; leave out the rows without a token (--with-token)");
    }
    long bytes = source.hasTokens() ? 4L * longest(source) * source.rows() : 0;
    if (bytes > MOST_TEXT_BYTES) {
      throw new IllegalArgumentException(
          "the longest token has %,d characters, and NumPy gives each of %,d tokens that room: %,d"
                  .formatted(longest(source), source.rows(), bytes)
              + " bytes; choose npy, or another format");
    }
  }

  static void npz(Source source, EncodedRows rows, Optional<EncodedRows> output, Path file)
      throws IOException {
    NewFile.write(
        file,
        out -> {
          try (ZipOutputStream zip = new ZipOutputStream(stream(out))) {
            zip.setLevel(Deflater.BEST_SPEED); // numbers of tables hardly shrink
            table(zip, "embeddings.npy", rows);
            if (output.isPresent()) {
              table(zip, "output.weight.npy", output.get());
            }
            if (source.hasTokens()) {
              zip.putNextEntry(member("tokens.npy"));
              tokens(source, zip);
              zip.closeEntry();
            }
            zip.putNextEntry(member("source.npy"));
            String text = String.join("\n", lines(source));
            zip.write(header("<U" + codePoints(text), "()"));
            writeText(zip, text, codePoints(text));
            zip.closeEntry();
          }
        });
  }

  private static void table(ZipOutputStream zip, String name, EncodedRows rows) throws IOException {
    zip.putNextEntry(member(name));
    zip.write(header(rows));
    rows.forEachPiece(piece -> zip.write(piece.toArray(JAVA_BYTE)));
    zip.closeEntry();
  }

  private static List<String> lines(Source source) {
    List<String> lines = new ArrayList<>();
    for (var text : source.texts().entrySet()) {
      String line = text.getKey() + " = " + text.getValue();
      boolean oneLine = line.indexOf('\n') < 0 && line.indexOf('\r') < 0;
      if (oneLine && !text.getKey().isEmpty() && !text.getKey().contains(" = ")) {
        lines.add(line);
      } else {
        source.note(
            "the text \"%s\" was left out: npz keeps what fits on a line \"name = text\""
                .formatted(text.getKey()));
      }
    }
    source.provenance().forEach((key, value) -> lines.add(key + " = " + value));
    if (source.hasTokens()) {
      String spelling = source.vocabulary().spelling().name().toLowerCase(Locale.ROOT);
      lines.add(NumpyFile.SPELLING + " = " + spelling);
      if (hasEmptyToken(source)) {
        lines.add(NumpyFile.EMPTY + " = " + NumpyFile.EMPTY_TOKEN);
      }
    }
    return lines;
  }

  private static boolean hasEmptyToken(Source source) {
    for (long row = 0; row < source.rows(); row++) {
      byte[] token = source.token(row);
      if (token != null && token.length == 0) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasRowWithoutToken(Source source) {
    for (long row = 0; row < source.rows(); row++) {
      if (source.token(row) == null) {
        return true;
      }
    }
    return false;
  }

  private static ZipEntry member(String name) {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(LocalDateTime.of(1980, 1, 1, 0, 0)); // same input, same bytes
    return entry;
  }

  private static void tokens(Source source, OutputStream out) throws IOException {
    int longest = Math.max(1, longest(source));
    out.write(header("<U" + longest, "(" + source.rows() + ",)"));
    for (long row = 0; row < source.rows(); row++) {
      byte[] token = source.token(row);
      writeText(out, token == null ? "" : new String(token, StandardCharsets.UTF_8), longest);
    }
  }

  private static int longest(Source source) {
    int longest = 0;
    for (long row = 0; row < source.rows(); row++) {
      byte[] token = source.token(row);
      if (token != null) {
        longest = Math.max(longest, codePoints(new String(token, StandardCharsets.UTF_8)));
      }
    }
    return longest;
  }

  private static int codePoints(String text) {
    return text.codePointCount(0, text.length());
  }

  private static void writeText(OutputStream out, String text, int room) throws IOException {
    byte[] units = text.getBytes(StandardCharsets.UTF_32LE);
    out.write(Arrays.copyOf(units, 4 * room));
  }

  private static byte[] header(EncodedRows rows) {
    String type =
        switch (rows.encoder().label()) {
          case "f64" -> "<f8";
          case "f32" -> "<f4";
          case "f16" -> "<f2";
          default -> throw new IllegalStateException("npy has no " + rows.encoder().label());
        };
    return header(type, "(" + rows.source().rows() + ", " + rows.source().width() + ")");
  }

  private static byte[] header(String type, String shape) {
    String dict = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }".formatted(type, shape);
    int length = Math.ceilDiv(PREFIX + dict.length() + 1, ALIGNMENT) * ALIGNMENT - PREFIX;
    String padded = dict + " ".repeat(length - dict.length() - 1) + "\n";
    byte[] header = new byte[PREFIX + length];
    byte[] magic = {
      (byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) length, (byte) (length >> 8)
    };
    System.arraycopy(magic, 0, header, 0, PREFIX);
    System.arraycopy(padded.getBytes(StandardCharsets.US_ASCII), 0, header, PREFIX, length);
    return header;
  }

  private static OutputStream stream(NewFile file) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        file.append(MemorySegment.ofArray(new byte[] {(byte) b}));
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        file.append(MemorySegment.ofArray(bytes).asSlice(offset, length));
      }
    };
  }
}
