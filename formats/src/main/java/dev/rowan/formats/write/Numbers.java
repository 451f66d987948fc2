package dev.rowan.formats.write;

import dev.rowan.core.Table;
import dev.rowan.core.kernel.FloatFormat;

/** Chooses how numbers are written, and refuses what would lose them without anyone's wish. */
final class Numbers {
  private Numbers() {}

  /**
   * Chooses.
   *
   * @throws IllegalArgumentException if the target cannot hold the format that was asked for, or a
   *     number does not fit it
   */
  static Encoder choose(Source source, NumberFormat wanted, TargetFormat target) {
    String stored = source.table().format().label();
    return switch (wanted) {
      case KEEP -> keep(source, target, stored);
      case F32 -> floats(source, target, FloatFormat.F32);
      case F16 -> floats(source, target, FloatFormat.F16);
      case BF16 -> floats(source, target, FloatFormat.BF16);
      case INT8 -> bytes(source, target);
    };
  }

  private static Encoder keep(Source source, TargetFormat target, String stored) {
    if (target.holds(stored)) {
      return new Encoder.Verbatim(source);
    }
    if (stored.equals("f64")) {
      source.note(
          "numbers of f64 were rounded to f32, which is what %s holds".formatted(target.label()));
    } else {
      source.note(
          "numbers of %s were written as f32, which is what %s holds"
              .formatted(stored, target.label()));
    }
    return floats(source, target, FloatFormat.F32);
  }

  private static Encoder floats(Source source, TargetFormat target, FloatFormat format) {
    if (!target.holds(format.label())) {
      throw new IllegalArgumentException(
          "%s cannot hold %s numbers; leave the number format out to get the nearest that it can"
              .formatted(target.label(), format.label()));
    }
    if (source.table().format() == format) {
      return new Encoder.Verbatim(source);
    }
    if (format != FloatFormat.F32) {
      float limit = format == FloatFormat.F16 ? 65504 : 0x1.FEp127f;
      float half = format == FloatFormat.F16 ? 65520 : 0x1.FFp127f; // from here on it rounds to ∞
      Greatest greatest = greatest(source, Greatest.Of.FINITE);
      if (greatest.magnitude() >= half) {
        throw new IllegalArgumentException(
            "row %d holds %s, but %s ends at %s; choose another number format"
                .formatted(greatest.row(), greatest.magnitude(), format.label(), limit));
      }
    }
    return new Encoder.Floats(source, format);
  }

  private static Encoder bytes(Source source, TargetFormat target) {
    if (target == TargetFormat.MODEL2VEC) {
      Greatest greatest = greatest(source, Greatest.Of.ALL);
      source.note("int8 rows have no scale: their directions are kept, their lengths are not");
      return new Encoder.Bytes(source, greatest.magnitude() / 127);
    }
    if (target == TargetFormat.GGUF) {
      if (source.width() % 32 != 0) {
        throw new IllegalArgumentException(
            "rows of %,d numbers cannot be written as Q8_0, whose blocks have 32; choose f16"
                .formatted(source.width()));
      }
      Greatest greatest = greatest(source, Greatest.Of.ALL);
      if (greatest.magnitude() / 127 >= 65520) {
        throw new IllegalArgumentException(
            "row %d holds %s, which is beyond Q8_0; choose another number format"
                .formatted(greatest.row(), greatest.magnitude()));
      }
      return new Encoder.Q8(source);
    }
    throw new IllegalArgumentException(
        "%s has no agreed place for the scale of int8 rows; Model2Vec and GGUF can hold int8"
            .formatted(target.label()));
  }

  /**
   * The greatest magnitude.
   *
   * @param row the row that holds it
   */
  private record Greatest(float magnitude, long row) {
    /** Of which numbers. */
    enum Of {
      FINITE,
      ALL
    }
  }

  private static Greatest greatest(Source source, Greatest.Of of) {
    Table table = source.table();
    float[] row = new float[source.width()];
    float greatest = 0;
    long place = 0;
    for (long r = 0; r < source.rows(); r++) {
      table.copyRow(source.id(r), row, 0);
      for (float number : row) {
        if (!Float.isFinite(number) && of == Greatest.Of.ALL) {
          throw new IllegalArgumentException(
              "row %d holds %s, which int8 cannot; choose another number format"
                  .formatted(source.id(r), number));
        }
        if (Float.isFinite(number) && Math.abs(number) > greatest) {
          greatest = Math.abs(number);
          place = source.id(r);
        }
      }
    }
    return new Greatest(greatest, place);
  }
}
