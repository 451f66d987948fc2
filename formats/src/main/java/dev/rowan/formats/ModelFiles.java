package dev.rowan.formats;

import dev.rowan.formats.columns.ColumnFile;
import dev.rowan.formats.fasttext.FastTextFile;
import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.Missing;
import dev.rowan.formats.file.Neighbouring;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.gguf.GgufFile;
import dev.rowan.formats.hdf5.Hdf5File;
import dev.rowan.formats.model2vec.StaticModel;
import dev.rowan.formats.numpy.NumpyFile;
import dev.rowan.formats.onnx.OnnxFile;
import dev.rowan.formats.projector.ProjectorFile;
import dev.rowan.formats.pytorch.PytorchFile;
import dev.rowan.formats.safetensors.Safetensors;
import dev.rowan.formats.safetensors.SafetensorsIndex;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensorflow.CheckpointPath;
import dev.rowan.formats.tensorflow.TensorflowFile;
import dev.rowan.formats.word2vec.WordVectors;
import dev.rowan.formats.zip.ZipArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the files of a model: the weights, and the tokenizer.json and config.json that belong to
 * them.
 *
 * @param path what the user named: a file or a folder
 * @param weights the weights file, the index of several, or several shards
 */
record ModelFiles(Path path, List<Path> weights) {
  /** Suffixes that tell whom to ask what is wrong with a file of no kind. */
  private static final List<String> KNOWN_NAMES = List.of(".safetensors", ".onnx", ".gguf", ".npy");

  /** What can be read, for messages. */
  static final String READABLE =
      "safetensors, ONNX, GGUF, PyTorch, TensorFlow, Keras, NumPy, word vector and fastText files";

  static ModelFiles find(Path path) throws IOException {
    Optional<Path> checkpoint = CheckpointPath.index(path);
    if (checkpoint.isPresent()) {
      return new ModelFiles(path, List.of(checkpoint.get()));
    }
    if (!Files.exists(path)) {
      throw Missing.at(path, "file or folder");
    }
    return new ModelFiles(path, Files.isDirectory(path) ? FolderWeights.in(path) : List.of(path));
  }

  /** Opens the weights with the reader that their bytes ask for. */
  TensorFile open(OpenOptions options) throws IOException {
    if (weights.size() > 1 && weights.getFirst().toString().endsWith(".bin")) {
      return PytorchFile.openShards(path, weights);
    }
    if (weights.size() > 1) {
      return Safetensors.openShards(path, weights, options.headerLimit());
    }
    Path file = weights.getFirst();
    FileKind kind;
    try (MappedFile mapped = MappedFile.open(file)) {
      kind = FileKind.of(mapped.bytes());
      if (kind == FileKind.UNKNOWN && !hasKnownName(file)) {
        throw new UnsupportedFormatException(
            file,
            "is %s: it starts with %s; %s can be read"
                .formatted(kind.description(), FileKind.firstBytes(mapped.bytes()), READABLE));
      }
    }
    return switch (kind) {
      case SAFETENSORS -> StaticModel.over(Safetensors.open(file, options.headerLimit()));
      case ONNX -> OnnxFile.open(file);
      case WORD_VECTORS -> WordVectors.open(file, options.workers());
      case FASTTEXT -> FastTextFile.open(file);
      case NUMBER_LINES -> ProjectorFile.openTable(file, options.workers());
      case PROJECTOR_CONFIG -> ProjectorFile.openConfig(file, options.workers());
      case COLUMNS -> ColumnFile.open(file);
      case GGUF -> GgufFile.open(file);
      case JSON -> openIndex(file, options);
      case ZIP -> openZip(file);
      case TENSORFLOW_INDEX -> TensorflowFile.open(file);
      case PICKLE, TAR -> StaticModel.over(PytorchFile.open(file));
      case NUMPY -> NumpyFile.open(file);
      case GIT_LFS_POINTER ->
          throw new FormatException(
              file,
              "starts with \"version https://git-lfs\": this is a Git LFS pointer, not the weights;"
                  + " fetch the real file with git lfs pull");
      case EMPTY ->
          throw new FormatException(
              file,
              "is empty (0 bytes); a model file is expected: %s can be read".formatted(READABLE));
      case MARKUP, UTF_16 -> throw new FormatException(file, "is " + kind.description());
      case HDF5 -> Hdf5File.open(file);
      case PARQUET, ARROW, GGML, FINALFUSION -> throw foreign(file, kind.description());
      case UNKNOWN -> openByName(file, options);
    };
  }

  private static UnsupportedFormatException foreign(Path file, String what) {
    return new UnsupportedFormatException(
        file,
        "is %s; %s can be read, so fetch such a variant, or save the table in Python with numpy.save and open the .npy"
            .formatted(what, READABLE));
  }

  /** The index of a model's shards looks the same in two formats; the first shard tells. */
  private static TensorFile openIndex(Path index, OpenOptions options) throws IOException {
    Path first =
        Neighbouring.find(index, SafetensorsIndex.read(index).shardOf().values().iterator().next());
    FileKind kind;
    try (MappedFile mapped = MappedFile.open(first)) {
      kind = FileKind.of(mapped.bytes());
    }
    return switch (kind) {
      case ZIP, PICKLE, TAR -> PytorchFile.openIndex(index);
      default -> Safetensors.openIndex(index, options.headerLimit());
    };
  }

  private static TensorFile openZip(Path file) throws IOException {
    boolean checkpoint;
    boolean keras;
    try (MappedFile mapped = MappedFile.open(file)) {
      ZipArchive archive = ZipArchive.of(mapped);
      checkpoint = PytorchFile.isCheckpoint(archive);
      keras = archive.find(Hdf5File.WEIGHTS).isPresent();
      if (!keras && !checkpoint && !NumpyFile.isArchive(archive)) {
        throw new UnsupportedFormatException(
            file,
            "is a zip archive with neither a data.pkl, as PyTorch's have, nor .npy files, as NumPy's"
                + " have, nor Keras's model.weights.h5; unpack it and open what is in it");
      }
    }
    if (keras) {
      return Hdf5File.openKeras(file);
    }
    return checkpoint ? StaticModel.over(PytorchFile.open(file)) : NumpyFile.openArchive(file);
  }

  /**
   * A broken file is of no kind by its bytes; its name at least tells whom to ask what is wrong.
   */
  private static TensorFile openByName(Path file, OpenOptions options) throws IOException {
    String name = nameOf(file);
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "onnx" -> OnnxFile.open(file);
      case "gguf" -> GgufFile.open(file);
      case "npy" -> NumpyFile.open(file);
      default -> Safetensors.open(file, options.headerLimit());
    };
  }

  private static boolean hasKnownName(Path file) {
    return KNOWN_NAMES.stream().anyMatch(nameOf(file)::endsWith);
  }

  private static String nameOf(Path file) {
    return file.getFileName().toString();
  }

  /** Returns the folder that was named, or the one that the weights lie in. */
  Path folder() {
    Path folder = Files.isDirectory(path) ? path : weights.getFirst().toAbsolutePath().getParent();
    return folder == null ? path : folder;
  }

  /** Returns a companion of the weights: beside them, or in the folder that was named. */
  Optional<Path> beside(String name) {
    Path folder = weights.getFirst().toAbsolutePath().getParent();
    if (folder == null) {
      return Optional.empty();
    }
    Path subfolder = folder.getFileName();
    Path above = folder.getParent();
    Stream<Path> places = Stream.of(folder);
    // exporters keep ONNX weights one folder below the tokenizer
    if (above != null && subfolder != null && subfolder.toString().equals("onnx")) {
      places = Stream.of(folder, above);
    }
    if (Files.isDirectory(path)) {
      places = Stream.concat(places, Stream.of(path));
    }
    return places.map(place -> place.resolve(name)).filter(Files::isRegularFile).findFirst();
  }
}
