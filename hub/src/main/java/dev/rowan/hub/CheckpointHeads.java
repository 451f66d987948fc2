package dev.rowan.hub;

import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.numpy.NumpyFile;
import dev.rowan.formats.onnx.OnnxFile;
import dev.rowan.formats.pytorch.PytorchFile;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.tensorflow.TensorflowFile;
import dev.rowan.formats.zip.ZipArchive;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads what remote checkpoints say of their tensors: PyTorch's and NumPy's archives, TensorFlow's
 * indexes, ONNX graphs.
 *
 * @param limit the most bytes to look at in one file
 */
record CheckpointHeads(Fetcher fetcher, long limit) {
  private static final long LONGEST_INDEX = 512 << 20;

  /**
   * Reads the directories and pickles of checkpoints.
   *
   * @throws NotInParts if one is no zip archive, or its server sends no parts
   */
  PytorchFile pytorch(Path path, List<Entry> files, Map<String, String> shardOf)
      throws IOException {
    Map<Entry, Glimpses> looks = new LinkedHashMap<>();
    Map<Entry, NotInParts> not = new LinkedHashMap<>();
    List<Together.Task> tasks = new ArrayList<>();
    for (List<Entry> some : Heads.shared(fetcher, files)) {
      tasks.add(() -> {
        for (Entry file : some) {
          look(file, looks, not);
        }
      });
    }
    try {
      Together.run(tasks);
      refuse(files, not);
      return PytorchFile.ofListed(path, files.stream().map(looks::get).toList(), shardOf);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Looks on at the others where one does not come in parts: the next run looks at all again. */
  private void look(Entry file, Map<Entry, Glimpses> looks, Map<Entry, NotInParts> not)
      throws IOException {
    try {
      Glimpses look = checkpoint(file);
      synchronized (looks) {
        looks.put(file, look);
      }
    } catch (NotInParts e) {
      synchronized (not) {
        not.put(file, e);
      }
    }
  }

  /** Names the first one, whichever answered first. */
  private static void refuse(List<Entry> files, Map<Entry, NotInParts> not) throws NotInParts {
    for (Entry file : files) {
      NotInParts e = not.get(file);
      if (e != null) {
        throw e;
      }
    }
  }

  /**
   * Reads the index of a TensorFlow checkpoint.
   *
   * @throws NotInParts if the file is no such index
   */
  RemoteTensors tensorflow(Path path, Weights weights) throws IOException {
    Entry index = weights.index().orElseThrow();
    Path kept = fetcher.small(index, LONGEST_INDEX);
    // the reader looks for the config of an original release beside the index
    String version = Identity.digest(fetcher.listing().commit() + index.known());
    Path folder = fetcher.store().beside(fetcher.catalog().key(), version);
    Path place = folder.resolve(index.lastName());
    Kept.link(place, kept);
    for (Entry entry : weights.companions(fetcher.listing())) {
      if (TensorflowFile.CONFIGS.contains(entry.lastName())) {
        Kept.link(folder.resolve(entry.lastName()), fetcher.quietly().small(entry, LONGEST_INDEX));
      }
    }
    try (MappedFile bytes = MappedFile.open(place)) {
      if (!TensorflowFile.isIndex(bytes.bytes())) {
        throw new NotInParts(index.name() + " is no index of a TensorFlow checkpoint");
      }
    }
    try (TensorflowFile file = TensorflowFile.open(place)) {
      List<TensorInfo> tensors =
          file.tensors().stream()
              .map(tensor -> in(tensor, Path.of(weights.folder() + tensor.file().getFileName())))
              .toList();
      return new RemoteTensors(path, file.format(), tensors, file.config(), file.notes());
    }
  }

  /**
   * Reads the graph of an ONNX model.
   *
   * @throws NotInParts if the file is none, or its server sends no parts
   */
  RemoteOnnx onnx(Path path, Weights weights) throws IOException {
    Glimpses look = new Glimpses(fetcher, weights.index().orElseThrow(), limit);
    if (FileKind.of(look.head()) != FileKind.ONNX) {
      throw new NotInParts(look.path() + " is no ONNX model");
    }
    try (OnnxFile file = OnnxFile.ofListed(look)) {
      List<TensorInfo> tensors =
          file.tensors().stream().map(tensor -> in(tensor, inModel(tensor.file()))).toList();
      return new RemoteOnnx(
          new RemoteTensors(path, file.format(), tensors, file.config(), file.notes()),
          file.lookedUp().map(TensorInfo::name),
          file.uses());
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Reads the headers of arrays. Their tokens are read from it too, so more bytes may be looked at.
   *
   * @throws NotInParts if the file holds none, or its server sends no parts
   */
  NumpyFile numpy(Entry file) throws IOException {
    Glimpses look = new Glimpses(fetcher, file, Math.max(limit, WholeModel.MOST_UNASKED));
    boolean archive = file.name().endsWith(".npz");
    if (FileKind.of(look.head()) != (archive ? FileKind.ZIP : FileKind.NUMPY)) {
      throw new NotInParts(file.name() + (archive ? " is no zip archive" : " is no array"));
    }
    try {
      return NumpyFile.ofListed(look);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Graphs name other files from where they lie themselves. */
  private static Path inModel(Path file) {
    return file.isAbsolute() ? Path.of("").toAbsolutePath().relativize(file).normalize() : file;
  }

  /** Returns a tensor with its file named as the model names it. */
  private static TensorInfo in(TensorInfo tensor, Path file) {
    return new TensorInfo(
        tensor.name(), tensor.dtype(), tensor.shape(), file, tensor.offset(), tensor.bytes());
  }

  /** Looks at all that describes a checkpoint, so that the next look costs nothing. */
  private Glimpses checkpoint(Entry file) throws IOException {
    Glimpses look = new Glimpses(fetcher, file, limit);
    switch (FileKind.of(look.head())) {
      case ZIP -> {}
      case MARKUP ->
          throw new FormatException(
              look.path(), "arrives as a web page; is a login or a proxy in between?");
      default -> throw new NotInParts(file.name() + " is no zip archive");
    }
    if (!PytorchFile.isCheckpoint(ZipArchive.listed(look))) {
      throw new NotInParts(file.name() + " is no checkpoint");
    }
    PytorchFile.ofListed(look.path(), List.of(look), Map.of());
    return look;
  }
}
