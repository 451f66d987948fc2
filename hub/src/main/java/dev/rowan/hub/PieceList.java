package dev.rowan.hub;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.hub.Excerpt.Piece;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Some pieces of a file, kept together behind a list of them.
 *
 * <pre>
 *   FROM-TO\n   a line for each piece: its first byte in the other file, and that behind its last
 *   \n          an empty line
 *   bytes       of all pieces, one after the other
 * </pre>
 *
 * @param pieces in the order in which they are kept
 * @param start the byte at which the first of them is kept
 */
record PieceList(List<Piece> pieces, int start) {
  private static final Pattern LINE = Pattern.compile("(\\d{1,18})-(\\d{1,18})");
  private static final int LONGEST = 4096;

  PieceList {
    pieces = List.copyOf(pieces);
  }

  /** Returns an excerpt of pieces that says which they are. */
  static Excerpt of(List<Piece> pieces) {
    StringBuilder text = new StringBuilder();
    pieces.forEach(piece -> text.append(piece.from()).append('-').append(piece.to()).append('\n'));
    return new Excerpt(text.append('\n').toString().getBytes(StandardCharsets.UTF_8), pieces);
  }

  /**
   * Reads a list.
   *
   * @param size how many bytes the other file has
   * @return empty if this is none, or not all of it is there
   */
  static Optional<PieceList> read(MemorySegment kept, long size) {
    byte[] bytes = kept.asSlice(0, Math.min(LONGEST, kept.byteSize())).toArray(JAVA_BYTE);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\n\n");
    List<Piece> pieces = new ArrayList<>();
    long all = end + 2L;
    for (String line : text.substring(0, Math.max(end, 0)).lines().toList()) {
      Matcher matcher = LINE.matcher(line);
      if (!matcher.matches()) {
        return Optional.empty();
      }
      Piece piece = new Piece(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
      if (piece.from() >= piece.to() || piece.to() > size) {
        return Optional.empty();
      }
      pieces.add(piece);
      all += piece.bytes();
    }
    return end < 0 || all != kept.byteSize()
        ? Optional.empty()
        : Optional.of(new PieceList(pieces, end + 2));
  }
}
