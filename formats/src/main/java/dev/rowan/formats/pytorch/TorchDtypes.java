package dev.rowan.formats.pytorch;

import static dev.rowan.formats.tensor.Dtype.Kind.FLOAT;
import static dev.rowan.formats.tensor.Dtype.Kind.INTEGER;

import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.tensor.BigEndianRows;
import dev.rowan.formats.tensor.DoubleRows;
import dev.rowan.formats.tensor.Dtype;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Optional;

/** What PyTorch calls its number formats: by storage class, and by {@code torch.dtype}. */
final class TorchDtypes {
  /** Bytes of no format yet: the tensors over them say which. */
  static final Dtype BYTES = Dtype.opaque("bytes", 8, INTEGER);

  private static final Map<String, Dtype> BY_STORAGE =
      Map.ofEntries(
          Map.entry("DoubleStorage", Dtype.rows("F64", 64, DoubleRows.F64)),
          Map.entry("FloatStorage", Dtype.rows("F32", 32, FloatFormat.F32)),
          Map.entry("HalfStorage", Dtype.rows("F16", 16, FloatFormat.F16)),
          Map.entry("BFloat16Storage", Dtype.rows("BF16", 16, FloatFormat.BF16)),
          Map.entry("LongStorage", Dtype.opaque("I64", 64, INTEGER)),
          Map.entry("IntStorage", Dtype.opaque("I32", 32, INTEGER)),
          Map.entry("ShortStorage", Dtype.opaque("I16", 16, INTEGER)),
          Map.entry("CharStorage", Dtype.opaque("I8", 8, INTEGER)),
          Map.entry("ByteStorage", Dtype.opaque("U8", 8, INTEGER)),
          Map.entry("BoolStorage", Dtype.opaque("BOOL", 8, INTEGER)),
          Map.entry("ComplexFloatStorage", Dtype.opaque("C64", 64, FLOAT)),
          Map.entry("ComplexDoubleStorage", Dtype.opaque("C128", 128, FLOAT)),
          Map.entry("QInt8Storage", Dtype.opaque("QI8", 8, INTEGER)),
          Map.entry("QUInt8Storage", Dtype.opaque("QU8", 8, INTEGER)),
          Map.entry("QInt32Storage", Dtype.opaque("QI32", 32, INTEGER)),
          Map.entry("UntypedStorage", BYTES));

  private static final Map<String, Dtype> BY_NAME =
      Map.ofEntries(
          Map.entry("float64", Dtype.rows("F64", 64, DoubleRows.F64)),
          Map.entry("float32", Dtype.rows("F32", 32, FloatFormat.F32)),
          Map.entry("float16", Dtype.rows("F16", 16, FloatFormat.F16)),
          Map.entry("bfloat16", Dtype.rows("BF16", 16, FloatFormat.BF16)),
          Map.entry("int64", Dtype.opaque("I64", 64, INTEGER)),
          Map.entry("int32", Dtype.opaque("I32", 32, INTEGER)),
          Map.entry("int16", Dtype.opaque("I16", 16, INTEGER)),
          Map.entry("int8", Dtype.opaque("I8", 8, INTEGER)),
          Map.entry("uint64", Dtype.opaque("U64", 64, INTEGER)),
          Map.entry("uint32", Dtype.opaque("U32", 32, INTEGER)),
          Map.entry("uint16", Dtype.opaque("U16", 16, INTEGER)),
          Map.entry("uint8", Dtype.opaque("U8", 8, INTEGER)),
          Map.entry("bool", Dtype.opaque("BOOL", 8, INTEGER)),
          Map.entry("complex64", Dtype.opaque("C64", 64, FLOAT)),
          Map.entry("complex128", Dtype.opaque("C128", 128, FLOAT)),
          Map.entry("float8_e4m3fn", Dtype.opaque("F8_E4M3", 8, FLOAT)),
          Map.entry("float8_e5m2", Dtype.opaque("F8_E5M2", 8, FLOAT)),
          Map.entry("float8_e4m3fnuz", Dtype.opaque("F8_E4M3FNUZ", 8, FLOAT)),
          Map.entry("float8_e5m2fnuz", Dtype.opaque("F8_E5M2FNUZ", 8, FLOAT)),
          Map.entry("float8_e8m0fnu", Dtype.opaque("F8_E8M0", 8, FLOAT)));

  private TorchDtypes() {}

  /** Returns what the storages of a class hold, such as {@code FloatStorage}. */
  static Optional<Dtype> ofStorage(String className) {
    return Optional.ofNullable(BY_STORAGE.get(className));
  }

  /** Returns a dtype by its name in the package torch. */
  static Optional<Dtype> ofName(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /** Returns a dtype as the bytes of a checkpoint have it. */
  static Dtype in(ByteOrder order, Dtype dtype) {
    if (order == ByteOrder.LITTLE_ENDIAN || dtype.bits() == 8) {
      return dtype;
    }
    String label = dtype.label() + " big-endian";
    return switch (dtype.label()) {
      case "F64" -> Dtype.rows(label, 64, BigEndianRows.F64);
      case "F32" -> Dtype.rows(label, 32, BigEndianRows.F32);
      case "F16" -> Dtype.rows(label, 16, BigEndianRows.F16);
      case "BF16" -> Dtype.rows(label, 16, BigEndianRows.BF16);
      default -> Dtype.opaque(label, dtype.bits(), dtype.kind());
    };
  }
}
