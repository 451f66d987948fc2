package dev.rowan.formats.pytorch;

import dev.rowan.core.Counted;
import dev.rowan.formats.convention.TableNames;
import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.Neighbouring;
import dev.rowan.formats.file.Stretches;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.safetensors.SafetensorsIndex;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.zip.ZipArchive;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An open PyTorch checkpoint, or the shards of one model. Opening reads the pickle that describes
 * the tensors, as data: nothing in it is run. Row-major tensors are views of the mapped file;
 * transposed ones are copied when they are asked for.
 *
 * <p>Tensors may lie in a dictionary of their own ({@code state_dict}); the optimizer's are left
 * out, which the notes say. The three layouts that {@code torch.save} has had stand in {@link
 * ZipCheckpoint}, {@link StreamCheckpoint} and {@link TarCheckpoint}.
 */
public final class PytorchFile implements TensorFile {
  private final Path path;
  private final List<MappedFile> files = new ArrayList<>();
  private final Map<String, StoredTensor> entries = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();

  private PytorchFile(Path path) {
    this.path = path;
  }

  /**
   * Opens a checkpoint.
   *
   * @throws FormatException if it is damaged
   * @throws UnsupportedFormatException if it is TorchScript, or its pickle holds more than weights
   */
  public static PytorchFile open(Path file) throws IOException {
    return openShards(file, List.of(file));
  }

  /**
   * Opens the shards of one model.
   *
   * @param path what to call them all: the index, or the folder
   * @throws FormatException if one is damaged, or two hold tensors of one name
   */
  public static PytorchFile openShards(Path path, List<Path> shards) throws IOException {
    PytorchFile model = new PytorchFile(path);
    try {
      for (Path shard : shards) {
        MappedFile file = MappedFile.open(shard);
        model.files.add(file);
        model.add(file);
        ParallelParts.note(shard).ifPresent(model.notes::add);
      }
      model.noteCopies();
      return model;
    } catch (IOException | RuntimeException | Error e) {
      model.close();
      throw e;
    }
  }

  /**
   * Opens the shards that a {@code pytorch_model.bin.index.json} names. Tensors are found in the
   * shards themselves, since an index may list some that no shard holds; the notes say so then.
   *
   * @throws FormatException if the index or a shard is wrong, or a shard is missing or lies outside
   *     the model's folder
   */
  public static PytorchFile openIndex(Path index) throws IOException {
    Map<String, String> shardOf = SafetensorsIndex.read(index).shardOf();
    List<Path> shards = new ArrayList<>();
    for (String shard : new LinkedHashSet<>(shardOf.values())) {
      shards.add(Neighbouring.find(index, shard));
    }
    PytorchFile model = openShards(index, shards);
    model.noteAbsent(String.valueOf(index.getFileName()), shardOf);
    return model;
  }

  /** In one file, PyTorch stores the numbers of tied tables once; across files it cannot. */
  private void noteCopies() {
    List<TensorInfo> inputs =
        TableNames.inputs(tensors()).stream().filter(TensorInfo::hasRows).toList();
    for (TensorInfo first : inputs) {
      for (TensorInfo other : inputs) {
        if (!first.file().equals(other.file())
            && first.shape().equals(other.shape())
            && first.dtype().equals(other.dtype())) {
          notes.add(
              "\"%s\" and \"%s\" lie in different files; if the model has one table under both names, its parameters count twice"
                  .formatted(first.name(), other.name()));
          return;
        }
      }
    }
  }

  private void noteAbsent(String index, Map<String, String> shardOf) {
    List<String> absent =
        shardOf.keySet().stream().filter(name -> !entries.containsKey(name)).toList();
    if (!absent.isEmpty()) {
      notes.add(
          "%s lists %s that no shard holds, such as \"%s\"; left out"
              .formatted(index, Counted.of(absent.size(), "tensor"), absent.getFirst()));
    }
  }

  /**
   * Reads what the pickles of zip checkpoints say, which may be far away: of each file only its
   * directory and its pickle are looked at. Where tensors start is not known yet, see {@link
   * #located}; two that share bytes do have one offset.
   *
   * @param path what to call them all
   * @param shardOf which file an index says holds a tensor; empty if there is no index
   * @throws FormatException if one is damaged, or two hold tensors of one name
   * @throws UnsupportedFormatException if one is no checkpoint
   */
  public static PytorchFile ofListed(
      Path path, List<? extends Stretches> shards, Map<String, String> shardOf) {
    PytorchFile model = new PytorchFile(path);
    for (Stretches shard : shards) {
      model.add(shard.path(), ZipCheckpoint.read(shard.path(), ZipArchive.listed(shard)));
    }
    model.noteAbsent("the index", shardOf);
    return model;
  }

  /**
   * Returns a tensor of {@link #ofListed} with the byte of its file at which it starts, for which
   * the file is looked at once more; as it is if it is not stored in one piece.
   *
   * @throws FormatException if it does not start where the directory says
   */
  public TensorInfo located(TensorInfo tensor) {
    return entry(tensor).located();
  }

  /** Returns whether a zip archive is a checkpoint. */
  public static boolean isCheckpoint(ZipArchive archive) {
    return ZipCheckpoint.is(archive);
  }

  private void add(MappedFile file) {
    Checkpoint checkpoint =
        switch (FileKind.of(file.bytes())) {
          case ZIP -> ZipCheckpoint.read(file.path(), ZipArchive.of(file));
          case PICKLE -> StreamCheckpoint.read(file);
          case TAR -> TarCheckpoint.read(file);
          case GIT_LFS_POINTER ->
              throw new FormatException(
                  file.path(),
                  "starts with \"version https://git-lfs\": this is a Git LFS pointer, not the"
                      + " weights; fetch the real file with git lfs pull");
          default ->
              throw new FormatException(
                  file.path(),
                  "starts with %s, as no PyTorch checkpoint does; the file looks damaged"
                      .formatted(FileKind.firstBytes(file.bytes())));
        };
    add(file.path(), checkpoint);
  }

  private void add(Path file, Checkpoint checkpoint) {
    StateDict state = new StateDict(checkpoint.object());
    for (var entry : state.tensors().entrySet()) {
      String name = entry.getKey();
      StoredTensor stored = StoredTensor.of(file, checkpoint, name, entry.getValue());
      if (entries.putIfAbsent(name, stored) != null) {
        throw new FormatException(
            file, "duplicate name: tensor \"%s\" is also in another shard".formatted(name));
      }
    }
    if (!state.leftOut().isEmpty()) {
      notes.add(
          "%s also holds %s, which are no part of the model and left out"
              .formatted(file.getFileName(), String.join(", ", state.leftOut())));
    }
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public String format() {
    return "pytorch";
  }

  @Override
  public List<TensorInfo> tensors() {
    return entries.values().stream().map(StoredTensor::info).toList();
  }

  @Override
  public Optional<TensorInfo> find(String name) {
    return Optional.ofNullable(entries.get(name)).map(StoredTensor::info);
  }

  /**
   * {@inheritDoc}
   *
   * @throws UnsupportedFormatException if the tensor repeats numbers of its storage, or has more
   *     than two dimensions and is not row-major
   */
  @Override
  public MemorySegment data(TensorInfo tensor) {
    return entry(tensor).data();
  }

  private StoredTensor entry(TensorInfo tensor) {
    StoredTensor entry = entries.get(tensor.name());
    if (entry == null) {
      throw new IllegalArgumentException(
          "tensor \"%s\" is not one of %s".formatted(tensor.name(), path));
    }
    return entry;
  }

  @Override
  public List<String> notes() {
    return List.copyOf(notes);
  }

  @Override
  public void close() {
    files.forEach(MappedFile::close);
  }
}
