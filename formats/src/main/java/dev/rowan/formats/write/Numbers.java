package dev.rowan.formats.write;

import dev.rowan.core.Table;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.tensor.BigEndianRows;
import dev.rowan.formats.tensor.Doubles;
import java.util.Optional;

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
    if (target == TargetFormat.PROJECTOR) {
      checkNumbers(source);
    }
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
    if (source.table().format() instanceof BigEndianRows big
        && target.holds(big.littleEndianLabel())) {
      return new Encoder.Reversed(source, big);
    }
    if (Doubles.of(source.table()).isPresent()) {
      source.note(
          "numbers of %s were rounded to f32, which is what %s holds"
              .formatted(stored, target.label()));
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
    if (format != FloatFormat.F32 || Doubles.of(source.table()).isPresent()) {
      checkRange(source, format);
    }
    return new Encoder.Floats(source, format);
  }

  private static void checkRange(Source source, FloatFormat format) {
    Greatest greatest = greatest(source, Greatest.Of.FINITE);
    if (greatest.magnitude() < beyond(format)) {
      return;
    }
    String advice =
        format == FloatFormat.F32
            ? "npy, npz, safetensors, GGUF and Model2Vec keep f64 where no other number format is asked for"
            : "choose another number format";
    throw new IllegalArgumentException(
        "row %d holds %s, but %s ends at %s; %s"
            .formatted(greatest.row(), greatest.shown(), format.label(), limit(format), advice));
  }

  private static void checkNumbers(Source source) {
    float[] row = new float[source.width()];
    for (long r = 0; r < source.rows(); r++) {
      source.table().copyRow(source.id(r), row, 0);
      for (float number : row) {
        if (Float.isNaN(number)) {
          throw new IllegalArgumentException(
              "row %d holds NaN, which TensorBoard takes for a label; choose another format"
                  .formatted(source.id(r)));
        }
      }
    }
  }

  private static float limit(FloatFormat format) {
    return switch (format) {
      case F32 -> Float.MAX_VALUE;
      case F16 -> 65504;
      case BF16 -> 0x1.FEp127f;
    };
  }

  /** Returns the least magnitude that rounds to infinity: half a step above the limit. */
  private static double beyond(FloatFormat format) {
    return switch (format) {
      case F32 -> 0x1.FFFFFFp127;
      case F16 -> 65520;
      case BF16 -> 0x1.FFp127;
    };
  }

  private static Encoder bytes(Source source, TargetFormat target) {
    if (target == TargetFormat.MODEL2VEC) {
      Greatest greatest = greatest(source, Greatest.Of.ALL);
      source.note("int8 rows have no scale: their directions are kept, their lengths are not");
      return new Encoder.Bytes(source, (float) greatest.magnitude() / 127);
    }
    if (target == TargetFormat.GGUF) {
      if (source.width() % 32 != 0) {
        throw new IllegalArgumentException(
            "rows of %,d numbers cannot be written as Q8_0, whose blocks have 32; choose f16"
                .formatted(source.width()));
      }
      Greatest greatest = greatest(source, Greatest.Of.ALL);
      if ((float) greatest.magnitude() / 127 >= 65520) {
        throw new IllegalArgumentException(
            "row %d holds %s, which is beyond Q8_0; choose another number format"
                .formatted(greatest.row(), greatest.shown()));
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
  private record Greatest(double magnitude, long row) {
    /** Returns the magnitude with as many digits as it is stored with. */
    String shown() {
      return text(magnitude);
    }

    /** Of which numbers. */
    enum Of {
      FINITE,
      ALL
    }
  }

  private static Greatest greatest(Source source, Greatest.Of of) {
    Table table = source.table();
    Optional<Doubles> doubles = Doubles.of(table);
    float[] row = new float[source.width()];
    double greatest = 0;
    long place = 0;
    for (long r = 0; r < source.rows(); r++) {
      long id = source.id(r);
      table.copyRow(id, row, 0);
      for (int i = 0; i < row.length; i++) {
        if (!Float.isFinite(row[i]) && of == Greatest.Of.ALL) {
          throw new IllegalArgumentException(
              "row %d holds %s, which int8 cannot; choose another number format"
                  .formatted(id, text(number(doubles, id, i, row))));
        }
        double magnitude = Math.abs(number(doubles, id, i, row));
        if (Double.isFinite(magnitude) && magnitude > greatest) {
          greatest = magnitude;
          place = id;
        }
      }
    }
    return new Greatest(greatest, place);
  }

  private static double number(Optional<Doubles> doubles, long id, int column, float[] row) {
    return doubles.isPresent() ? doubles.get().number(id, column) : row[column];
  }

  private static String text(double number) {
    float near = (float) number;
    return near == number || Double.isNaN(number) ? Float.toString(near) : Double.toString(number);
  }
}
