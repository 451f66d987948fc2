package dev.rowan.formats.numpy;

import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.core.kernel.RowFormat;
import dev.rowan.formats.tensor.BigEndianRows;
import dev.rowan.formats.tensor.DoubleRows;
import dev.rowan.formats.tensor.Dtype;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** NumPy's descriptions of number formats: byte order, kind, bytes, such as {@code <f4}. */
final class NpyDtypes {
  // the largest that exist are texts; a few hundred MB of one text is no array of ours
  private static final Pattern DESCR =
      Pattern.compile("([<>|=])([?bBhHiIuUfcmMSaVO])(\\d{0,8})(\\[.*])?");

  private NpyDtypes() {}

  /** Returns what a description means; empty if it is none. */
  static Optional<Dtype> of(String descr) {
    Matcher matcher = DESCR.matcher(descr);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    boolean big = matcher.group(1).equals(">");
    int size = matcher.group(3).isEmpty() ? 0 : Integer.parseInt(matcher.group(3));
    return switch (matcher.group(2) + size) {
      case "f2" -> Optional.of(number("F16", big, FloatFormat.F16, BigEndianRows.F16, 16));
      case "f4" -> Optional.of(number("F32", big, FloatFormat.F32, BigEndianRows.F32, 32));
      case "f8" -> Optional.of(number("F64", big, DoubleRows.F64, BigEndianRows.F64, 64));
      default -> Optional.of(opaque(descr, matcher.group(2), size));
    };
  }

  private static Dtype number(
      String label, boolean big, RowFormat little, RowFormat bigEndian, int bits) {
    return big
        ? Dtype.rows(label + " big-endian", bits, bigEndian)
        : Dtype.rows(label, bits, little);
  }

  private static Dtype opaque(String descr, String kind, int size) {
    return switch (kind) {
      case "f", "c" -> Dtype.opaque(descr, 8 * size, Dtype.Kind.FLOAT);
      case "i", "u", "b" -> Dtype.opaque(descr, 8 * size, Dtype.Kind.INTEGER);
      // U counts characters of four bytes
      case "U" -> Dtype.opaque(descr, 32 * size, Dtype.Kind.OTHER);
      case "O" -> Dtype.opaque("Python objects", 0, Dtype.Kind.OTHER);
      default -> Dtype.opaque(descr, 8 * size, Dtype.Kind.OTHER);
    };
  }
}
