package dev.rowan.hub;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Small ONNX models, written field by field (onnx.proto: ModelProto 7 graph; GraphProto 1 node, 5
 * initializer, 11 input, 12 output).
 */
final class OnnxSample {
  private OnnxSample() {}

  static byte[] bytes(int field, byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(field << 3 | 2);
    varint(out, all.size());
    out.writeBytes(all.toByteArray());
    return out.toByteArray();
  }

  static byte[] text(int field, String text) {
    return bytes(field, Sample.text(text));
  }

  static byte[] number(int field, long value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(field << 3);
    varint(out, value);
    return out.toByteArray();
  }

  private static void varint(ByteArrayOutputStream out, long value) {
    long rest = value;
    while (rest > 127) {
      out.write((int) (rest & 127) | 128);
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  /** TensorProto of float32 numbers in the file beside the graph. */
  static byte[] external(String name, long rows, long width, String file, long offset) {
    return bytes(
        5,
        number(1, rows),
        number(1, width),
        number(2, 1),
        text(8, name),
        bytes(13, text(1, "location"), text(2, file)),
        bytes(13, text(1, "offset"), text(2, "" + offset)),
        bytes(13, text(1, "length"), text(2, "" + 4 * rows * width)),
        number(14, 1));
  }

  static byte[] model(byte[]... initializers) {
    byte[] lookup =
        bytes(1, text(1, "onnx::table"), text(1, "input_ids"), text(2, "rows"), text(4, "Gather"));
    ByteArrayOutputStream graph = new ByteArrayOutputStream();
    graph.writeBytes(lookup);
    for (byte[] initializer : initializers) {
      graph.writeBytes(initializer);
    }
    graph.writeBytes(bytes(11, text(1, "input_ids")));
    byte[] version = number(1, 8);
    ByteArrayOutputStream model = new ByteArrayOutputStream();
    model.writeBytes(version);
    model.writeBytes(bytes(7, graph.toByteArray()));
    return model.toByteArray();
  }

  static byte[] numbers(float[]... tensors) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (float[] tensor : tensors) {
      ByteBuffer numbers = ByteBuffer.allocate(4 * tensor.length).order(ByteOrder.LITTLE_ENDIAN);
      numbers.asFloatBuffer().put(tensor);
      out.writeBytes(numbers.array());
    }
    return out.toByteArray();
  }

  static float[] turned(Sample.Tensor table, int rows, int width) {
    float[] turned = new float[rows * width];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < width; column++) {
        turned[column * rows + row] = table.row(row)[column];
      }
    }
    return turned;
  }

  static byte[] held(String name, long rows, long width, float[] numbers) {
    return bytes(
        5,
        number(1, rows),
        number(1, width),
        number(2, 1),
        text(8, name),
        bytes(9, numbers(numbers)));
  }

  static byte[] node(String op, String output, String... inputs) {
    ByteArrayOutputStream node = new ByteArrayOutputStream();
    for (String input : inputs) {
      node.writeBytes(text(1, input));
    }
    node.writeBytes(text(2, output));
    node.writeBytes(text(4, op));
    return bytes(1, node.toByteArray());
  }

  /** A node that gives a tensor: its attribute 5 is named "value" and holds the tensor in 5. */
  static byte[] constant(String name, long rows, long width, float[] numbers) {
    byte[] tensor =
        bytes(5, number(1, rows), number(1, width), number(2, 1), bytes(9, numbers(numbers)));
    byte[] value = bytes(5, text(1, "value"), tensor, number(20, 4));
    return bytes(1, text(2, name), text(4, "Constant"), value);
  }

  static byte[] ending(String output) {
    return bytes(12, text(1, output));
  }

  /** A table of 3 × 2 numbers in two runs of float_data. */
  static byte[] inTwoRuns() {
    byte[] halves = new byte[2 * 12];
    ByteArrayOutputStream table = new ByteArrayOutputStream();
    for (byte[] part : new byte[][] {number(1, 3), number(1, 2), number(2, 1)}) {
      table.writeBytes(part);
    }
    table.writeBytes(bytes(4, Arrays.copyOf(halves, 12)));
    table.writeBytes(bytes(4, Arrays.copyOf(halves, 12)));
    table.writeBytes(text(8, "wte.weight"));
    return bytes(5, table.toByteArray());
  }
}
