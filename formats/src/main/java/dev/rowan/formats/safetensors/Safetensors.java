package dev.rowan.formats.safetensors;

import dev.rowan.core.Counted;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.config.TieSetting;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.Neighbouring;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Open safetensors: one file, or the shards of one model. Opening reads the headers only; see
 * {@link SafetensorsHeader} for the layout and the checks.
 */
public final class Safetensors implements TensorFile {
  /** How the names of texts begin that Rowan itself reads and writes. */
  private static final String OWN = "rowan.";

  private final Path path;
  private final Map<Path, MappedFile> files;
  private final Map<String, TensorInfo> tensors;
  private final List<TensorInfo> list;
  private final Map<String, String> metadata;
  private final List<String> notes;

  private Safetensors(
      Path path,
      Map<Path, MappedFile> files,
      Map<String, TensorInfo> tensors,
      Map<String, String> metadata,
      List<String> notes) {
    this.path = path;
    this.files = files;
    this.tensors = tensors;
    this.list = List.copyOf(tensors.values());
    this.metadata = metadata;
    this.notes = List.copyOf(notes);
  }

  /**
   * Opens one file.
   *
   * @param headerLimit the longest header to accept, in bytes; see {@link
   *     SafetensorsHeader#DEFAULT_LIMIT}
   * @throws FormatException if the header is wrong or does not fit the file
   */
  public static Safetensors open(Path file, long headerLimit) throws IOException {
    return openAll(file, List.of(file), Map.of(), headerLimit);
  }

  /**
   * Opens the shards that an index names. Tensors are found by the shards' own headers, since an
   * index may list tensors that no shard holds; the notes say so then.
   *
   * @param index a {@code model.safetensors.index.json}
   * @param headerLimit the longest header to accept in one shard, in bytes
   * @throws FormatException if the index or a shard is wrong, or a shard is missing or lies outside
   *     the model's folder
   */
  public static Safetensors openIndex(Path index, long headerLimit) throws IOException {
    Map<String, String> shardOf = SafetensorsIndex.read(index).shardOf();
    Map<String, Path> placeOf = new LinkedHashMap<>();
    Map<String, Path> expected = new LinkedHashMap<>();
    for (var entry : shardOf.entrySet()) {
      Path place = placeOf.get(entry.getValue());
      if (place == null) {
        place = Neighbouring.find(index, entry.getValue());
        placeOf.put(entry.getValue(), place);
      }
      expected.put(entry.getKey(), place);
    }
    List<Path> shards = List.copyOf(new LinkedHashSet<>(placeOf.values()));
    return openAll(index, shards, expected, headerLimit);
  }

  /**
   * Opens shards without an index.
   *
   * @param folder the model's folder, for messages
   * @param headerLimit the longest header to accept in one shard, in bytes
   */
  public static Safetensors openShards(Path folder, List<Path> shards, long headerLimit)
      throws IOException {
    return openAll(folder, shards, Map.of(), headerLimit);
  }

  private static Safetensors openAll(
      Path path, List<Path> shards, Map<String, Path> expected, long headerLimit)
      throws IOException {
    Map<Path, MappedFile> files = new LinkedHashMap<>();
    try {
      Map<String, TensorInfo> tensors = new LinkedHashMap<>();
      Map<String, String> metadata = new LinkedHashMap<>();
      for (Path shard : shards) {
        MappedFile file = MappedFile.open(shard);
        files.put(shard, file);
        SafetensorsHeader header = SafetensorsHeader.read(shard, file.bytes(), headerLimit);
        header.metadata().forEach(metadata::putIfAbsent);
        for (TensorInfo tensor : header.tensors()) {
          add(tensors, tensor, expected.get(tensor.name()));
        }
      }
      List<String> notes = new ArrayList<>(notes(path, tensors, expected));
      if (metadata.containsKey(StoredTokens.GRAMS)) {
        notes.add(unseen(path, tensors));
      }
      return new Safetensors(path, files, tensors, metadata, List.copyOf(notes));
    } catch (IOException | RuntimeException | Error e) {
      files.values().forEach(MappedFile::close);
      throw e;
    }
  }

  /** Adds a tensor; if two shards hold one, that of the shard that the index names stays. */
  private static void add(
      Map<String, TensorInfo> tensors, TensorInfo tensor, @Nullable Path expected) {
    TensorInfo other = tensors.putIfAbsent(tensor.name(), tensor);
    if (other == null) {
      return;
    }
    if (expected == null) {
      throw new FormatException(
          tensor.file(),
          "duplicate name: tensor \"%s\" is also in %s"
              .formatted(tensor.name(), other.file().getFileName()));
    }
    if (expected.equals(tensor.file())) {
      tensors.put(tensor.name(), tensor);
    }
  }

  private static List<String> notes(
      Path path, Map<String, TensorInfo> tensors, Map<String, Path> expected) {
    List<String> absent =
        expected.keySet().stream().filter(name -> !tensors.containsKey(name)).toList();
    if (absent.isEmpty()) {
      return List.of();
    }
    return List.of(
        "%s lists %s that no shard holds, such as \"%s\"; left out"
            .formatted(path.getFileName(), Counted.of(absent.size(), "tensor"), absent.getFirst()));
  }

  /** Says how words without a row get a vector, which this format has no place for. */
  private static String unseen(Path path, Map<String, TensorInfo> tensors) {
    return StoredTokens.UNSEEN
        + (tensors.containsKey(StoredTokens.PARTS)
            ? "rowan convert %s OUT.bin --to fasttext writes a model that has them".formatted(path)
            : "the rows of n-grams were not kept; train -o OUT.bin writes a model that has them");
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public String format() {
    return "safetensors";
  }

  @Override
  public List<TensorInfo> tensors() {
    return list;
  }

  @Override
  public Optional<TensorInfo> find(String name) {
    return Optional.ofNullable(tensors.get(name));
  }

  @Override
  public Optional<Supplier<Vocabulary>> vocabulary() {
    return StoredTokens.areIn(this)
        ? Optional.of(() -> StoredTokens.of(this).orElseThrow())
        : Optional.empty();
  }

  @Override
  public ModelConfig config() {
    return config(metadata);
  }

  /** Returns what the texts of a header say of the model. */
  public static ModelConfig config(Map<String, String> metadata) {
    if (StoredTokens.NO_OUTPUT.equals(metadata.get(StoredTokens.OUTPUT))) {
      return ModelConfig.INPUT_ONLY;
    }
    String note = metadata.get(TieSetting.NOTE);
    return note == null ? ModelConfig.SILENT : ModelConfig.SILENT.withTie(TieSetting.noted(note));
  }

  @Override
  public Map<String, String> texts() {
    return texts(metadata);
  }

  /** Returns those texts of a header that do not tell how the file is to be read. */
  public static Map<String, String> texts(Map<String, String> metadata) {
    Map<String, String> texts = new LinkedHashMap<>(metadata);
    texts.keySet().removeIf(key -> key.startsWith(OWN));
    return texts;
  }

  /** Returns the texts that the writer of the file left in it. */
  public Map<String, String> metadata() {
    return Collections.unmodifiableMap(metadata);
  }

  @Override
  public MemorySegment data(TensorInfo tensor) {
    MappedFile file = files.get(tensor.file());
    if (file == null) {
      throw new IllegalArgumentException(
          "tensor \"%s\" is not one of %s".formatted(tensor.name(), path));
    }
    return file.bytes().asSlice(tensor.offset(), tensor.bytes());
  }

  @Override
  public List<String> notes() {
    return notes;
  }

  @Override
  public void close() {
    files.values().forEach(MappedFile::close);
  }
}
