package dev.rowan.analysis.edit;

import dev.rowan.formats.write.NewFolder;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Whether the new folder can be written where it is to be. */
final class Places {
  private Places() {}

  static void check(Path model, Path target) throws IOException {
    Path parent = parent(target);
    if (!Files.isDirectory(parent)) {
      throw new NotDirectoryException(parent.toString());
    }
    if (!Files.isWritable(parent)) {
      throw new FileSystemException(
          parent.toString(), null, "%s: no permission to write there".formatted(parent));
    }
    NewFolder.check(target);
    Path real = parent.toRealPath();
    if (Files.isDirectory(model) && real.startsWith(model.toRealPath())) {
      throw new IllegalArgumentException(
          "the new folder \"%s\" would lie inside the model's own; name another place"
              .formatted(target));
    }
  }

  /**
   * Checks that there is room.
   *
   * @throws FileSystemException if there is not
   */
  static void checkRoom(Path target, long bytes) throws IOException {
    long free = Files.getFileStore(parent(target)).getUsableSpace();
    if (bytes > free) {
      throw new FileSystemException(
          target.toString(),
          null,
          "the new folder takes %,d bytes but only %,d are free at %s; make room, or use --link for the files that stay"
              .formatted(bytes, free, parent(target)));
    }
  }

  /**
   * Checks that files of the model can have a second name beside the target.
   *
   * @throws IllegalArgumentException if not
   */
  static void checkLinks(Path model, Path target) throws IOException {
    FileStore theirs = Files.getFileStore(model.toRealPath());
    FileStore ours = Files.getFileStore(parent(target));
    if (!theirs.equals(ours)) {
      throw new IllegalArgumentException(
          "files cannot be linked from %s to %s, another file system; leave --link away"
              .formatted(theirs.name(), ours.name()));
    }
  }

  private static Path parent(Path target) {
    Path parent = target.toAbsolutePath().normalize().getParent();
    if (parent == null) {
      throw new IllegalArgumentException("\"" + target + "\" is not the name of a folder");
    }
    return parent;
  }
}
