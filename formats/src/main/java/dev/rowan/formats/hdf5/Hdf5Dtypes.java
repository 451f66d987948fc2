package dev.rowan.formats.hdf5;

import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.core.kernel.RowFormat;
import dev.rowan.formats.tensor.BigEndianRows;
import dev.rowan.formats.tensor.DoubleRows;
import dev.rowan.formats.tensor.Dtype;
import io.jhdf.object.datatype.DataType;
import io.jhdf.object.datatype.FixedPoint;
import io.jhdf.object.datatype.FloatingPoint;
import io.jhdf.object.datatype.Reference;
import java.nio.ByteOrder;

/** HDF5's number formats, which it describes bit by bit. */
final class Hdf5Dtypes {
  static final String BFLOAT16 = "bfloat16";
  private static final int SMALLEST_REFERENCE = 8;

  private Hdf5Dtypes() {}

  static Dtype of(DataType type) {
    int bits = Math.multiplyExact(8, Math.max(0, type.getSize()));
    return switch (type) {
      case FloatingPoint number -> floating(number, bits);
      case FixedPoint _ ->
          Dtype.opaque("integers of %d bits".formatted(bits), bits, Dtype.Kind.INTEGER);
      default -> Dtype.opaque(type.getClass().getSimpleName(), bits, Dtype.Kind.OTHER);
    };
  }

  /** Returns whether nothing but the size of a number is known, see {@link Retyped}. */
  static boolean isRaw(DataType type) {
    return type instanceof Reference && type.getSize() < SMALLEST_REFERENCE;
  }

  /**
   * Returns what raw bytes are.
   *
   * @param name the type that Keras gives them
   */
  static Dtype raw(DataType type, String name) {
    int bits = Math.multiplyExact(8, Math.max(0, type.getSize()));
    if (name.equals(BFLOAT16)) {
      return bits == 16
          ? rows("BF16", false, FloatFormat.BF16, BigEndianRows.BF16, bits)
          : Dtype.opaque("raw bytes", bits, Dtype.Kind.OTHER);
    }
    return Dtype.opaque(name, bits, name.contains("float") ? Dtype.Kind.FLOAT : Dtype.Kind.INTEGER);
  }

  private static Dtype floating(FloatingPoint number, int bits) {
    boolean big = number.getByteOrder() == ByteOrder.BIG_ENDIAN;
    return switch (layout(number, bits)) {
      case "16 10 5" -> rows("F16", big, FloatFormat.F16, BigEndianRows.F16, bits);
      case "16 7 8" -> rows("BF16", big, FloatFormat.BF16, BigEndianRows.BF16, bits);
      case "32 23 8" -> rows("F32", big, FloatFormat.F32, BigEndianRows.F32, bits);
      case "64 52 11" -> rows("F64", big, DoubleRows.F64, BigEndianRows.F64, bits);
      default -> Dtype.opaque("floats of %d bits".formatted(bits), bits, Dtype.Kind.FLOAT);
    };
  }

  /** Bits, of which mantissa and exponent; empty unless they lie as IEEE 754 has them. */
  private static String layout(FloatingPoint number, int bits) {
    int mantissa = number.getMantissaSize();
    int exponent = number.getExponentSize();
    boolean usual =
        number.getBitOffset() == 0
            && number.getBitPrecision() == bits
            && number.getMantissaLocation() == 0
            && number.getExponentLocation() == mantissa
            && number.getSignLocation() == bits - 1
            && mantissa + exponent + 1 == bits
            && number.getExponentBias() == (1 << (exponent - 1)) - 1;
    return usual ? bits + " " + mantissa + " " + exponent : "";
  }

  private static Dtype rows(
      String label, boolean big, RowFormat little, RowFormat bigEndian, int bits) {
    return big
        ? Dtype.rows(label + " big-endian", bits, bigEndian)
        : Dtype.rows(label, bits, little);
  }
}
