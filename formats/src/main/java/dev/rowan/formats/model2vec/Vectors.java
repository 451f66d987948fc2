package dev.rowan.formats.model2vec;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.rowan.core.kernel.RowFormat;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Reads the tensors of one dimension that go with a static table, one number a token. */
final class Vectors {
  private static final ValueLayout.OfInt INT =
      JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfDouble DOUBLE =
      JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Vectors() {}

  /** A whole number for each token. */
  interface Wholes {
    long at(long token);
  }

  /** A number for each token. */
  interface Numbers {
    double at(long token);
  }

  static Wholes wholes(TensorFile file, TensorInfo tensor) throws IOException {
    MemorySegment data = file.data(tensor);
    return switch (tensor.dtype().label()) {
      case "I32" -> token -> data.get(INT, 4 * token);
      case "U32" -> token -> Integer.toUnsignedLong(data.get(INT, 4 * token));
      case "I64", "U64" -> token -> data.get(LONG, 8 * token);
      default ->
          throw new UnsupportedFormatException(
              file.path(),
              "tensor \"%s\" is stored as %s; whole numbers of 32 or 64 bits can be read"
                  .formatted(tensor.name(), tensor.dtype().label()));
    };
  }

  static Numbers numbers(TensorFile file, TensorInfo tensor) throws IOException {
    MemorySegment data = file.data(tensor);
    if (tensor.dtype().label().equals("F64")) {
      return token -> data.get(DOUBLE, 8 * token);
    }
    RowFormat format =
        tensor
            .dtype()
            .rows()
            .orElseThrow(() ->
                new UnsupportedFormatException(
                    file.path(),
                    "tensor \"%s\" is stored as %s, which cannot be read"
                        .formatted(tensor.name(), tensor.dtype().label())));
    float[] one = new float[1];
    return token -> {
      format.decode(data, token * format.rowBytes(1), 1, one, 0);
      return one[0];
    };
  }

  static void checkLength(TensorFile file, TensorInfo tensor, long tokens, String of) {
    if (tensor.shape().size() != 1 || tensor.shape().getFirst() != tokens) {
      throw new FormatException(
          file.path(),
          "tensor \"%s\" has shape %s; one number for each of %,d %s is expected"
              .formatted(tensor.name(), tensor.shapeText(), tokens, of));
    }
  }
}
