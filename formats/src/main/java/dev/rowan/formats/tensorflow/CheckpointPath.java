package dev.rowan.formats.tensorflow;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.Neighbouring;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The names of a checkpoint's files. A checkpoint is called by their common prefix, which is no
 * file itself:
 *
 * <pre>
 *   model.ckpt.index   model.ckpt.data-00000-of-00001   model.ckpt.meta (the graph, not read)
 *   checkpoint         model_checkpoint_path: "model.ckpt"
 *   saved_model.pb     (not read)   variables/variables.index   variables/variables.data-00000-of-…
 * </pre>
 */
public final class CheckpointPath {
  private static final String INDEX = ".index";
  private static final String STATE = "checkpoint";
  private static final String SAVED_MODEL = "saved_model.pb";
  private static final String VARIABLES = "variables";
  private static final long LARGEST_STATE = 1 << 20;
  private static final Pattern PART = Pattern.compile("(.+)\\.(data-\\d{5}-of-\\d{5}|meta)");
  private static final Pattern LATEST =
      Pattern.compile(
          "^\\s*model_checkpoint_path:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"", Pattern.MULTILINE);

  private CheckpointPath() {}

  /**
   * Returns the index that a path stands for: a prefix, an index, a file of numbers, a graph, the
   * file {@code checkpoint}, or that of a saved model.
   *
   * @return empty if it stands for none
   * @throws FormatException if it is a {@code checkpoint} file that names none
   */
  public static Optional<Path> index(Path path) throws IOException {
    Path fileName = path.getFileName();
    if (fileName == null || Files.isDirectory(path)) {
      return Optional.empty();
    }
    String name = fileName.toString();
    if (!Files.exists(path)) {
      return existing(path.resolveSibling(name + INDEX));
    }
    if (name.equals(STATE)) {
      return Optional.of(latest(path));
    }
    if (name.equals(SAVED_MODEL)) {
      return existing(path.resolveSibling(VARIABLES).resolve(VARIABLES + INDEX));
    }
    Matcher part = PART.matcher(name);
    return part.matches() ? existing(path.resolveSibling(part.group(1) + INDEX)) : Optional.empty();
  }

  /**
   * Returns the index of the checkpoint that a folder holds: the one that its {@code checkpoint}
   * file names, else the only one, else that of a saved model.
   *
   * @throws FormatException if there are several, or {@code checkpoint} names none
   */
  public static Optional<Path> inFolder(Path folder) throws IOException {
    List<Path> indexes;
    try (Stream<Path> files = Files.list(folder)) {
      indexes =
          files
              .filter(Files::isRegularFile)
              .filter(file -> file.getFileName().toString().endsWith(INDEX))
              .filter(TensorflowFile::isIndex)
              .sorted()
              .toList();
    }
    if (indexes.isEmpty()) {
      return index(folder.resolve(SAVED_MODEL)).filter(Files::isRegularFile);
    }
    Path state = folder.resolve(STATE);
    if (Files.isRegularFile(state)) {
      return Optional.of(latest(state));
    }
    if (indexes.size() > 1) {
      throw new FormatException(
          folder,
          "holds several TensorFlow checkpoints (%s) and no file \"checkpoint\" that names the latest; name the one to open"
              .formatted(
                  String.join(
                      ", ",
                      indexes.stream().limit(8).map(i -> i.getFileName().toString()).toList())));
    }
    return Optional.of(indexes.getFirst());
  }

  private static Optional<Path> existing(Path path) {
    return Files.isRegularFile(path) ? Optional.of(path) : Optional.empty();
  }

  private static Path latest(Path state) throws IOException {
    if (Files.size(state) > LARGEST_STATE) {
      throw new FormatException(state, "is larger than a TensorFlow \"checkpoint\" file ever is");
    }
    Matcher latest = LATEST.matcher(Files.readString(state, StandardCharsets.ISO_8859_1));
    if (!latest.find()) {
      throw new FormatException(
          state, "names no model_checkpoint_path; name the .index file of the checkpoint instead");
    }
    // the path of the machine that trained: only its last step means anything here
    String prefix = latest.group(1);
    String name = prefix.substring(prefix.lastIndexOf('/') + 1);
    return Neighbouring.find(state, name + INDEX);
  }
}
