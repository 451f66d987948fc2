package dev.rowan.formats.tensorflow;

import static dev.rowan.formats.tensor.Dtype.Kind.FLOAT;
import static dev.rowan.formats.tensor.Dtype.Kind.INTEGER;
import static dev.rowan.formats.tensor.Dtype.Kind.OTHER;

import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.core.kernel.RowFormat;
import dev.rowan.formats.tensor.BigEndianRows;
import dev.rowan.formats.tensor.DoubleRows;
import dev.rowan.formats.tensor.Dtype;
import java.nio.ByteOrder;

/** The values of DataType (tensorflow/tensorflow, types.proto). */
final class BundleDtypes {
  private BundleDtypes() {}

  static Dtype of(int number, ByteOrder order) {
    boolean little = order == ByteOrder.LITTLE_ENDIAN;
    return switch (number) {
      case 1 -> rows("DT_FLOAT", 32, little ? FloatFormat.F32 : BigEndianRows.F32);
      case 2 -> rows("DT_DOUBLE", 64, little ? DoubleRows.F64 : BigEndianRows.F64);
      case 3 -> Dtype.opaque("DT_INT32", 32, INTEGER);
      case 4 -> Dtype.opaque("DT_UINT8", 8, INTEGER);
      case 5 -> Dtype.opaque("DT_INT16", 16, INTEGER);
      case 6 -> Dtype.opaque("DT_INT8", 8, INTEGER);
      case 7 -> Dtype.opaque("DT_STRING", 0, OTHER);
      case 8 -> Dtype.opaque("DT_COMPLEX64", 64, FLOAT);
      case 9 -> Dtype.opaque("DT_INT64", 64, INTEGER);
      case 10 -> Dtype.opaque("DT_BOOL", 8, INTEGER);
      case 14 -> rows("DT_BFLOAT16", 16, little ? FloatFormat.BF16 : BigEndianRows.BF16);
      case 17 -> Dtype.opaque("DT_UINT16", 16, INTEGER);
      case 18 -> Dtype.opaque("DT_COMPLEX128", 128, FLOAT);
      case 19 -> rows("DT_HALF", 16, little ? FloatFormat.F16 : BigEndianRows.F16);
      case 22 -> Dtype.opaque("DT_UINT32", 32, INTEGER);
      case 23 -> Dtype.opaque("DT_UINT64", 64, INTEGER);
      case 24 -> Dtype.opaque("DT_FLOAT8_E5M2", 8, FLOAT);
      case 25 -> Dtype.opaque("DT_FLOAT8_E4M3FN", 8, FLOAT);
      default -> Dtype.opaque("data type " + number, 0, OTHER);
    };
  }

  private static Dtype rows(String label, int bits, RowFormat rows) {
    return Dtype.rows(label, bits, rows);
  }
}
