package dev.rowan.formats.pytorch;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.core.Counted;
import dev.rowan.formats.convention.TableNames;
import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.Neighbouring;
import dev.rowan.formats.file.Stretches;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.safetensors.SafetensorsIndex;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.Strided;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.zip.ZipArchive;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
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
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();

  private record Entry(
      TensorInfo info, TorchTensor tensor, Checkpoint.Place place, ByteOrder order) {}

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
    Entry entry = entry(tensor);
    if (tensor.offset() == 0) {
      return tensor;
    }
    return new TensorInfo(
        tensor.name(),
        tensor.dtype(),
        tensor.shape(),
        tensor.file(),
        entry.place().start().getAsLong() + start(entry.tensor()),
        tensor.bytes());
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
      add(file, checkpoint, entry.getKey(), entry.getValue());
    }
    if (!state.leftOut().isEmpty()) {
      notes.add(
          "%s also holds %s, which are no part of the model and left out"
              .formatted(file.getFileName(), String.join(", ", state.leftOut())));
    }
  }

  private void add(Path file, Checkpoint checkpoint, String name, TorchTensor tensor) {
    Checkpoint.Place place =
        Optional.ofNullable(checkpoint.storages().get(tensor.storage().key())).orElseThrow();
    Strided strided = tensor.place();
    Dtype dtype = TorchDtypes.in(checkpoint.order(), tensor.dtype());
    // its place is known to lie in the storage, and that to lie in the file, so nothing overflows
    // but for tensors that repeat their numbers
    long bytes = bytes(file, name, tensor);
    boolean inPlace = strided.isPacked() && !tensor.negated() && place.offset() > 0 && bytes > 0;
    long offset = inPlace ? place.offset() + start(tensor) : 0;
    TensorInfo info = new TensorInfo(name, dtype, strided.shape(), file, offset, bytes);
    Entry entry = new Entry(info, tensor, place, checkpoint.order());
    if (entries.putIfAbsent(name, entry) != null) {
      throw new FormatException(
          file, "duplicate name: tensor \"%s\" is also in another shard".formatted(name));
    }
  }

  private static long bytes(Path path, String name, TorchTensor tensor) {
    try {
      return Math.multiplyExact(tensor.place().elements(), tensor.numberBytes());
    } catch (ArithmeticException e) {
      FormatException wrong =
          new FormatException(
              path,
              "tensor \"%s\" has more than 2^63 bytes: shape %s"
                  .formatted(name, tensor.place().shape()));
      wrong.initCause(e);
      throw wrong;
    }
  }

  /** Returns the byte of its storage at which a tensor starts. */
  private static long start(TorchTensor tensor) {
    long storageBytes = tensor.storage().dtype().bits() / 8;
    return tensor.storage().first() * storageBytes + tensor.place().offset() * tensor.numberBytes();
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
    return entries.values().stream().map(Entry::info).toList();
  }

  @Override
  public Optional<TensorInfo> find(String name) {
    return Optional.ofNullable(entries.get(name)).map(Entry::info);
  }

  /**
   * {@inheritDoc}
   *
   * @throws UnsupportedFormatException if the tensor repeats numbers of its storage, or has more
   *     than two dimensions and is not row-major
   */
  @Override
  public MemorySegment data(TensorInfo tensor) {
    Entry entry = entry(tensor);
    MemorySegment stored = stored(tensor, entry);
    return entry.tensor().negated() && tensor.bytes() > 0 ? negated(tensor, stored, entry) : stored;
  }

  /** Returns a copy with the other signs. */
  private static MemorySegment negated(TensorInfo tensor, MemorySegment stored, Entry entry) {
    int size = entry.tensor().numberBytes();
    if (tensor.dtype().rows().isEmpty()) {
      throw new UnsupportedFormatException(
          tensor.file(),
          "tensor \"%s\" is stored as %s to be negated, which cannot be read; save tensor.resolve_neg()"
              .formatted(tensor.name(), tensor.dtype().label()));
    }
    MemorySegment copy = Arena.ofAuto().allocate(stored.byteSize(), 64).copyFrom(stored);
    for (long at = entry.order() == ByteOrder.BIG_ENDIAN ? 0 : size - 1;
        at < copy.byteSize();
        at += size) {
      copy.set(JAVA_BYTE, at, (byte) (copy.get(JAVA_BYTE, at) ^ 0x80));
    }
    return copy.asReadOnly();
  }

  private static MemorySegment stored(TensorInfo tensor, Entry entry) {
    Strided place = entry.tensor().place();
    if (tensor.bytes() == 0) {
      return MemorySegment.NULL.asReadOnly();
    }
    MemorySegment storage = entry.place().bytes().get();
    if (place.isPacked()) {
      return storage.asSlice(start(entry.tensor()), tensor.bytes());
    }
    boolean repeats = tensor.bytes() > storage.byteSize();
    if (repeats || place.shape().size() > 2 || entry.tensor().numberBytes() > 8) {
      throw new UnsupportedFormatException(
          tensor.file(),
          "tensor \"%s\" of shape %s has strides %s; only views of at most two dimensions that do not repeat numbers can be read, save a contiguous copy"
              .formatted(tensor.name(), tensor.shapeText(), place.strides()));
    }
    long first = entry.tensor().storage().first() * (entry.tensor().storage().dtype().bits() / 8);
    return place.copy(storage.asSlice(first), entry.tensor().numberBytes());
  }

  private Entry entry(TensorInfo tensor) {
    Entry entry = entries.get(tensor.name());
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
