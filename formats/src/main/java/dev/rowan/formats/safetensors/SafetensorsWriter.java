package dev.rowan.formats.safetensors;

import dev.rowan.formats.file.NewFile;
import dev.rowan.formats.tensor.Dtype;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes safetensors files as the reference implementation does: header padded with spaces to a
 * multiple of 8, tensors ordered by descending width of their numbers, then by name, so that each
 * starts at a multiple of its width. The same tensors give the same bytes.
 *
 * <p>The tensors are written from where they are, in pieces; the header is all that is built in
 * memory. See {@link NewFile} on what happens when writing is interrupted.
 */
public final class SafetensorsWriter {
  private SafetensorsWriter() {}

  /**
   * A tensor to write.
   *
   * @param shape each dimension 0 or more; empty for a single number
   * @param data its numbers, row-major and packed, little-endian
   */
  public record Tensor(String name, Dtype dtype, List<Long> shape, MemorySegment data) {
    /**
     * Checks that name, shape and data can be written.
     *
     * @throws IllegalArgumentException if not
     */
    public Tensor {
      shape = List.copyOf(shape);
      if (name.equals("__metadata__") || !isUtf8(name)) {
        throw new IllegalArgumentException("a tensor cannot be called \"" + name + "\"");
      }
      if (!SafetensorsDtypes.byLabel().containsValue(dtype)) {
        throw new IllegalArgumentException(
            "tensor \"%s\": safetensors has no dtype \"%s\"".formatted(name, dtype.label()));
      }
      long bits = dtype.bits();
      for (long dimension : shape) {
        if (dimension < 0) {
          throw new IllegalArgumentException(
              "tensor \"%s\" has a dimension of %d; 0 is the least".formatted(name, dimension));
        }
        bits = Math.multiplyExact(bits, dimension);
      }
      if (bits % 8 != 0 || data.byteSize() != bits / 8) {
        throw new IllegalArgumentException(
            "tensor \"%s\": shape %s of %s takes %,d bits but the data has %,d bytes"
                .formatted(name, shape, dtype.label(), bits, data.byteSize()));
      }
    }
  }

  /**
   * Writes a file, in place of the old one if there is one.
   *
   * @param metadata texts to keep in the header
   * @throws IllegalArgumentException if two tensors have one name or the header would be longer
   *     than readers accept; nothing is written then
   * @throws IOException if writing fails; the old file is untouched then
   */
  public static void write(Path file, List<Tensor> tensors, Map<String, String> metadata)
      throws IOException {
    List<Tensor> ordered = new ArrayList<>(tensors);
    ordered.sort(
        Comparator.comparingInt((Tensor tensor) -> -tensor.dtype().bits())
            .thenComparing(Tensor::name));
    byte[] head = head(ordered.stream().map(Place::of).toList(), metadata);
    NewFile.write(
        file,
        out -> {
          out.append(MemorySegment.ofArray(head));
          for (Tensor tensor : ordered) {
            out.append(tensor.data());
          }
        });
  }

  /**
   * Room for a tensor in a file that is written by other means.
   *
   * @param bytes how many bytes its numbers take
   */
  public record Place(String name, Dtype dtype, List<Long> shape, long bytes) {
    /** Copies the shape. */
    public Place {
      shape = List.copyOf(shape);
    }

    private static Place of(Tensor tensor) {
      return new Place(tensor.name(), tensor.dtype(), tensor.shape(), tensor.data().byteSize());
    }
  }

  /**
   * Returns the first bytes of a file, up to its first tensor: the length of the header and the
   * header.
   *
   * @param places the tensors in the order in which their bytes follow
   * @throws IllegalArgumentException if two tensors have one name or the header would be longer
   *     than readers accept
   */
  public static byte[] head(List<Place> places, Map<String, String> metadata) {
    byte[] header = header(places, new TreeMap<>(metadata)).getBytes(StandardCharsets.UTF_8);
    if (header.length > SafetensorsHeader.DEFAULT_LIMIT) {
      throw new IllegalArgumentException(
          "the header would take %,d bytes; readers accept %,d"
              .formatted(header.length, SafetensorsHeader.DEFAULT_LIMIT));
    }
    return ByteBuffer.allocate(8 + header.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(header.length)
        .put(header)
        .array();
  }

  private static String header(List<Place> tensors, Map<String, String> metadata) {
    StringBuilder json = new StringBuilder("{");
    if (!metadata.isEmpty()) {
      json.append("\"__metadata__\":{");
      metadata.forEach((key, value) -> {
        quote(json, key);
        json.append(':');
        quote(json, value);
        json.append(',');
      });
      json.setCharAt(json.length() - 1, '}');
      json.append(',');
    }
    Set<String> names = new HashSet<>();
    long offset = 0;
    for (Place tensor : tensors) {
      if (!names.add(tensor.name())) {
        throw new IllegalArgumentException(
            "two tensors are called \"%s\"; names must differ".formatted(tensor.name()));
      }
      quote(json, tensor.name());
      json.append(":{\"dtype\":\"").append(tensor.dtype().label()).append("\",\"shape\":");
      json.append(tensor.shape().toString().replace(" ", ""));
      json.append(",\"data_offsets\":[").append(offset).append(',');
      offset = Math.addExact(offset, tensor.bytes());
      json.append(offset).append("]},");
    }
    if (json.length() > 1) {
      json.setLength(json.length() - 1);
    }
    json.append('}');
    int bytes = json.toString().getBytes(StandardCharsets.UTF_8).length;
    return json.append(" ".repeat(Math.floorMod(-bytes, 8))).toString();
  }

  private static void quote(StringBuilder json, String text) {
    if (!isUtf8(text)) {
      throw new IllegalArgumentException("\"" + text + "\" cannot be written as UTF-8");
    }
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ') {
        json.append("\\u%04x".formatted((int) c));
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }

  private static boolean isUtf8(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }
}
