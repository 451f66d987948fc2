package dev.rowan.formats.gguf;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.rowan.core.Counted;
import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tensor.TensorInfo;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The header of a GGUF file, version 2 or 3, read and checked in full (ggml, gguf.h and gguf.cpp).
 *
 * <pre>
 *   4 bytes   "GGUF"
 *   u32       version                 if its lower half is 0 the whole file is big-endian
 *   i64       count of tensors
 *   i64       count of keys
 *   keys      text key, u32 type, value
 *               0 u8  1 i8  2 u16  3 i16  4 u32  5 i32  6 f32  7 bool (1 byte)  8 text
 *               9 array (u32 type of its items, u64 count, items)  10 u64  11 i64  12 f64
 *   tensors   text name, u32 n ≤ 4, n × i64 dimensions, u32 type, u64 offset
 *   padding   to a multiple of general.alignment (u32, a power of two, 32 if there is no such key)
 *   data      each tensor at its offset from here, a multiple of the alignment
 *   text      u64 length, bytes
 * </pre>
 *
 * <p>Dimensions stand fastest first: a table of V rows of width d is [d, V] in the file and V × d
 * here. Unlike the reference, gaps between tensors are accepted, and so are names of 64 bytes and
 * more; keys and names that occur twice are refused as there.
 *
 * @param order the byte order of the file
 * @param metadata the settings
 * @param tensors in the order of the header
 */
record GgufHeader(ByteOrder order, GgufMetadata metadata, List<TensorInfo> tensors) {
  private static final long DEFAULT_ALIGNMENT = 32;
  private static final int MOST_DIMENSIONS = 4;
  private static final int NAME_LIMIT = 65_535;
  // an empty key, its type, one byte of value; an empty name, no dimensions, type, offset
  private static final int LEAST_KEY = 13;
  private static final int LEAST_TENSOR = 24;

  /** A tensor as the header has it, before it is known where the data start. */
  private record Entry(String name, List<Long> shape, int type, long offset, long at) {}

  /**
   * Reads a header. Touches no tensor bytes; memory is bounded by the header's length.
   *
   * @throws FormatException if anything in it is wrong or does not fit the file
   * @throws UnsupportedFormatException if it is of another version
   */
  static GgufHeader read(Path path, MemorySegment file) {
    return read(path, file, file.byteSize());
  }

  /**
   * Reads the header of a file of which only the beginning is at hand.
   *
   * @param file the file's first bytes: the whole header, or more
   * @param size how many bytes the file has
   */
  static GgufHeader read(Path path, MemorySegment file, long size) {
    ByteOrder order = order(path, file);
    GgufCursor cursor = new GgufCursor(path, file, order, 8);
    long tensors = cursor.i64();
    long keys = cursor.i64();
    if (keys < 0 || keys > cursor.left() / LEAST_KEY) {
      throw cursor.cutOff("the count of keys", keys, LEAST_KEY);
    }
    GgufMetadata metadata = GgufMetadata.read(path, file, order, cursor, keys);
    long alignment = alignment(path, metadata);
    if (tensors < 0 || tensors > cursor.left() / LEAST_TENSOR) {
      throw cursor.cutOff("the count of tensors", tensors, LEAST_TENSOR);
    }
    List<Entry> entries = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (long i = 0; i < tensors; i++) {
      Entry entry = entry(cursor, i, alignment);
      if (!names.add(entry.name())) {
        throw cursor.wrong("duplicate name: tensor \"%s\" occurs twice".formatted(entry.name()));
      }
      entries.add(entry);
    }
    long end = cursor.position();
    // cannot overflow: a position is below 2^63 − 2^32, or the file would not be mapped
    long start = (end + alignment - 1) / alignment * alignment;
    return new GgufHeader(
        order, metadata, new Placing(path, size, order, start, entries).tensors());
  }

  private static ByteOrder order(Path path, MemorySegment file) {
    if (FileKind.of(file) != FileKind.GGUF) {
      throw new FormatException(
          path, "starts with %s instead of \"GGUF\"".formatted(FileKind.firstBytes(file)));
    }
    if (file.byteSize() < 24) {
      throw new FormatException(
          path,
          "has %s but the start of a GGUF file takes 24; the file looks cut off"
              .formatted(Counted.of(file.byteSize(), "byte")));
    }
    int version = file.get(JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 4);
    boolean big = (version & 0xFFFF) == 0;
    version = big ? Integer.reverseBytes(version) : version;
    if (version != 2 && version != 3) {
      throw new UnsupportedFormatException(
          path,
          "has GGUF version %s; 2 and 3 can be read%s"
              .formatted(
                  Integer.toUnsignedString(version),
                  version == 1 ? ", so convert the model again with a newer llama.cpp" : ""));
    }
    return big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }

  private static long alignment(Path path, GgufMetadata metadata) {
    String key = "general.alignment";
    Optional<GgufValue> value = metadata.value(key);
    if (value.isEmpty()) {
      return DEFAULT_ALIGNMENT;
    }
    if (!(value.get() instanceof GgufValue.Whole whole) || whole.type() != GgufType.U32) {
      throw metadata.wrongType(key, value.get(), "u32");
    }
    long alignment = whole.value();
    if (Long.bitCount(alignment) != 1) {
      throw new FormatException(
          path,
          "%s is %d; it should be a power of two, 1 or more; convert the model again"
              .formatted(key, alignment));
    }
    return alignment;
  }

  private static Entry entry(GgufCursor cursor, long index, long alignment) {
    long at = cursor.position();
    String name = cursor.text("the name of tensor " + index, NAME_LIMIT);
    int dimensions = cursor.i32();
    if (dimensions < 0 || dimensions > MOST_DIMENSIONS) {
      throw cursor.wrong(
          "tensor \"%s\" has %s dimensions; 0 to %d are legal"
              .formatted(name, Integer.toUnsignedString(dimensions), MOST_DIMENSIONS));
    }
    List<Long> shape = new ArrayList<>();
    for (int i = 0; i < dimensions; i++) {
      long dimension = cursor.i64();
      if (dimension < 0) {
        throw cursor.wrong(
            "tensor \"%s\" has a dimension of %s; 2^63 − 1 is the most"
                .formatted(name, Long.toUnsignedString(dimension)));
      }
      shape.addFirst(dimension); // the file has the fastest first
    }
    int type = cursor.i32();
    long offset = cursor.i64();
    if (offset < 0 || offset % alignment != 0) {
      throw cursor.wrong(
          "tensor \"%s\" has offset %s, which is not a multiple of the alignment %d"
              .formatted(name, Long.toUnsignedString(offset), alignment));
    }
    return new Entry(name, shape, type, offset, at);
  }

  /** Finds each tensor's bytes and checks that they lie in the file, apart from each other. */
  private record Placing(Path path, long size, ByteOrder order, long start, List<Entry> entries) {

    List<TensorInfo> tensors() {
      List<Entry> ordered =
          entries.stream().sorted(Comparator.comparingLong(Entry::offset)).toList();
      List<TensorInfo> placed = new ArrayList<>();
      Map<String, TensorInfo> byName = new HashMap<>();
      TensorInfo before = null;
      for (int i = 0; i < ordered.size(); i++) {
        OptionalLong next =
            i + 1 < ordered.size()
                ? OptionalLong.of(ordered.get(i + 1).offset())
                : OptionalLong.empty();
        TensorInfo tensor = place(ordered.get(i), next);
        if (before != null
            && tensor.bytes() > 0
            && before.offset() + before.bytes() > tensor.offset()) {
          throw new FormatException(
              path,
              tensor.offset(),
              "tensor \"%s\" overlaps tensor \"%s\"".formatted(tensor.name(), before.name()));
        }
        if (tensor.bytes() > 0) {
          before = tensor;
        }
        byName.put(tensor.name(), tensor);
      }
      entries.forEach(entry -> placed.add(byName.get(entry.name())));
      return List.copyOf(placed);
    }

    private TensorInfo place(Entry entry, OptionalLong next) {
      if (entry.offset() > size - start) {
        throw pastEnd(entry, entry.offset());
      }
      long at = start + entry.offset();
      Optional<GgufDtype> known = GgufDtype.of(entry.type(), order);
      if (known.isEmpty()) {
        // how long it is cannot be told, but not longer than up to the next one
        long end = next.isPresent() ? Math.min(next.getAsLong() + start, size) : size;
        // no type takes less than a bit a number
        if (checkElements(entry) / 8 > end - at) {
          throw pastEnd(entry, entry.offset());
        }
        return new TensorInfo(
            entry.name(), GgufDtype.unknown(entry.type()), entry.shape(), path, at, end - at);
      }
      GgufDtype type = known.get();
      long elements = checkElements(entry);
      long width = entry.shape().isEmpty() ? 1 : entry.shape().getLast();
      if (width % type.block() != 0) {
        throw wrong(
            entry,
            "has rows of %,d numbers, which is not a whole number of %s blocks of %d"
                .formatted(width, type.dtype().label(), type.block()));
      }
      long blocks = elements / type.block();
      if (blocks > (size - at) / type.bytes()) {
        throw pastEnd(entry, entry.offset());
      }
      return new TensorInfo(
          entry.name(), type.dtype(), entry.shape(), path, at, blocks * type.bytes());
    }

    private long checkElements(Entry entry) {
      long elements = 1;
      try {
        for (long dimension : entry.shape()) {
          elements = Math.multiplyExact(elements, dimension);
        }
        return elements;
      } catch (ArithmeticException e) {
        FormatException wrong = wrong(entry, "has more than 2^63 numbers: " + entry.shape());
        wrong.initCause(e);
        throw wrong;
      }
    }

    private FormatException pastEnd(Entry entry, long offset) {
      return wrong(
          entry,
          "of shape %s at offset %,d of the data does not end within the file (%,d bytes); the file looks cut off, copy it again"
              .formatted(entry.shape(), offset, size));
    }

    private FormatException wrong(Entry entry, String what) {
      return new FormatException(
          path, entry.at(), "tensor \"%s\" %s".formatted(entry.name(), what));
    }
  }
}
