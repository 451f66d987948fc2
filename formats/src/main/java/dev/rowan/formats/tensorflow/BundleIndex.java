package dev.rowan.formats.tensorflow;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.Neighbouring;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.protobuf.Wire;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the index of a checkpoint says.
 *
 * <pre>
 *   index, a {@link SortedTable}
 *     key ""      BundleHeaderProto  1 num_shards  2 endianness (0 little, 1 big)  3 version
 *     key name    {@link BundleEntry}
 *   numbers       PREFIX.data-SSSSS-of-NNNNN: the tensor's bytes from offset on, row-major
 * </pre>
 */
final class BundleIndex {
  private static final String SUFFIX = ".index";

  private final Path path;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Map<String, BundleEntry> parts = new HashMap<>(); // by key, in hexadecimal
  private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
  private long shardCount = -1;

  /** A tensor, and what the index has of it. */
  record Entry(TensorInfo info, BundleEntry bundle) {}

  private BundleIndex(Path path) {
    this.path = path;
  }

  /**
   * Reads an index.
   *
   * @throws FormatException if it is damaged
   */
  static BundleIndex read(Path path) throws IOException {
    BundleIndex index = new BundleIndex(path);
    try (MappedFile mapped = MappedFile.open(path)) {
      SortedTable.visit(path, mapped.bytes(), index::add);
    }
    if (index.shardCount < 0) {
      throw new FormatException(path, "holds no header, so it is not the index of a checkpoint");
    }
    return index;
  }

  /** Returns the tensors by name, in the file's order; may be made fewer. */
  Map<String, Entry> entries() {
    return entries;
  }

  /**
   * Returns a part of a partitioned variable.
   *
   * @throws FormatException if there is none
   */
  BundleEntry part(byte[] key) {
    BundleEntry part = parts.get(HexFormat.of().formatHex(key));
    if (part == null) {
      throw new FormatException(
          path, "a part of a partitioned variable is missing from the index; copy it again");
    }
    return part;
  }

  private void add(byte[] key, Wire value, long at) {
    if (key.length == 0) {
      readHeader(value, at);
      return;
    }
    if (shardCount < 0) {
      throw new FormatException(path, at, "its first entry is not the header of a checkpoint");
    }
    BundleEntry entry = BundleEntry.read(value);
    if (key[0] == 0) {
      parts.put(HexFormat.of().formatHex(key), entry);
      return;
    }
    String name = new String(key, StandardCharsets.UTF_8);
    TensorInfo info = checked(name, entry, at);
    if (entries.putIfAbsent(name, new Entry(info, entry)) != null) {
      throw new FormatException(path, at, "duplicate name: \"%s\" occurs twice".formatted(name));
    }
  }

  private void readHeader(Wire header, long at) {
    if (shardCount >= 0) {
      throw new FormatException(path, at, "holds two headers");
    }
    shardCount = 0;
    while (header.next()) {
      if (header.field() == 1
          && !header.isNumber()) { // SavedTensorSlices of saved_tensor_slice.proto
        throw new UnsupportedFormatException(
            path,
            "is a TensorFlow checkpoint of version 1, in one file; version 2 is read, so save it anew with tf.compat.v1.train.Saver");
      }
      switch (header.field()) {
        case 1 -> shardCount = header.number();
        case 2 -> order = header.number() == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        default -> header.skip();
      }
    }
    if (shardCount < 0 || shardCount > 99_999) {
      throw new FormatException(
          path,
          at,
          "claims %d files of numbers; a checkpoint has 1 to 99,999".formatted(shardCount));
    }
  }

  private TensorInfo checked(String name, BundleEntry entry, long at) {
    Dtype dtype = BundleDtypes.of(entry.dtype(), order);
    boolean whole = entry.slices().isEmpty();
    if (whole && (entry.shard() < 0 || entry.shard() >= shardCount)) {
      throw new FormatException(
          path,
          at,
          "\"%s\" lies in file %d of numbers but there are %d"
              .formatted(name, entry.shard(), shardCount));
    }
    long bytes = entry.size();
    if (dtype.bits() > 0) {
      bytes = bytes(name, entry, dtype, at);
    }
    if (entry.offset() < 0 || bytes < 0 || (whole && bytes != entry.size())) {
      throw new FormatException(
          path,
          at,
          "\"%s\" of shape %s takes %,d bytes, but the index gives it %,d at %,d"
              .formatted(name, entry.shape(), bytes, entry.size(), entry.offset()));
    }
    Path file = whole ? Neighbouring.named(path, shardName(entry.shard())) : path;
    return new TensorInfo(name, dtype, entry.shape(), file, whole ? entry.offset() : 0, bytes);
  }

  private long bytes(String name, BundleEntry entry, Dtype dtype, long at) {
    try {
      long bytes = dtype.bits() / 8;
      for (long dimension : entry.shape()) {
        if (dimension < 0) {
          throw new ArithmeticException("a negative dimension");
        }
        bytes = Math.multiplyExact(bytes, dimension);
      }
      return bytes;
    } catch (ArithmeticException e) {
      throw new FormatException(
          path, at, "\"%s\" has the impossible shape %s".formatted(name, entry.shape()), e);
    }
  }

  /** Returns the names of the files, beside the index, that hold the numbers of the tensors. */
  List<String> numberFiles() {
    return Stream.concat(entries.values().stream().map(Entry::bundle), parts.values().stream())
        .filter(entry -> entry.slices().isEmpty())
        .mapToLong(BundleEntry::shard)
        .filter(shard -> shard >= 0 && shard < shardCount)
        .distinct()
        .sorted()
        .mapToObj(this::shardName)
        .toList();
  }

  /**
   * Returns the name of the file, beside the index, that holds the numbers of an entry.
   *
   * @throws FormatException if there is no such file
   */
  String numberFile(String name, BundleEntry entry) {
    if (entry.shard() < 0 || entry.shard() >= shardCount) {
      throw new FormatException(
          path, "%s lies in file %d of %d of numbers".formatted(name, entry.shard(), shardCount));
    }
    return shardName(entry.shard());
  }

  private String shardName(long shard) {
    String name = String.valueOf(path.getFileName());
    String prefix =
        name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    return "%s.data-%05d-of-%05d".formatted(prefix, shard, shardCount);
  }
}
