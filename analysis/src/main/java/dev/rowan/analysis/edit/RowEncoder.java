package dev.rowan.analysis.edit;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.tensor.Dtype;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;

/** Writes rows of floats as a dtype of safetensors has them, each number rounded once. */
interface RowEncoder {
  /** Writes a row. */
  void encode(float[] row, MemorySegment target, long offset);

  /** Returns the encoder of a dtype, if its rows can be written. */
  static Optional<RowEncoder> of(Dtype dtype) {
    return switch (dtype.label()) {
      case "F32" -> Optional.of(floats(FloatFormat.F32));
      case "F16" -> Optional.of(floats(FloatFormat.F16));
      case "BF16" -> Optional.of(floats(FloatFormat.BF16));
      case "F64" -> Optional.of(doubles());
      default -> Optional.empty();
    };
  }

  private static RowEncoder floats(FloatFormat format) {
    return (row, target, offset) -> format.encode(row, 0, row.length, target, offset);
  }

  private static RowEncoder doubles() {
    ValueLayout.OfDouble layout = JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    return (row, target, offset) -> {
      for (int i = 0; i < row.length; i++) {
        target.set(layout, offset + 8L * i, row[i]);
      }
    };
  }
}
