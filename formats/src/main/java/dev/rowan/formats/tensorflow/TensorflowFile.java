package dev.rowan.formats.tensorflow;

import dev.rowan.core.Counted;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.config.TieSetting;
import dev.rowan.formats.convention.TrainingState;
import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.Neighbouring;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.protobuf.Wire;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An open TensorFlow checkpoint (tensorflow/tensorflow, tensor_bundle.proto). Opening reads the
 * index; numbers are views of the mapped files, but for partitioned variables, whose parts are
 * copied together when they are asked for.
 *
 * <pre>
 *   index, a {@link SortedTable}
 *     key ""      BundleHeaderProto  1 num_shards  2 endianness (0 little, 1 big)  3 version
 *     key name    {@link BundleEntry}
 *   numbers       PREFIX.data-SSSSS-of-NNNNN: the tensor's bytes from offset on, row-major
 * </pre>
 *
 * <p>The checksums of the index are checked, those of the numbers are not: that would read them
 * all.
 */
public final class TensorflowFile implements TensorFile {
  private static final String SUFFIX = ".index";

  /** What the original releases call their config. */
  public static final List<String> CONFIGS = List.of("bert_config.json", "hparams.json");

  private final Path path;
  private final ModelConfig config;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Map<String, BundleEntry> parts = new HashMap<>(); // by key, in hexadecimal
  private final Map<Integer, MappedFile> shards = new HashMap<>();
  private final List<String> notes = new ArrayList<>();
  private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
  private long shardCount = -1;

  private record Entry(TensorInfo info, BundleEntry bundle) {}

  private TensorflowFile(Path path, ModelConfig config) {
    this.path = path;
    this.config = config;
  }

  /**
   * Opens a checkpoint.
   *
   * @param index its {@code .index} file
   * @throws FormatException if the index is damaged
   */
  public static TensorflowFile open(Path index) throws IOException {
    TensorflowFile file = new TensorflowFile(index, configBeside(index));
    try (MappedFile mapped = MappedFile.open(index)) {
      SortedTable.visit(index, mapped.bytes(), file::add);
    }
    if (file.shardCount < 0) {
      throw new FormatException(index, "holds no header, so it is not the index of a checkpoint");
    }
    file.leaveOutTraining();
    file.leaveOutCopies();
    return file;
  }

  /** What Keras 3 exports lists each variable of the model twice, and TensorFlow stores both. */
  private void leaveOutCopies() {
    List<String> copies =
        entries.keySet().stream()
            .filter(name -> name.startsWith("_all_variables/"))
            .filter(name -> isCopy(name, name.substring("_all_".length())))
            .toList();
    if (!copies.isEmpty()) {
      notes.add(
          "%s stores %s a second time, such as \"%s\"; left out"
              .formatted(
                  path.getFileName(), Counted.of(copies.size(), "variable"), copies.getFirst()));
      copies.forEach(entries::remove);
    }
  }

  private boolean isCopy(String name, String original) {
    Entry kept = entries.get(original);
    Entry copy = entries.get(name);
    return kept != null
        && copy != null
        && kept.info().shape().equals(copy.info().shape())
        && kept.info().dtype().equals(copy.info().dtype());
  }

  /** Whole numbers, such as steps, count as no parameters anyway. Of optimizers alone all stays. */
  private void leaveOutTraining() {
    List<String> training =
        entries.entrySet().stream()
            .filter(entry -> entry.getValue().info().dtype().kind() == Dtype.Kind.FLOAT)
            .map(Map.Entry::getKey)
            .filter(name -> TrainingState.isInCheckpoint(name, entries.keySet()))
            .toList();
    if (training.size() < entries.size()) {
      TrainingState.note(String.valueOf(path.getFileName()), training).ifPresent(notes::add);
      training.forEach(entries::remove);
    }
  }

  /** Returns whether a file is an index, by its last bytes. */
  public static boolean isIndex(MemorySegment bytes) {
    return SortedTable.isOne(bytes);
  }

  /** Returns whether a file is an index, by its last bytes; false if it cannot be read. */
  static boolean isIndex(Path file) {
    try (MappedFile mapped = MappedFile.open(file)) {
      return isIndex(mapped.bytes());
    } catch (IOException e) {
      return false; // whoever opens it says why
    }
  }

  /** The config of an original release says nothing of ties and is none of the library's. */
  private static ModelConfig configBeside(Path index) throws IOException {
    for (String name : CONFIGS) {
      Path place = index.resolveSibling(name);
      if (Files.isRegularFile(place)) {
        ModelConfig read = ModelConfig.read(place);
        return new ModelConfig(
            read.modelType().or(() -> Optional.of(name.startsWith("bert") ? "bert" : "gpt2")),
            read.architectures(),
            read.vocabularySize(),
            read.hiddenSize(),
            read.tie() == TieSetting.SILENT ? TieSetting.SILENT_BESIDE : read.tie());
      }
    }
    return ModelConfig.SILENT;
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
  public List<String> numberFiles() {
    return Stream.concat(entries.values().stream().map(Entry::bundle), parts.values().stream())
        .filter(entry -> entry.slices().isEmpty())
        .mapToLong(BundleEntry::shard)
        .filter(shard -> shard >= 0 && shard < shardCount)
        .distinct()
        .sorted()
        .mapToObj(this::shardName)
        .toList();
  }

  private String shardName(long shard) {
    String name = String.valueOf(path.getFileName());
    String prefix =
        name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    return "%s.data-%05d-of-%05d".formatted(prefix, shard, shardCount);
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public String format() {
    return "tensorflow";
  }

  @Override
  public List<TensorInfo> tensors() {
    return entries.values().stream().map(Entry::info).toList();
  }

  @Override
  public Optional<TensorInfo> find(String name) {
    return Optional.ofNullable(entries.get(name)).map(Entry::info);
  }

  @Override
  public ModelConfig config() {
    return config;
  }

  @Override
  public MemorySegment data(TensorInfo tensor) throws IOException {
    Entry entry = entries.get(tensor.name());
    if (entry == null) {
      throw new IllegalArgumentException(
          "tensor \"%s\" is not one of %s".formatted(tensor.name(), path));
    }
    BundleEntry bundle = entry.bundle();
    return bundle.slices().isEmpty()
        ? stored(tensor.name(), bundle)
        : new Partition(path, tensor, this::part).join(bundle.slices());
  }

  private MemorySegment part(byte[] key) throws IOException {
    BundleEntry part = parts.get(HexFormat.of().formatHex(key));
    if (part == null) {
      throw new FormatException(
          path, "a part of a partitioned variable is missing from the index; copy it again");
    }
    return stored("a part", part);
  }

  private MemorySegment stored(String name, BundleEntry entry) throws IOException {
    if (entry.shard() < 0 || entry.shard() >= shardCount) {
      throw new FormatException(
          path, "%s lies in file %d of %d of numbers".formatted(name, entry.shard(), shardCount));
    }
    MappedFile shard = shard((int) entry.shard());
    if (entry.offset() < 0
        || entry.size() < 0
        || entry.size() > shard.size()
        || entry.offset() > shard.size() - entry.size()) {
      if (FileKind.of(shard.bytes()) == FileKind.GIT_LFS_POINTER) {
        throw new FormatException(
            shard.path(),
            "starts with \"version https://git-lfs\": this is a Git LFS pointer, not the numbers;"
                + " fetch the real file with git lfs pull");
      }
      throw new FormatException(
          shard.path(),
          shard.size(),
          "\"%s\" lies at bytes %,d to %,d but the file has %,d; it looks cut off, copy it again"
              .formatted(name, entry.offset(), entry.offset() + entry.size(), shard.size()));
    }
    return shard.bytes().asSlice(entry.offset(), entry.size());
  }

  private MappedFile shard(int number) throws IOException {
    synchronized (shards) {
      MappedFile known = shards.get(number);
      if (known == null) {
        known = MappedFile.open(Neighbouring.find(path, shardName(number)));
        shards.put(number, known);
      }
      return known;
    }
  }

  @Override
  public List<String> notes() {
    return List.copyOf(notes);
  }

  @Override
  public void close() {
    synchronized (shards) {
      shards.values().forEach(MappedFile::close);
      shards.clear();
    }
  }
}
