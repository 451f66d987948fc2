package dev.rowan.formats.tensor;

import dev.rowan.core.kernel.RowFormat;
import java.util.Locale;
import java.util.Optional;

/**
 * How a tensor's numbers are stored.
 *
 * @param label the name that the file format uses, such as {@code BF16}
 * @param bits the bits that one number takes, rounded down where blocks of numbers share a scale; 0
 *     if that is not known
 * @param kind what the numbers are
 * @param rows how to read rows of such numbers, where that is supported
 */
public record Dtype(String label, int bits, Kind kind, Optional<RowFormat> rows) {

  /** What numbers are. */
  public enum Kind {
    /** Numbers with a fraction: parameters of a model. */
    FLOAT,
    /** Whole numbers and truth values: buffers, or packed parameters. */
    INTEGER,
    /** Texts and the like. */
    OTHER
  }

  /** Returns the label as people are shown it, spelled like the formats of tables: {@code bf16}. */
  public String shown() {
    return label.toLowerCase(Locale.ROOT);
  }

  /** Returns a float dtype whose rows can be read. */
  public static Dtype rows(String label, int bits, RowFormat rows) {
    return new Dtype(label, bits, Kind.FLOAT, Optional.of(rows));
  }

  /** Returns a dtype whose rows cannot be read. */
  public static Dtype opaque(String label, int bits, Kind kind) {
    return new Dtype(label, bits, kind, Optional.empty());
  }
}
