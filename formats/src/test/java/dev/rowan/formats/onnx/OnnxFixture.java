package dev.rowan.formats.onnx;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Writes ONNX messages with Google's protobuf library, field numbers after onnx.proto. */
final class OnnxFixture {
  /** Writes the fields of a message. */
  interface Fields {
    void writeTo(CodedOutputStream out) throws IOException;
  }

  private OnnxFixture() {}

  static byte[] message(Fields... fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      for (Fields some : fields) {
        some.writeTo(out);
      }
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static Fields bytes(int field, byte[] value) {
    return out -> out.writeBytes(field, ByteString.copyFrom(value));
  }

  static Fields text(int field, String value) {
    return out -> out.writeString(field, value);
  }

  static Fields number(int field, long value) {
    return out -> out.writeInt64(field, value);
  }

  /** A model: ir_version, producer, a graph, opset. */
  static byte[] model(Fields... graph) {
    return message(
        number(1, 8),
        text(2, "pytorch"),
        bytes(7, message(graph)),
        bytes(8, message(text(1, ""), number(2, 17))));
  }

  static Fields initializer(String name, int type, long[] dims, Fields... data) {
    return bytes(5, tensor(name, type, dims, data));
  }

  static byte[] tensor(String name, int type, long[] dims, Fields... data) {
    return message(
        out -> {
          for (long dim : dims) {
            out.writeInt64(1, dim);
          }
        },
        number(2, type),
        out -> {
          for (Fields some : data) {
            some.writeTo(out);
          }
        },
        text(8, name));
  }

  static Fields raw(byte... data) {
    return bytes(9, data);
  }

  static Fields packedFloats(float... values) {
    return bytes(
        4,
        message(out -> {
          for (float value : values) {
            out.writeFloatNoTag(value);
          }
        }));
  }

  static Fields looseFloats(float... values) {
    return out -> {
      for (float value : values) {
        out.writeFloat(4, value);
      }
    };
  }

  static Fields packedInts(int... values) {
    return bytes(
        5,
        message(out -> {
          for (int value : values) {
            out.writeInt32NoTag(value);
          }
        }));
  }

  static Fields external(String... keysAndValues) {
    return out -> {
      for (int i = 0; i < keysAndValues.length; i += 2) {
        bytes(13, message(text(1, keysAndValues[i]), text(2, keysAndValues[i + 1]))).writeTo(out);
      }
      out.writeInt32(14, 1);
    };
  }

  static Fields node(String op, String output, String... inputs) {
    return bytes(
        1,
        message(
            out -> {
              for (String input : inputs) {
                out.writeString(1, input);
              }
            },
            text(2, output),
            text(3, "/" + op),
            text(4, op),
            bytes(5, message(text(1, "axis"), number(3, 0)))));
  }

  /** A node with attributes of its own. */
  static Fields with(String op, String output, List<String> inputs, Fields... attributes) {
    return bytes(
        1,
        message(
            out -> {
              for (String input : inputs) {
                out.writeString(1, input);
              }
            },
            text(2, output),
            text(4, op),
            out -> {
              for (Fields some : attributes) {
                some.writeTo(out);
              }
            }));
  }

  /** An attribute that is a whole number. */
  static Fields whole(String name, long value) {
    return bytes(5, message(text(1, name), number(3, value), number(20, 2)));
  }

  /** An attribute that is a graph. */
  static Fields graph(String name, Fields... graph) {
    return bytes(5, message(text(1, name), bytes(6, message(graph)), number(20, 5)));
  }

  /** A node that gives a tensor; the tensor's own name says nothing. */
  static Fields constant(String output, int type, long[] dims, Fields... data) {
    return with(
        "Constant",
        output,
        List.of(),
        bytes(
            5,
            message(
                text(1, "value"), bytes(5, tensor("its own", type, dims, data)), number(20, 4))));
  }

  static Fields output(String name) {
    return bytes(12, message(text(1, name)));
  }

  static Fields input(String name) {
    return bytes(11, message(text(1, name)));
  }
}
