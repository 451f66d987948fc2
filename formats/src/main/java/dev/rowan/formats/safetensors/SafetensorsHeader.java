package dev.rowan.formats.safetensors;

import dev.rowan.core.Counted;
import dev.rowan.formats.file.ByteWindow;
import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.json.JsonReader;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.TensorInfo;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The header of a safetensors file, read and checked in full.
 *
 * <pre>
 *   u64        N, bytes of header, little-endian
 *   N bytes    UTF-8 JSON, first byte {, spaces allowed at the end:
 *                {"name": {"dtype": "F32", "shape": [V, d], "data_offsets": [begin, end]}, …,
 *                 "__metadata__": {"key": "text", …}}
 *   the rest   tensor bytes, row-major, packed; offsets count from byte 8 + N
 * </pre>
 *
 * <p>As in the reference implementation the tensors must lie one after the other from 0 to the end
 * of the file, without a gap or an overlap. Older writers neither align nor order them; both are
 * accepted. Tensors without numbers and single numbers (shape []) are legal. Unlike the reference,
 * a name that occurs twice is said to be that (it would otherwise show as a gap or an overlap).
 *
 * @param tensors in the order of the header
 * @param metadata the texts of {@code __metadata__}
 */
public record SafetensorsHeader(List<TensorInfo> tensors, Map<String, String> metadata) {
  /** The longest header that the reference implementation reads: 100,000,000 bytes. */
  public static final long DEFAULT_LIMIT = 100_000_000;

  private static final String METADATA = "__metadata__";

  /** Copies both. */
  public SafetensorsHeader {
    tensors = List.copyOf(tensors);
    metadata = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
  }

  /**
   * Reads a header. Touches no tensor bytes; memory is bounded by the header's length.
   *
   * @param path the file, for messages and for the tensors
   * @param file all its bytes
   * @param limit the longest header to accept, in bytes
   * @throws FormatException if anything in the header is wrong or does not fit the file
   * @throws UnsupportedFormatException if it names a dtype that is not known
   */
  public static SafetensorsHeader read(Path path, MemorySegment file, long limit) {
    return read(path, file, file.byteSize(), limit);
  }

  /**
   * Reads the header of a file of which only the beginning is at hand.
   *
   * @param path the file, for messages and for the tensors
   * @param head the file's first bytes: the whole header, or more
   * @param size how many bytes the file has
   * @param limit the longest header to accept, in bytes
   * @throws FormatException if anything in the header is wrong or does not fit the file
   * @throws UnsupportedFormatException if it names a dtype that is not known
   */
  public static SafetensorsHeader read(Path path, MemorySegment head, long size, long limit) {
    long length = checkedLength(path, head, size, limit);
    if (length > head.byteSize() - 8) {
      throw new IllegalArgumentException(
          "the header has %,d bytes but only the first %,d bytes of the file are at hand"
              .formatted(length, head.byteSize()));
    }
    List<TensorInfo> tensors = new ArrayList<>();
    Map<String, String> metadata = new LinkedHashMap<>();
    Set<String> names = new HashSet<>();
    JsonReader json = JsonReader.over(path, head.asSlice(8, length), 8);
    json.enterObject("the header");
    while (json.nextName()) {
      String name = json.name();
      if (!names.add(name)) {
        throw json.wrong(
            "duplicate name: tensor \"%s\" occurs twice in the header".formatted(name));
      }
      if (name.equals(METADATA)) {
        readMetadata(json, metadata);
      } else {
        tensors.add(readTensor(json, name, path, 8 + length, size));
      }
    }
    json.end();
    checkLayout(path, tensors, 8 + length, size);
    return new SafetensorsHeader(tensors, metadata);
  }

  /**
   * Returns the length that a header states, checked against the file.
   *
   * @param head the file's first bytes, at least 9 if it has as many
   * @param size how many bytes the file has
   * @param limit the longest header to accept, in bytes
   * @throws FormatException if no safetensors file begins like this
   */
  public static long checkedLength(Path path, MemorySegment head, long size, long limit) {
    ByteWindow window = new ByteWindow(head);
    if (FileKind.of(head) == FileKind.GIT_LFS_POINTER) {
      throw new FormatException(
          path,
          "starts with \"version https://git-lfs\": this is a Git LFS pointer, not the weights;"
              + " fetch the real file with git lfs pull");
    }
    if (size < 8) {
      throw new FormatException(
          path,
          "has %s but a safetensors header takes at least 10; the file looks cut off"
              .formatted(Counted.of(size, "byte")));
    }
    long length = window.littleEndian(0, 8);
    if (length < 0 || length > size - 8) {
      throw new FormatException(
          path,
          0,
          "header length %s lies past the end of the file (%,d bytes); the file looks cut off or is not safetensors"
              .formatted(Long.toUnsignedString(length), size));
    }
    if (length > limit) {
      throw new FormatException(
          path,
          0,
          "header length %,d is above the limit of %,d bytes; raise the limit (ROWAN_HEADER_LIMIT) if you trust this file"
              .formatted(length, limit));
    }
    if (length < 2 || window.at(8) != '{') {
      throw new FormatException(path, 8, "the header should start with '{' but does not");
    }
    return length;
  }

  private static void readMetadata(JsonReader json, Map<String, String> metadata) {
    json.enterObject(METADATA);
    while (json.nextName()) {
      String key = json.name();
      json.nextValue();
      String text = json.text("the value of \"%s\" in %s".formatted(key, METADATA));
      if (metadata.put(key, text) != null) {
        throw json.wrong("duplicate name: \"%s\" occurs twice in %s".formatted(key, METADATA));
      }
    }
  }

  private static TensorInfo readTensor(
      JsonReader json, String name, Path path, long dataStart, long fileSize) {
    String where = "tensor \"" + name + "\"";
    json.enterObject(where);
    Dtype dtype = null;
    List<Long> shape = null;
    List<Long> offsets = null;
    Set<String> fields = new HashSet<>();
    while (json.nextName()) {
      String field = json.name();
      if (!fields.add(field)) {
        throw json.wrong("duplicate name: \"%s\" occurs twice in %s".formatted(field, where));
      }
      json.nextValue();
      switch (field) {
        case "dtype" -> dtype = dtype(json, where, path);
        case "shape" -> shape = numbers(json, where + ": shape");
        case "data_offsets" -> offsets = numbers(json, where + ": data_offsets");
        default -> json.skip();
      }
    }
    if (dtype == null) {
      throw json.wrong(where + " has no dtype");
    }
    if (shape == null) {
      throw json.wrong(where + " has no shape");
    }
    if (offsets == null || offsets.size() != 2) {
      throw json.wrong(where + " has no data_offsets [begin, end]");
    }
    long begin = offsets.get(0);
    long end = offsets.get(1);
    long room = fileSize - dataStart;
    if (begin > end) {
      throw json.wrong("%s: data_offsets begin %d lies behind end %d".formatted(where, begin, end));
    }
    if (end > room) {
      throw json.wrong(
          "%s: data_offsets end %d lies %,d bytes past the end of the file; the file looks cut off, copy it again"
              .formatted(where, end, end - room));
    }
    long needed = byteSize(json, where, dtype, shape);
    if (end - begin != needed) {
      throw json.wrong(
          "%s: data_offsets [%d, %d] span %,d bytes but shape %s of %s takes %,d"
              .formatted(where, begin, end, end - begin, shape, dtype.label(), needed));
    }
    return new TensorInfo(name, dtype, shape, path, dataStart + begin, needed);
  }

  private static Dtype dtype(JsonReader json, String where, Path path) {
    String label = json.text(where + ": dtype");
    Dtype dtype = SafetensorsDtypes.byLabel().get(label);
    if (dtype == null) {
      throw new UnsupportedFormatException(
          path, "%s has dtype \"%s\", which is not known here".formatted(where, label));
    }
    return dtype;
  }

  private static List<Long> numbers(JsonReader json, String what) {
    if (!json.isArray()) {
      throw json.wrong(what + " should be an array");
    }
    List<Long> numbers = new ArrayList<>();
    while (json.nextValue()) {
      long number = json.whole(what);
      if (number < 0) {
        throw json.wrong("%s holds %d; 0 is the least".formatted(what, number));
      }
      numbers.add(number);
    }
    return numbers;
  }

  private static long byteSize(JsonReader json, String where, Dtype dtype, List<Long> shape) {
    long bits = dtype.bits();
    try {
      for (long dimension : shape) {
        bits = Math.multiplyExact(bits, dimension);
      }
    } catch (ArithmeticException e) {
      FormatException wrong = json.wrong("%s: shape %s overflows 64 bits".formatted(where, shape));
      wrong.initCause(e);
      throw wrong;
    }
    if (bits % 8 != 0) {
      throw json.wrong(
          "%s: shape %s of %s does not end on a whole byte".formatted(where, shape, dtype.label()));
    }
    return bits / 8;
  }

  /** Checks that the tensors cover the file from the end of the header on, each byte once. */
  private static void checkLayout(Path path, List<TensorInfo> tensors, long start, long size) {
    List<TensorInfo> ordered = new ArrayList<>(tensors);
    ordered.sort(Comparator.comparingLong(TensorInfo::offset).thenComparingLong(TensorInfo::bytes));
    long reached = start;
    TensorInfo before = null;
    for (TensorInfo tensor : ordered) {
      if (tensor.offset() < reached) {
        throw new FormatException(
            path,
            tensor.offset(),
            "tensor \"%s\" overlaps tensor \"%s\"".formatted(tensor.name(), nameOf(before)));
      }
      if (tensor.offset() > reached) {
        throw new FormatException(
            path,
            reached,
            "%,d bytes in front of tensor \"%s\" belong to no tensor"
                .formatted(tensor.offset() - reached, tensor.name()));
      }
      reached += tensor.bytes();
      before = tensor;
    }
    if (reached != size) {
      throw new FormatException(
          path,
          reached,
          "%,d bytes follow the last tensor; the header does not belong to this file"
              .formatted(size - reached));
    }
  }

  private static String nameOf(@Nullable TensorInfo tensor) {
    return tensor == null ? "" : tensor.name();
  }
}
