package dev.rowan.hub;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which files of a model are weights of a kind that may have to be fetched whole, and which belong
 * together. The order in which they are looked for is that of folders on disk.
 */
final class WholeFiles {
  private static final String PYTORCH_INDEX = ".bin.index.json";
  private static final String TENSORFLOW_INDEX = ".index";

  /** Where a model may keep its weights, the best first. */
  private static final List<String> USUAL =
      List.of(
          "model.onnx",
          "onnx/model.onnx",
          "pytorch_model.bin.index.json",
          "pytorch_model.bin",
          "0_StaticEmbedding/pytorch_model.bin");

  /** Suffixes of weights, the best first. */
  private static final List<String> SUFFIXES =
      List.of(
          ".onnx",
          ".pt",
          ".pth",
          ".bin",
          ".npz",
          ".npy",
          ".keras",
          ".h5",
          ".hdf5",
          ".ftz",
          ".vec",
          ".w2v",
          TENSORFLOW_INDEX);

  /** What may hold word vectors, but far more often something else. */
  private static final List<String> IF_NAMED = List.of(".txt", ".kv", ".model", ".tsv");

  /** What training leaves beside the weights. */
  private static final Pattern NOT_WEIGHTS =
      Pattern.compile("(training_args|optimizer|scheduler|scaler|rng_state.*)\\.(bin|pt|pth)");

  private static final List<String> PYTORCH = List.of(".bin", ".pt", ".pth");

  private WholeFiles() {}

  /** Returns the weights to choose from where the user named none: those of the best kind. */
  static List<Entry> candidates(Listing listing) {
    for (String usual : USUAL) {
      List<Entry> found = listing.find(usual).stream().toList();
      if (!found.isEmpty()) {
        return found;
      }
    }
    for (String suffix : SUFFIXES) {
      List<Entry> found =
          listing.ending(suffix).stream()
              .filter(entry -> !NOT_WEIGHTS.matcher(entry.name()).matches())
              .toList();
      if (!found.isEmpty()) {
        return found;
      }
    }
    return List.of();
  }

  /** Returns whether a file says which shard of a PyTorch checkpoint holds which tensor. */
  static boolean isPytorchIndex(String name) {
    return name.endsWith(PYTORCH_INDEX);
  }

  /** Returns whether a file is the index of a TensorFlow checkpoint, by its name. */
  static boolean isTensorflowIndex(String name) {
    return name.endsWith(TENSORFLOW_INDEX);
  }

  /** Returns whether a file may be a PyTorch checkpoint, by its name. */
  static boolean isPytorch(String name) {
    return PYTORCH.stream().anyMatch(name::endsWith);
  }

  /** Returns what may be shards of a PyTorch checkpoint in a folder; an index says which are. */
  static List<Entry> pytorchBeside(Listing listing, String folder) {
    return listing.entries().stream()
        .filter(entry -> entry.name().startsWith(folder) && isPytorch(entry.name()))
        .filter(entry -> entry.name().indexOf('/', folder.length()) < 0)
        .filter(entry -> !NOT_WEIGHTS.matcher(entry.lastName()).matches())
        .toList();
  }

  /** Returns whether a file that the user named may hold weights. */
  static boolean isWeights(String name) {
    return isPytorchIndex(name)
        || SUFFIXES.stream().anyMatch(name::endsWith)
        || IF_NAMED.stream().anyMatch(name::endsWith);
  }

  /** Returns a weights file and those that it needs beside it. */
  static List<Entry> of(Listing listing, Entry first) {
    String name = first.name();
    String folder = name.substring(0, name.lastIndexOf('/') + 1);
    Set<Entry> files = new LinkedHashSet<>(List.of(first));
    for (Entry entry : listing.entries()) {
      String other = entry.name();
      if (other.startsWith(folder) && other.indexOf('/', folder.length()) < 0) {
        if (beside(name).stream().anyMatch(other::startsWith)) {
          files.add(entry);
        }
      }
    }
    return List.copyOf(files);
  }

  /** Returns how the names of files begin that a weights file needs beside it. */
  static List<String> beside(String name) {
    if (name.endsWith(".onnx")) {
      return List.of(name + "_data", name + ".data");
    }
    if (name.endsWith(TENSORFLOW_INDEX)) {
      String prefix = name.substring(0, name.length() - TENSORFLOW_INDEX.length());
      return List.of(prefix + ".data-");
    }
    return List.of();
  }

  /** Returns names that a server may be asked for where it lists no files. */
  static List<String> guesses(String name) {
    List<String> names = new ArrayList<>(name.endsWith(".onnx") ? beside(name) : List.of());
    if (name.endsWith(TENSORFLOW_INDEX)) {
      names.add(beside(name).getFirst() + "00000-of-00001");
    }
    return names;
  }
}
