package dev.rowan.formats.write;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * Writes a folder so that nobody ever sees half of it: under another name beside it, each file
 * forced to disk, then renamed. A folder that holds something is never replaced.
 */
final class NewFolder {
  private NewFolder() {}

  /** Writes the files. */
  interface Content {
    void writeTo(Path folder) throws IOException;
  }

  /**
   * Refuses a place that is taken.
   *
   * @throws FileAlreadyExistsException if a file, or a folder that is not empty, is there
   */
  static void check(Path target) throws IOException {
    if (!Files.exists(target)) {
      return;
    }
    if (!Files.isDirectory(target)) {
      throw new FileAlreadyExistsException(
          target.toString(), null, "a folder is to be written but a file of that name is there");
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(target)) {
      if (entries.iterator().hasNext()) {
        throw new FileAlreadyExistsException(
            target.toString(), null, "this folder is not empty; name a new one, or empty it first");
      }
    }
  }

  static void write(Path target, Content content) throws IOException {
    check(target);
    Path parent = target.toAbsolutePath().getParent();
    if (parent == null) {
      throw new IllegalArgumentException("\"" + target + "\" is not the name of a folder");
    }
    Path draft = parent.resolve("." + target.getFileName() + "." + UUID.randomUUID() + ".tmp");
    Files.createDirectory(draft);
    try {
      content.writeTo(draft);
      force(draft);
      Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException | Error e) {
      remove(draft);
      throw e;
    }
    force(parent);
  }

  private static void remove(Path draft) throws IOException {
    if (Files.exists(draft)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(draft)) {
        for (Path entry : entries) {
          Files.deleteIfExists(entry);
        }
      }
      Files.delete(draft);
    }
  }

  private static void force(Path folder) {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException _) {
      // not every system lets a folder be opened; its files are already safe on disk
    }
  }
}
