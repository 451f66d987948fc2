package dev.rowan.formats.hdf5;

import dev.rowan.formats.convention.TrainingState;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.TensorInfo;
import io.jhdf.HdfFile;
import io.jhdf.api.Attribute;
import io.jhdf.api.Dataset;
import io.jhdf.api.Group;
import io.jhdf.api.Node;
import io.jhdf.api.dataset.ContiguousDataset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The data sets of an HDF5 file by their paths, in the file's order. Not safe for threads. */
final class Hdf5Tree {
  private static final int MOST_NODES = 1_000_000;
  private static final int DEEPEST = 64;

  private final Path path;
  private final HdfFile hdf;
  private final long size;
  private final long start;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();
  private int nodes;
  private int unnamed; // tables of numbers without a type

  /** A data set as a tensor, and as the library has it. */
  record Entry(TensorInfo info, Dataset dataset) {}

  private Hdf5Tree(Path path, HdfFile hdf, long size, long start) {
    this.path = path;
    this.hdf = hdf;
    this.size = size;
    this.start = start;
  }

  /**
   * Reads groups and the headers of data sets, except those that only training needs.
   *
   * @param size bytes of the HDF5 file
   * @param start where it begins in the file of that path; −1 if it was inflated
   * @throws FormatException if the structure is wrong or does not fit the file
   */
  static Hdf5Tree read(Path path, HdfFile hdf, long size, long start) {
    Hdf5Tree tree = new Hdf5Tree(path, hdf, size, start);
    return Guard.read(
        path,
        () -> {
          tree.walk(hdf, 0, new HashSet<>());
          tree.leaveOutTraining();
          return tree;
        });
  }

  /** Returns the tensors in the file's order. */
  List<TensorInfo> tensors() {
    return entries.values().stream().map(Entry::info).toList();
  }

  /** Returns the data set of a path, which begins with no slash. */
  Optional<Entry> find(String name) {
    return Optional.ofNullable(entries.get(name));
  }

  /** Returns what to tell of the file. */
  List<String> notes() {
    return notes;
  }

  /** All that there is stays, of a file that holds nothing else. */
  private void leaveOutTraining() {
    List<String> training = entries.keySet().stream().filter(TrainingState::isInKeras).toList();
    if (training.size() < entries.size()) {
      training.forEach(entries::remove);
      TrainingState.note(String.valueOf(path.getFileName()), training).ifPresent(notes::add);
    }
  }

  private void walk(Group group, int depth, Set<Long> above) {
    if (depth > DEEPEST) {
      throw new FormatException(path, "nests groups deeper than %d".formatted(DEEPEST));
    }
    for (Node node : group.getChildren().values()) {
      if (++nodes > MOST_NODES) {
        throw new FormatException(
            path, "has more than %,d groups and data sets".formatted(MOST_NODES));
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
            path, "data set \"%s\" has a dimension beyond 2^31".formatted(name));
      }
      shape.add((long) dimension);
    }
    Dtype dtype = dtype(name, dataset);
    long taken = dtype.bits() / 8;
    try {
      for (long dimension : shape) {
        taken = Math.multiplyExact(taken, dimension);
      }
    } catch (ArithmeticException e) {
      FormatException wrong =
          new FormatException(
              path, "data set \"%s\" has the impossible shape %s".formatted(name, shape));
      wrong.initCause(e);
      throw wrong;
    }
    long offset = 0;
    if (dataset instanceof ContiguousDataset contiguous && taken > 0) {
      long at = contiguous.getDataAddress();
      if (at != -1) { // where nothing was ever written
        offset = place(name, Math.addExact(at, hdf.getUserBlockSize()), taken);
      }
    }
    TensorInfo info = new TensorInfo(name, dtype, shape, path, offset, taken);
    if (entries.put(name, new Entry(info, dataset)) != null) {
      throw new FormatException(path, "duplicate name: \"%s\" occurs twice".formatted(name));
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

  private long place(String name, long at, long taken) {
    if (at < 0 || at > size - taken) {
      throw new FormatException(
          path,
          "data set \"%s\" takes %,d bytes from byte %,d on, but the file has %,d; it looks cut off, copy it again"
              .formatted(name, taken, at, size));
    }
    return start < 0 ? 0 : start + at;
  }

  private static String name(Node node) {
    String whole = node.getPath();
    return whole.startsWith("/") ? whole.substring(1) : whole;
  }
}
