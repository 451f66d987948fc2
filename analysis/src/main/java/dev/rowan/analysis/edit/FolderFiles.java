package dev.rowan.analysis.edit;

import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of a model's folder, looked at before anything is written.
 *
 * <p>Links to files count as the files, since download caches are made of them; a link to a folder,
 * or to nothing, is refused. Hidden folders (of version control and caches) and weights in other
 * formats, which would be out of date, stay behind.
 *
 * @param kept the files that the new folder has too, relative to the folder, sorted
 * @param leftOut those that it has not, sorted
 */
record FolderFiles(List<Path> kept, List<Path> leftOut) {
  private static final int MOST_LEVELS = 8;
  private static final long POINTER_BYTES = 1024; // Git LFS pointers have fewer

  /** What holds weights, or the state of a training, in a form that is not edited here. */
  private static final Pattern OTHER_WEIGHTS =
      Pattern.compile(
          ".*\\.(gguf|onnx|onnx_data|h5|msgpack|ot|pt|pth|ckpt|mlmodel|tflite|pb|npz|npy|safetensors)"
              + "|(pytorch_model|training_args|optimizer|scheduler|rng_state|openvino_).*\\.(bin|xml)"
              + "|pytorch_model\\.bin\\.index\\.json|.*\\.safetensors\\.index\\.json");

  /** Copies the lists. */
  FolderFiles {
    kept = List.copyOf(kept);
    leftOut = List.copyOf(leftOut);
  }

  /**
   * Looks through a folder.
   *
   * @param weights the files that are edited, relative to the folder
   * @throws IOException if something in it cannot be copied
   * @throws FormatException if a file is a Git LFS pointer
   */
  static FolderFiles of(Path folder, Set<Path> weights) throws IOException {
    List<Path> kept = new ArrayList<>();
    List<Path> leftOut = new ArrayList<>();
    walk(folder, folder, 0, weights, kept, leftOut);
    kept.sort(null);
    leftOut.sort(null);
    return new FolderFiles(kept, leftOut);
  }

  private static void walk(
      Path root, Path folder, int level, Set<Path> weights, List<Path> kept, List<Path> leftOut)
      throws IOException {
    if (level == MOST_LEVELS) {
      throw new FileSystemException(
          folder.toString(), null, "folders nest deeper than " + MOST_LEVELS + " levels");
    }
    List<Path> entries;
    try (Stream<Path> list = Files.list(folder)) {
      entries = list.sorted().toList();
    }
    for (Path entry : entries) {
      Path relative = root.relativize(entry);
      if (Files.isDirectory(entry)) {
        if (entry.getFileName().toString().startsWith(".")) {
          leftOut.add(relative);
          continue;
        }
        if (Files.isSymbolicLink(entry)) {
          throw new FileSystemException(
              relative.toString(),
              null,
              "%s is a link to a folder, which is not followed; put the folder in its place, or remove it"
                  .formatted(relative));
        }
        walk(root, entry, level + 1, weights, kept, leftOut);
      } else if (weights.contains(relative)) {
        kept.add(relative);
      } else if (OTHER_WEIGHTS.matcher(entry.getFileName().toString()).matches()) {
        leftOut.add(relative);
      } else {
        check(entry, relative);
        kept.add(relative);
      }
    }
  }

  private static void check(Path file, Path relative) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new FileSystemException(
          relative.toString(),
          null,
          Files.isSymbolicLink(file)
              ? "%s is a link to nothing; fetch the file, or remove the link".formatted(relative)
              : "%s is no regular file; remove it".formatted(relative));
    }
    if (!Files.isReadable(file)) {
      throw new FileSystemException(
          relative.toString(), null, "%s: no permission to read it".formatted(relative));
    }
    long size = Files.size(file);
    if (size > 0 && size < POINTER_BYTES) {
      try (MappedFile mapped = MappedFile.open(file)) {
        if (FileKind.of(mapped.bytes()) == FileKind.GIT_LFS_POINTER) {
          throw new FormatException(
              file,
              "is a Git LFS pointer, not the file; fetch the real one with git lfs pull, or remove it");
        }
      }
    }
  }
}
