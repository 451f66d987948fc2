package dev.rowan.formats.tensorflow;

import dev.rowan.core.Counted;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.config.TieSetting;
import dev.rowan.formats.convention.TrainingState;
import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.Neighbouring;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An open TensorFlow checkpoint (tensorflow/tensorflow, tensor_bundle.proto). Opening reads the
 * {@link BundleIndex}; numbers are views of the mapped files, but for partitioned variables, whose
 * parts are copied together when they are asked for.
 *
 * <p>The checksums of the index are checked, those of the numbers are not: that would read them
 * all.
 */
public final class TensorflowFile implements TensorFile {
  /** What the original releases call their config. */
  public static final List<String> CONFIGS = List.of("bert_config.json", "hparams.json");

  private final Path path;
  private final ModelConfig config;
  private final BundleIndex index;
  private final Map<String, BundleIndex.Entry> entries;
  private final Map<String, MappedFile> shards = new HashMap<>();
  private final List<String> notes = new ArrayList<>();

  private TensorflowFile(Path path, ModelConfig config, BundleIndex index) {
    this.path = path;
    this.config = config;
    this.index = index;
    this.entries = index.entries();
  }

  /**
   * Opens a checkpoint.
   *
   * @param index its {@code .index} file
   * @throws FormatException if the index is damaged
   */
  public static TensorflowFile open(Path index) throws IOException {
    TensorflowFile file = new TensorflowFile(index, configBeside(index), BundleIndex.read(index));
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
    BundleIndex.Entry kept = entries.get(original);
    BundleIndex.Entry copy = entries.get(name);
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

  /** Returns the names of the files, beside the index, that hold the numbers of the tensors. */
  public List<String> numberFiles() {
    return index.numberFiles();
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
    return entries.values().stream().map(BundleIndex.Entry::info).toList();
  }

  @Override
  public Optional<TensorInfo> find(String name) {
    return Optional.ofNullable(entries.get(name)).map(BundleIndex.Entry::info);
  }

  @Override
  public ModelConfig config() {
    return config;
  }

  @Override
  public MemorySegment data(TensorInfo tensor) throws IOException {
    BundleIndex.Entry entry = entries.get(tensor.name());
    if (entry == null) {
      throw new IllegalArgumentException(
          "tensor \"%s\" is not one of %s".formatted(tensor.name(), path));
    }
    BundleEntry bundle = entry.bundle();
    return bundle.slices().isEmpty()
        ? stored(tensor.name(), bundle)
        : new Partition(path, tensor, key -> stored("a part", index.part(key)))
            .join(bundle.slices());
  }

  private MemorySegment stored(String name, BundleEntry entry) throws IOException {
    MappedFile shard = shard(index.numberFile(name, entry));
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

  private MappedFile shard(String name) throws IOException {
    synchronized (shards) {
      MappedFile known = shards.get(name);
      if (known == null) {
        known = MappedFile.open(Neighbouring.find(path, name));
        shards.put(name, known);
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
