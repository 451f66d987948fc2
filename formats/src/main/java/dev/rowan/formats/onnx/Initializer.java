package dev.rowan.formats.onnx;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.Neighbouring;
import dev.rowan.formats.protobuf.Wire;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.TensorInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One TensorProto, of an initialiser or a constant: what it is and where its numbers are.
 *
 * <pre>
 *   1 dims        repeated int64, packed or not     8 name           text
 *   2 data_type   int32                             9 raw_data       bytes, little-endian
 *   4 float_data  repeated float                   10 double_data    repeated double
 *   5 int32_data  repeated int32; also the bits    13 external_data  repeated (1 key, 2 value):
 *                 of 16-bit floats, one a number                     location, offset, length
 *   7 int64_data  repeated int64                   14 data_location  1 = external
 * </pre>
 *
 * @param info the tensor; its place is where {@link #data} is, or 0 where numbers must be gathered
 * @param data the numbers, packed, if the file stores them in one piece
 * @param scattered positions of the message, where numbers must be gathered from its fields
 * @param external the file that holds the numbers, as named
 */
record Initializer(
    TensorInfo info, Optional<Wire> data, Optional<Span> scattered, Optional<String> external) {

  /** The bytes [start, end) of a message. */
  record Span(long start, long end) {}

  static final int FLOAT_DATA = 4;
  static final int INT32_DATA = 5;
  static final int DOUBLE_DATA = 10;

  static Initializer read(Path path, Wire message) {
    return new Parse(path, message, Optional.empty()).run();
  }

  /**
   * Reads the tensor that a node of the kind Constant gives.
   *
   * @param output the name of the value; the tensor's own says nothing
   */
  static Initializer ofConstant(Path path, Wire message, String output) {
    return new Parse(path, message, Optional.of(output)).run();
  }

  private static final class Parse {
    private final Path path;
    private final Wire wire;
    private final Span span;
    private final Optional<String> output;
    private final List<Long> shape = new ArrayList<>();
    private String name;
    private int type;
    private boolean isExternal;
    private @Nullable Wire raw;
    private @Nullable Wire typed;
    private int typedRuns;
    private @Nullable String location;
    private long offset;
    private long length = -1;

    Parse(Path path, Wire wire, Optional<String> output) {
      this.path = path;
      this.output = output;
      this.name = output.orElse("");
      this.wire = wire;
      this.span = new Span(wire.position(), wire.position() + wire.left());
    }

    Initializer run() {
      while (wire.next()) {
        switch (wire.field()) {
          case 1 -> readDims();
          case 2 -> type = (int) wire.number();
          case FLOAT_DATA, INT32_DATA, DOUBLE_DATA -> readTyped();
          case 8 -> readName();
          case 9 -> raw = wire.message();
          case 13 -> readExternal(wire.message());
          case 14 -> isExternal = wire.number() == 1;
          default -> wire.skip();
        }
      }
      Dtype dtype = OnnxDtypes.of(type);
      long bytes = byteSize(dtype);
      if (isExternal) {
        return external(dtype, bytes);
      }
      if (raw != null) {
        return inPlace(dtype, bytes, raw);
      }
      // float_data and double_data are fixed-width, so one packed run is the data itself
      if (typed != null && typedRuns == 1 && (type == 1 || type == 11)) {
        return inPlace(dtype, bytes, typed);
      }
      return new Initializer(
          info(dtype, path, 0, bytes), Optional.empty(), Optional.of(span), Optional.empty());
    }

    private void readName() {
      String own = wire.text();
      name = output.orElse(own);
    }

    private void readDims() {
      if (wire.isBytes()) {
        Wire packed = wire.message();
        while (!packed.atEnd()) {
          shape.add(dimension(packed.varint()));
        }
      } else {
        shape.add(dimension(wire.number()));
      }
    }

    private long dimension(long value) {
      if (value < 0) {
        throw wrong("has a dimension of %d; 0 is the least".formatted(value));
      }
      return value;
    }

    private void readTyped() {
      typedRuns++;
      if (wire.isBytes()) {
        typed = wire.message();
      } else {
        typedRuns++; // a single number: what is there must be gathered
        wire.skip();
      }
    }

    private void readExternal(Wire entry) {
      String key = "";
      String value = "";
      while (entry.next()) {
        switch (entry.field()) {
          case 1 -> key = entry.text();
          case 2 -> value = entry.text();
          default -> entry.skip();
        }
      }
      switch (key.toLowerCase(Locale.ROOT)) {
        case "location" -> location = value;
        case "offset" -> offset = number(key, value);
        case "length" -> length = number(key, value);
        default -> {} // checksum and newer keys say nothing about the place
      }
    }

    private long number(String key, String value) {
      try {
        long number = Long.parseLong(value);
        if (number >= 0) {
          return number;
        }
      } catch (NumberFormatException _) {
        // said below, as for a negative number
      }
      throw wrong(
          "has external data with %s \"%s\"; a whole number is needed".formatted(key, value));
    }

    private long byteSize(Dtype dtype) {
      try {
        long bits = dtype.bits();
        long elements = 1;
        for (long dimension : shape) {
          bits = Math.multiplyExact(bits, dimension);
          elements = Math.multiplyExact(elements, dimension);
        }
        return Math.ceilDiv(bits, 8); // 4-bit numbers share bytes, the last may be half used
      } catch (ArithmeticException e) {
        FormatException wrong = wrong("has shape %s, which overflows 64 bits".formatted(shape));
        wrong.initCause(e);
        throw wrong;
      }
    }

    private Initializer external(Dtype dtype, long bytes) {
      if (location == null) {
        throw wrong("lies in another file but does not name it");
      }
      if (length >= 0 && length != bytes && dtype.bits() > 0) {
        throw wrong(
            "has %,d bytes of external data but shape %s of %s takes %,d"
                .formatted(length, shape, dtype.label(), bytes));
      }
      if (offset > Long.MAX_VALUE - bytes) {
        throw wrong("has external data at offset %d, which overflows 64 bits".formatted(offset));
      }
      Path place = Neighbouring.named(path, location);
      return new Initializer(
          info(dtype, place, offset, bytes),
          Optional.empty(),
          Optional.empty(),
          Optional.of(location));
    }

    private Initializer inPlace(Dtype dtype, long bytes, Wire value) {
      if (dtype.bits() > 0 && value.left() != bytes) {
        throw wrong(
            "has %,d bytes of data but shape %s of %s takes %,d"
                .formatted(value.left(), shape, dtype.label(), bytes));
      }
      return new Initializer(
          info(dtype, path, value.position(), bytes),
          Optional.of(value),
          Optional.empty(),
          Optional.empty());
    }

    private TensorInfo info(Dtype dtype, Path place, long at, long bytes) {
      return new TensorInfo(name, dtype, shape, place, at, bytes);
    }

    private FormatException wrong(String message) {
      return new FormatException(
          path,
          span.start(),
          "%s \"%s\" %s".formatted(output.isPresent() ? "constant" : "initializer", name, message));
    }
  }
}
