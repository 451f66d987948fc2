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
import dev.rowan.formats.pytorch.ParallelParts;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the files of a model: the weights, and the tokenizer.json and config.json that belong to
 * them.
 *
 * @param path what the user named: a file or a folder
 * @param weights the weights file, the index of several, or several shards
 */
record ModelFiles(Path path, List<Path> weights) {
  /** Where a folder may keep its weights, the best first. */
  private static final List<String> WEIGHTS =
      List.of(
          "model.safetensors",
          "model.safetensors.index.json",
          "model.onnx",
          "onnx/model.onnx",
          "0_StaticEmbedding/model.safetensors",
          "pytorch_model.bin.index.json",
          "pytorch_model.bin",
          "0_StaticEmbedding/pytorch_model.bin",
          "projector_config.pbtxt",
          "projector_config.json");

  /** Suffixes of weights that are looked for when no file has a usual name, the best first. */
  private static final List<String> OTHERS =
      List.of(".gguf", ".pt", ".pth", ".bin", ".npz", ".npy", ".keras", ".h5", ".hdf5");

  /** What training leaves beside the weights, under suffixes of weights. */
  private static final Pattern NOT_WEIGHTS =
      Pattern.compile("(training_args|optimizer|scheduler|scaler|rng_state.*)\\.(bin|pt|pth)");

  /** Suffixes that tell whom to ask what is wrong with a file of no kind. */
  private static final List<String> KNOWN_NAMES = List.of(".safetensors", ".onnx", ".gguf", ".npy");

  private static final String READABLE =
      "safetensors, ONNX, GGUF, PyTorch, TensorFlow, Keras, NumPy, word vector and fastText files";

  /** Weights that cannot be read yet, to say so rather than that there is nothing. */
  private static final List<String> FOREIGN =
      List.of(".msgpack", ".ckpt", ".parquet", ".arrow", ".feather");

  static ModelFiles find(Path path) throws IOException {
    Optional<Path> checkpoint = CheckpointPath.index(path);
    if (checkpoint.isPresent()) {
      return new ModelFiles(path, List.of(checkpoint.get()));
    }
    if (!Files.exists(path)) {
      throw Missing.at(path, "file or folder");
    }
    return new ModelFiles(path, Files.isDirectory(path) ? inFolder(path) : List.of(path));
  }

  private static List<Path> inFolder(Path folder) throws IOException {
    for (String name : WEIGHTS) {
      Path place = folder.resolve(name);
      if (Files.exists(place)) {
        return List.of(place);
      }
    }
    List<Path> all;
    try (Stream<Path> entries = Files.list(folder)) {
      all = entries.sorted().toList();
    }
    if (all.isEmpty()) {
      throw new FormatException(folder, "is an empty folder; a model file is expected in it");
    }
    List<Path> files = all.stream().filter(Files::isRegularFile).toList();
    List<Path> indexes = endingWith(files, ".safetensors.index.json");
    List<Path> safetensors = endingWith(files, ".safetensors");
    List<Path> onnx = endingWith(files, ".onnx");
    if (indexes.size() == 1) {
      return indexes;
    }
    if (safetensors.size() == 1 || areShards(safetensors)) {
      return safetensors;
    }
    if (safetensors.isEmpty() && onnx.size() == 1) {
      return onnx;
    }
    if (!safetensors.isEmpty() || !onnx.isEmpty()) {
      throw new FormatException(
          folder,
          "holds several models (%s); name the file to open"
              .formatted(names(safetensors.isEmpty() ? onnx : safetensors)));
    }
    for (String suffix : OTHERS) {
      List<Path> found =
          endingWith(files, suffix).stream().filter(file -> !isTrainingState(file)).toList();
      if (found.size() == 1 || areParts(found, suffix)) {
        // of a split GGUF file, one part leads to the others
        return suffix.equals(".gguf") ? List.of(found.getFirst()) : found;
      }
      if (ParallelParts.are(found)) {
        throw new UnsupportedFormatException(
            folder,
            "holds the parts of one model (%s), each with some columns or rows of every table, which are not joined here; join them with the model's own conversion script, or name one to see its part"
                .formatted(names(found)));
      }
      if (!found.isEmpty()) {
        throw new FormatException(
            folder, "holds several models (%s); name the file to open".formatted(names(found)));
      }
    }
    Optional<Path> checkpoint = CheckpointPath.inFolder(folder);
    if (checkpoint.isPresent()) {
      return List.of(checkpoint.get());
    }
    List<Path> lightning = checkpoints(files);
    if (lightning.size() == 1) {
      return lightning;
    }
    if (!lightning.isEmpty()) {
      throw new FormatException(
          folder, "holds several models (%s); name the file to open".formatted(names(lightning)));
    }
    List<Path> vectors = wordVectors(files);
    if (vectors.size() == 1) {
      return vectors;
    }
    List<Path> foreign =
        FOREIGN.stream().flatMap(suffix -> endingWith(files, suffix).stream()).toList();
    if (!foreign.isEmpty()) {
      throw new UnsupportedFormatException(
          folder,
          "holds weights only as %s; %s can be read, so convert it or fetch such a variant of the model"
              .formatted(names(foreign), READABLE));
    }
    throw new FormatException(
        folder,
        "holds no model; looked for %s, any other file that ends in .safetensors, .onnx, %s, a PyTorch checkpoint that ends in .ckpt, a TensorFlow checkpoint (.index) or saved model (saved_model.pb with variables), and for a file of word vectors"
            .formatted(String.join(", ", WEIGHTS), String.join(", ", OTHERS)));
  }

  /** Returns whether the files are the parts of one model: {@code …-00001-of-00002.safetensors}. */
  private static boolean areShards(List<Path> files) {
    return files.size() > 1
        && files.stream()
                .map(file -> file.getFileName().toString())
                .filter(name -> name.matches(".*-\\d+-of-\\d+\\.safetensors"))
                .map(name -> name.replaceAll("-\\d+-of-", "-of-"))
                .distinct()
                .count()
            == 1
        && files.stream()
            .allMatch(
                file -> file.getFileName().toString().matches(".*-\\d+-of-\\d+\\.safetensors"));
  }

  /** Returns the files that are word vectors or fastText models by their content. */
  private static List<Path> wordVectors(List<Path> files) throws IOException {
    List<Path> vectors = new ArrayList<>();
    for (String suffix : List.of(".ftz", ".vec", ".txt", ".w2v")) {
      for (Path file : endingWith(files, suffix)) {
        try (MappedFile mapped = MappedFile.open(file)) {
          FileKind kind = FileKind.of(mapped.bytes());
          if (kind == FileKind.WORD_VECTORS || kind == FileKind.FASTTEXT) {
            vectors.add(file);
          }
        }
      }
    }
    return vectors;
  }

  /** Returns those of PyTorch Lightning, and TensorFlow's first kind; others end like that too. */
  private static List<Path> checkpoints(List<Path> files) throws IOException {
    List<Path> checkpoints = new ArrayList<>();
    for (Path file : endingWith(files, ".ckpt")) {
      try (MappedFile mapped = MappedFile.open(file)) {
        switch (FileKind.of(mapped.bytes())) {
          case ZIP, PICKLE, TAR, TENSORFLOW_INDEX -> checkpoints.add(file);
          default -> {}
        }
      }
    }
    return checkpoints;
  }

  private static boolean isTrainingState(Path file) {
    return NOT_WEIGHTS.matcher(file.getFileName().toString()).matches();
  }

  /** Returns whether the files are the parts of one model: {@code …-00001-of-00002.gguf}. */
  private static boolean areParts(List<Path> files, String suffix) {
    Pattern part = Pattern.compile("-\\d{5}(-of-\\d{5})" + Pattern.quote(suffix) + "$");
    List<String> names = files.stream().map(file -> file.getFileName().toString()).toList();
    return files.size() > 1
        && names.stream().allMatch(name -> part.matcher(name).find())
        && names.stream().map(name -> part.matcher(name).replaceFirst("$1")).distinct().count()
            == 1;
  }

  private static List<Path> endingWith(List<Path> files, String suffix) {
    return files.stream().filter(file -> file.getFileName().toString().endsWith(suffix)).toList();
  }

  private static String names(List<Path> files) {
    return String.join(
        ", ", files.stream().limit(8).map(file -> file.getFileName().toString()).toList());
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
