package dev.rowan.formats.write;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Writes a folder so that nobody ever sees half of it: under another name beside it, each file
 * forced to disk, then renamed. A folder that holds something is never replaced.
 */
public final class NewFolder {
  private NewFolder() {}

  /** Writes the files. */
  public interface Content {
    /**
     * Writes everything into an empty folder; files and folders in it are the content's to force.
     */
    void writeTo(Path folder) throws IOException;
  }

  /**
   * Refuses a place that is taken.
   *
   * @throws FileAlreadyExistsException if a file, or a folder that is not empty, is there
   */
  public static void check(Path target) throws IOException {
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

  /**
   * Writes a folder.
   *
   * @param target where it is to be; its parent must be there
   * @throws FileAlreadyExistsException as {@link #check}
   * @throws IOException if writing fails; whatever the content throws, nothing of it is left
   */
  public static void write(Path target, Content content) throws IOException {
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
    if (!Files.exists(draft)) {
      return;
    }
    List<Path> inside;
    try (Stream<Path> walk = Files.walk(draft)) {
      inside = walk.sorted(Comparator.reverseOrder()).toList(); // what lies in a folder comes first
    }
    for (Path path : inside) {
      Files.deleteIfExists(path);
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
