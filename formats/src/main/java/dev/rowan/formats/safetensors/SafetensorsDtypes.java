package dev.rowan.formats.safetensors;

import static dev.rowan.formats.tensor.Dtype.Kind.FLOAT;
import static dev.rowan.formats.tensor.Dtype.Kind.INTEGER;

import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.tensor.DoubleRows;
import dev.rowan.formats.tensor.Dtype;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The dtypes that safetensors names (huggingface/safetensors, tensor.rs). */
public final class SafetensorsDtypes {
  /** IEEE 754 binary64. */
  public static final Dtype F64 = Dtype.rows("F64", 64, DoubleRows.F64);

  /** IEEE 754 binary32. */
  public static final Dtype F32 = Dtype.rows("F32", 32, FloatFormat.F32);

  /** IEEE 754 binary16. */
  public static final Dtype F16 = Dtype.rows("F16", 16, FloatFormat.F16);

  /** The upper half of a binary32. */
  public static final Dtype BF16 = Dtype.rows("BF16", 16, FloatFormat.BF16);

  private static final Map<String, Dtype> BY_LABEL =
      Stream.of(
              F64,
              F32,
              F16,
              BF16,
              Dtype.opaque("C64", 64, FLOAT),
              Dtype.opaque("F8_E4M3", 8, FLOAT),
              Dtype.opaque("F8_E5M2", 8, FLOAT),
              Dtype.opaque("F8_E8M0", 8, FLOAT),
              Dtype.opaque("F8_E4M3FNUZ", 8, FLOAT),
              Dtype.opaque("F8_E5M2FNUZ", 8, FLOAT),
              Dtype.opaque("F6_E2M3", 6, FLOAT),
              Dtype.opaque("F6_E3M2", 6, FLOAT),
              Dtype.opaque("F4", 4, FLOAT),
              Dtype.opaque("I64", 64, INTEGER),
              Dtype.opaque("U64", 64, INTEGER),
              Dtype.opaque("I32", 32, INTEGER),
              Dtype.opaque("U32", 32, INTEGER),
              Dtype.opaque("I16", 16, INTEGER),
              Dtype.opaque("U16", 16, INTEGER),
              Dtype.opaque("I8", 8, INTEGER),
              Dtype.opaque("U8", 8, INTEGER),
              Dtype.opaque("BOOL", 8, INTEGER))
          .collect(Collectors.toUnmodifiableMap(Dtype::label, Function.identity()));

  private SafetensorsDtypes() {}

  /** Returns the dtypes by the name that headers use. */
  public static Map<String, Dtype> byLabel() {
    return BY_LABEL;
  }
}
