package dev.rowan.formats.onnx;

import static dev.rowan.formats.tensor.Dtype.Kind.FLOAT;
import static dev.rowan.formats.tensor.Dtype.Kind.INTEGER;
import static dev.rowan.formats.tensor.Dtype.Kind.OTHER;

import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.tensor.DoubleRows;
import dev.rowan.formats.tensor.Dtype;
import java.util.Map;

/** The values of TensorProto.DataType (onnx/onnx, onnx.proto). */
final class OnnxDtypes {
  private static final Map<Integer, Dtype> BY_NUMBER =
      Map.ofEntries(
          Map.entry(1, Dtype.rows("FLOAT", 32, FloatFormat.F32)),
          Map.entry(2, Dtype.opaque("UINT8", 8, INTEGER)),
          Map.entry(3, Dtype.opaque("INT8", 8, INTEGER)),
          Map.entry(4, Dtype.opaque("UINT16", 16, INTEGER)),
          Map.entry(5, Dtype.opaque("INT16", 16, INTEGER)),
          Map.entry(6, Dtype.opaque("INT32", 32, INTEGER)),
          Map.entry(7, Dtype.opaque("INT64", 64, INTEGER)),
          Map.entry(8, Dtype.opaque("STRING", 0, OTHER)),
          Map.entry(9, Dtype.opaque("BOOL", 8, INTEGER)),
          Map.entry(10, Dtype.rows("FLOAT16", 16, FloatFormat.F16)),
          Map.entry(11, Dtype.rows("DOUBLE", 64, DoubleRows.F64)),
          Map.entry(12, Dtype.opaque("UINT32", 32, INTEGER)),
          Map.entry(13, Dtype.opaque("UINT64", 64, INTEGER)),
          Map.entry(14, Dtype.opaque("COMPLEX64", 64, FLOAT)),
          Map.entry(15, Dtype.opaque("COMPLEX128", 128, FLOAT)),
          Map.entry(16, Dtype.rows("BFLOAT16", 16, FloatFormat.BF16)),
          Map.entry(17, Dtype.opaque("FLOAT8E4M3FN", 8, FLOAT)),
          Map.entry(18, Dtype.opaque("FLOAT8E4M3FNUZ", 8, FLOAT)),
          Map.entry(19, Dtype.opaque("FLOAT8E5M2", 8, FLOAT)),
          Map.entry(20, Dtype.opaque("FLOAT8E5M2FNUZ", 8, FLOAT)),
          Map.entry(21, Dtype.opaque("UINT4", 4, INTEGER)),
          Map.entry(22, Dtype.opaque("INT4", 4, INTEGER)),
          Map.entry(23, Dtype.opaque("FLOAT4E2M1", 4, FLOAT)));

  private OnnxDtypes() {}

  static Dtype of(int number) {
    return BY_NUMBER.getOrDefault(number, Dtype.opaque("data type " + number, 0, OTHER));
  }
}
