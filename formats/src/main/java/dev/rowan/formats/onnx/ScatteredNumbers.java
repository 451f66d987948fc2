package dev.rowan.formats.onnx;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.Stretches;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.protobuf.Wire;
import dev.rowan.formats.tensor.TensorInfo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The numbers of a tensor that are not stored in one piece.
 *
 * @param file the model
 * @param tensor what they are
 * @param span the message that holds them
 */
record ScatteredNumbers(Stretches file, TensorInfo tensor, Initializer.Span span) {
  private static final ValueLayout.OfShort SHORT =
      JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Copies numbers that are stored one by one; they are counted before memory is taken. */
  MemorySegment gather() {
    if (tensor.dtype().rows().isEmpty()) {
      throw new UnsupportedFormatException(
          file.path(),
          "tensor \"%s\" has dtype %s, whose numbers cannot be read"
              .formatted(tensor.name(), tensor.dtype().label()));
    }
    List<Wire> runs = runs();
    long count = 0;
    for (Wire run : runs) {
      count += count(run);
    }
    if (count != tensor.elements()) {
      throw new FormatException(
          file.path(),
          span.start(),
          "tensor \"%s\" has %,d numbers but shape %s takes %,d"
              .formatted(tensor.name(), count, tensor.shapeText(), tensor.elements()));
    }
    MemorySegment target = Arena.ofAuto().allocate(tensor.bytes());
    long at = 0;
    for (Wire run : runs()) {
      while (!run.atEnd()) {
        switch (tensor.dtype().bits()) {
          case 16 -> target.set(SHORT, at, (short) run.varint());
          case 32 -> target.set(INT, at, (int) run.fixed(4));
          default -> target.set(LONG, at, run.fixed(8));
        }
        at += tensor.dtype().bits() / 8;
      }
    }
    return target.asReadOnly();
  }

  private long count(Wire run) {
    long count = 0;
    while (!run.atEnd()) {
      if (tensor.dtype().bits() == 16) {
        run.varint();
      } else {
        run.advance(tensor.dtype().bits() / 8);
      }
      count++;
    }
    return count;
  }

  /** Returns the stretches of the message that hold the numbers. */
  private List<Wire> runs() {
    int field =
        switch (tensor.dtype().bits()) {
          case 16 -> Initializer.INT32_DATA;
          case 32 -> Initializer.FLOAT_DATA;
          default -> Initializer.DOUBLE_DATA;
        };
    List<Wire> runs = new ArrayList<>();
    Wire message = Wire.over("ONNX model", file).over(span.start(), span.end());
    while (message.next()) {
      if (message.field() == field) {
        runs.add(message.value());
      } else {
        message.skip();
      }
    }
    return runs;
  }
}
