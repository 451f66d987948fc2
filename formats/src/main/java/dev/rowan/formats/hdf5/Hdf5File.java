package dev.rowan.formats.hdf5;

import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.zip.ZipArchive;
import dev.rowan.formats.zip.ZipEntry;
import io.jhdf.HdfFile;
import io.jhdf.api.Dataset;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

  private final MappedFile file;
  private final MemorySegment bytes;
  private final String format;
  private final HdfFile hdf;
  private final Hdf5Tree tree;
  private final List<String> notes;

  private Hdf5File(MappedFile file, MemorySegment bytes, long start, String format, HdfFile hdf) {
    this.file = file;
    this.bytes = bytes;
    this.format = format;
    this.hdf = hdf;
    this.tree = Hdf5Tree.read(file.path(), hdf, bytes.byteSize(), start);
    this.notes = new ArrayList<>(tree.notes());
    KerasTables.note(tree.tensors()).ifPresent(notes::add);
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
      HdfFile hdf =
          Guard.read(
              path,
              () ->
                  bytes.byteSize() > Integer.MAX_VALUE
                      ? new HdfFile(path)
                      : HdfFile.fromByteBuffer(bytes.asByteBuffer()));
      return read(mapped, bytes, start, format, hdf);
    } catch (FormatException e) {
      if (!Retyped.isFor(e)) {
        throw e;
      }
    }
    Retyped retyped = new Retyped(bytes);
    try {
      HdfFile hdf = Guard.read(path, () -> new HdfFile(retyped));
      Hdf5File file = read(mapped, bytes, start, format, hdf);
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

  private static Hdf5File read(
      MappedFile mapped, MemorySegment bytes, long start, String format, HdfFile hdf) {
    try {
      return new Hdf5File(mapped, bytes, start, format, hdf);
    } catch (RuntimeException | Error e) {
      close(hdf);
      throw e;
    }
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
    return tree.tensors();
  }

  @Override
  public Optional<TensorInfo> find(String name) {
    return tree.find(name).map(Hdf5Tree.Entry::info);
  }

  /**
   * {@inheritDoc}
   *
   * @throws FormatException if chunks are damaged
   * @throws UnsupportedFormatException if they are packed in a way that is not read
   */
  @Override
  public MemorySegment data(TensorInfo tensor) {
    Dataset dataset =
        tree.find(tensor.name())
            .map(Hdf5Tree.Entry::dataset)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "tensor \"%s\" is not one of %s".formatted(tensor.name(), path())));
    if (tensor.bytes() == 0) {
      return MemorySegment.ofArray(new byte[0]);
    }
    return new Hdf5Numbers(path(), bytes, hdf.getUserBlockSize(), notes::add).of(tensor, dataset);
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
    close(hdf);
    file.close();
  }

  /** The library asks for the name of any file that it closes, which one shown to it has not. */
  private static void close(HdfFile hdf) {
    if (!hdf.inMemory() && !(hdf.getHdfBackingStorage().getFileChannel() instanceof Retyped)) {
      hdf.close();
    }
  }
}
