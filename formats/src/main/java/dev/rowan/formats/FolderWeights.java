package dev.rowan.formats;

import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.pytorch.ParallelParts;
import dev.rowan.formats.tensorflow.CheckpointPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the weights in a folder by their names, and where those say little by their bytes. */
final class FolderWeights {
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

  /** Weights that cannot be read yet, to say so rather than that there is nothing. */
  private static final List<String> FOREIGN =
      List.of(".msgpack", ".ckpt", ".parquet", ".arrow", ".feather");

  private FolderWeights() {}

  /**
   * Finds the weights of one model.
   *
   * @return the file of weights, the index of several, or several shards
   * @throws FormatException if there are none, or those of several models
   * @throws UnsupportedFormatException if there are only such as cannot be read
   */
  static List<Path> in(Path folder) throws IOException {
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
              .formatted(names(foreign), ModelFiles.READABLE));
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
}
