package dev.rowan.formats.gguf;

import java.util.Locale;
import java.util.Optional;

/** The types of metadata values; the place in this list is the number in the file. */
enum GgufType {
  U8(1),
  I8(1),
  U16(2),
  I16(2),
  U32(4),
  I32(4),
  F32(4),
  BOOL(1),
  STRING(8),
  ARRAY(12),
  U64(8),
  I64(8),
  F64(8);

  private static final GgufType[] ALL = values();

  private final int least;

  GgufType(int least) {
    this.least = least;
  }

  /** Returns the bytes that such a value takes, of a string or an array the least. */
  int least() {
    return least;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<GgufType> of(int number) {
    return number < 0 || number >= ALL.length ? Optional.empty() : Optional.of(ALL[number]);
  }
}
