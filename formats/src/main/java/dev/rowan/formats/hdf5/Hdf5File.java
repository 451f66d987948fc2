package dev.rowan.formats.hdf5;

import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.convention.TrainingState;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.zip.ZipArchive;
import dev.rowan.formats.zip.ZipEntry;
import io.jhdf.HdfFile;
import io.jhdf.api.Attribute;
import io.jhdf.api.Dataset;
import io.jhdf.api.Group;
import io.jhdf.api.Node;
import io.jhdf.api.dataset.ContiguousDataset;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An open HDF5 file, such as Keras keeps weights in. The library jHDF reads its structure; numbers
 * that lie in one piece stay in the mapped file, those in chunks are unpacked when asked for.
 *
 * <pre>
 *   Keras 2   .h5                 embedding/embedding/embeddings:0
 *                                 model_weights/embedding/embedding/embeddings:0
 *   Keras 3   .weights.h5         layers/embedding/vars/0
 *             .keras              a zip archive: config.json, model.weights.h5
 * </pre>
 *
 * <p>Every data set is a tensor, named by its path. Links are not followed: they may lead to other
 * files.
 */
public final class Hdf5File implements TensorFile {
  /** The name of the weights in a {@code .keras} archive. */
  public static final String WEIGHTS = "model.weights.h5";

  private static final int MOST_NODES = 1_000_000;
  private static final int DEEPEST = 64;

  private final MappedFile file;
  private final MemorySegment bytes;
  private final long start; // of the bytes in the file; −1 if they were inflated
  private final String format;
  private final HdfFile hdf;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();
  private int nodes;
  private int unnamed; // tables of numbers without a type

  private record Entry(TensorInfo info, Dataset dataset) {}

  private Hdf5File(MappedFile file, MemorySegment bytes, long start, String format, HdfFile hdf) {
    this.file = file;
    this.bytes = bytes;
    this.start = start;
    this.format = format;
    this.hdf = hdf;
  }

  /**
   * Opens a file: reads its groups and the headers of its data sets.
   *
   * @throws FormatException if its structure is wrong or does not fit the file
   */
  public static Hdf5File open(Path path) throws IOException {
    MappedFile mapped = MappedFile.open(path);
    try {
      return over(mapped, mapped.bytes(), 0, "hdf5");
    } catch (IOException | RuntimeException | Error e) {
      mapped.close();
      throw e;
    }
  }

  /**
   * Opens the weights of a {@code .keras} archive.
   *
   * @throws FormatException if the archive or its weights are wrong
   */
  public static Hdf5File openKeras(Path path) throws IOException {
    MappedFile mapped = MappedFile.open(path);
    try {
      ZipArchive archive = ZipArchive.of(mapped);
      ZipEntry entry =
          archive
              .find(WEIGHTS)
              .orElseThrow(() -> new FormatException(path, "holds no %s".formatted(WEIGHTS)));
      return over(
          mapped, archive.bytes(entry), entry.deflated() ? -1 : archive.offset(entry), "keras");
    } catch (IOException | RuntimeException | Error e) {
      mapped.close();
      throw e;
    }
  }

  private static Hdf5File over(MappedFile mapped, MemorySegment bytes, long start, String format)
      throws IOException {
    Path path = mapped.path();
    if (bytes.byteSize() > Integer.MAX_VALUE && start != 0) {
      throw new UnsupportedFormatException(
          path,
          "holds weights of %,d bytes; unpack the archive and open its %s"
              .formatted(bytes.byteSize(), WEIGHTS));
    }
    Superblock.checkWhole(path, bytes);
    try {
      return read(
          new Hdf5File(
              mapped,
              bytes,
              start,
              format,
              Guard.read(
                  path,
                  () ->
                      bytes.byteSize() > Integer.MAX_VALUE
                          ? new HdfFile(path)
                          : HdfFile.fromByteBuffer(bytes.asByteBuffer()))));
    } catch (FormatException e) {
      if (!Retyped.isFor(e)) {
        throw e;
      }
    }
    Retyped retyped = new Retyped(bytes);
    try {
      HdfFile hdf = Guard.read(path, () -> new HdfFile(retyped));
      Hdf5File file = read(new Hdf5File(mapped, bytes, start, format, hdf));
      retyped.showAsStored();
      return file;
    } catch (FormatException e) {
      throw Retyped.isFor(e) ? untyped(path) : e;
    }
  }

  private static UnsupportedFormatException untyped(Path path) {
    return new UnsupportedFormatException(
        path,
        "holds raw bytes whose type has no name, as h5py writes bfloat16, where they cannot be read; save it with the defaults of h5py, or as float32");
  }

  private static Hdf5File read(Hdf5File file) {
    try {
      Guard.read(
          file.path(),
          () -> {
            file.walk(file.hdf, 0, new HashSet<>());
            file.leaveOutTraining();
            KerasTables.note(file.tensors()).ifPresent(file.notes::add);
            return file;
          });
      return file;
    } catch (RuntimeException | Error e) {
      file.closeLibrary();
      throw e;
    }
  }

  /** All that there is stays, of a file that holds nothing else. */
  private void leaveOutTraining() {
    List<String> training = entries.keySet().stream().filter(TrainingState::isInKeras).toList();
    if (training.size() < entries.size()) {
      training.forEach(entries::remove);
      TrainingState.note(String.valueOf(path().getFileName()), training).ifPresent(notes::add);
    }
  }

  private void walk(Group group, int depth, Set<Long> above) {
    if (depth > DEEPEST) {
      throw new FormatException(path(), "nests groups deeper than %d".formatted(DEEPEST));
    }
    for (Node node : group.getChildren().values()) {
      if (++nodes > MOST_NODES) {
        throw new FormatException(
            path(), "has more than %,d groups and data sets".formatted(MOST_NODES));
      }
      if (node.isLink()) {
        notes.add("the link \"%s\" is not followed".formatted(name(node)));
      } else if (node instanceof Dataset dataset) {
        add(dataset);
      } else if (node instanceof Group inner && above.add(inner.getAddress())) {
        walk(inner, depth + 1, above);
      }
    }
  }

  private void add(Dataset dataset) {
    String name = name(dataset);
    List<Long> shape = new ArrayList<>();
    for (int dimension : dataset.getDimensions()) {
      if (dimension < 0) {
        throw new FormatException(
            path(), "data set \"%s\" has a dimension beyond 2^31".formatted(name));
      }
      shape.add((long) dimension);
    }
    Dtype dtype = dtype(name, dataset);
    long size = dtype.bits() / 8;
    try {
      for (long dimension : shape) {
        size = Math.multiplyExact(size, dimension);
      }
    } catch (ArithmeticException e) {
      FormatException wrong =
          new FormatException(
              path(), "data set \"%s\" has the impossible shape %s".formatted(name, shape));
      wrong.initCause(e);
      throw wrong;
    }
    long offset = 0;
    if (dataset instanceof ContiguousDataset contiguous && size > 0) {
      long at = contiguous.getDataAddress();
      if (at != -1) { // where nothing was ever written
        offset = place(name, Math.addExact(at, hdf.getUserBlockSize()), size);
      }
    }
    TensorInfo info = new TensorInfo(name, dtype, shape, path(), offset, size);
    if (entries.put(name, new Entry(info, dataset)) != null) {
      throw new FormatException(path(), "duplicate name: \"%s\" occurs twice".formatted(name));
    }
  }

  /** Where a type has no name, Keras says in an attribute what the bytes are, in some files. */
  private Dtype dtype(String name, Dataset dataset) {
    if (!Hdf5Dtypes.isRaw(dataset.getDataType())) {
      return Hdf5Dtypes.of(dataset.getDataType());
    }
    Attribute said = dataset.getAttribute("dtype");
    if (said != null) {
      return Hdf5Dtypes.raw(dataset.getDataType(), String.valueOf(said.getData()));
    }
    Dtype dtype = Hdf5Dtypes.raw(dataset.getDataType(), Hdf5Dtypes.BFLOAT16);
    if (dtype.rows().isPresent() && unnamed++ == 0) {
      notes.add(
          "\"%s\" holds numbers of two bytes that the file gives no type, as h5py writes bfloat16; such ones are read as bf16"
              .formatted(name));
    }
    return dtype;
  }

  private long place(String name, long at, long size) {
    if (at < 0 || at > bytes.byteSize() - size) {
      throw new FormatException(
          path(),
          "data set \"%s\" takes %,d bytes from byte %,d on, but the file has %,d; it looks cut off, copy it again"
              .formatted(name, size, at, bytes.byteSize()));
    }
    return start < 0 ? 0 : start + at;
  }

  private static String name(Node node) {
    String path = node.getPath();
    return path.startsWith("/") ? path.substring(1) : path;
  }

  @Override
  public Path path() {
    return file.path();
  }

  @Override
  public String format() {
    return format;
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
   * @throws FormatException if chunks are damaged
   * @throws UnsupportedFormatException if they are packed in a way that is not read
   */
  @Override
  public MemorySegment data(TensorInfo tensor) {
    Entry entry = entries.get(tensor.name());
    if (entry == null) {
      throw new IllegalArgumentException(
          "tensor \"%s\" is not one of %s".formatted(tensor.name(), path()));
    }
    if (tensor.bytes() == 0) {
      return MemorySegment.ofArray(new byte[0]);
    }
    return new Hdf5Numbers(path(), bytes, hdf.getUserBlockSize(), notes::add)
        .of(tensor, entry.dataset());
  }

  /** Keras 3 does not name its variables; that of an embedding layer is its only one. */
  @Override
  public Optional<TensorInfo> lookedUp() {
    return KerasTables.largest(tensors());
  }

  /** Weights say nothing of what the model does with them. */
  @Override
  public ModelConfig config() {
    return ModelConfig.OPEN;
  }

  @Override
  public List<String> notes() {
    return List.copyOf(notes);
  }

  @Override
  public void close() {
    closeLibrary();
    file.close();
  }

  /** It asks for the name of any file that it closes, which one shown to it has not. */
  private void closeLibrary() {
    if (!hdf.inMemory() && !(hdf.getHdfBackingStorage().getFileChannel() instanceof Retyped)) {
      hdf.close();
    }
  }
}
