package dev.rowan.formats.file;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A file that one job writes again and again, each time over what it wrote before. What others put
 * under the name is left: the file then goes to the first name that is free with a number behind
 * it, such as {@code table.checkpoint.2}.
 *
 * <p>The job knows its file by the number that the system has for it, its size and the time of its
 * last change. What takes its place between that look and the new name, microseconds later, is
 * lost.
 *
 * <p>One thread writes; others may ask meanwhile.
 */
public final class OwnFile {
  private final Path wanted;
  private final boolean replaces;
  private final Consumer<Path> left;
  private volatile Written last;

  /**
   * What was written last.
   *
   * @param print null before
   */
  private record Written(Path path, @Nullable Print print) {}

  private record Print(@Nullable Object key, FileTime changed, long size) {
    /** Returns the print of a file; null where none is. */
    static @Nullable Print of(Path file) {
      try {
        BasicFileAttributes found =
            Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return new Print(found.fileKey(), found.lastModifiedTime(), found.size());
      } catch (IOException _) {
        return null;
      }
    }
  }

  private OwnFile(Path wanted, boolean replaces, Consumer<Path> left, @Nullable Print print) {
    this.wanted = wanted;
    this.replaces = replaces;
    this.left = left;
    this.last = new Written(wanted, print);
  }

  /**
   * Returns a file that is still to be written.
   *
   * @param left told of each file that is left
   */
  public static OwnFile fresh(Path wanted, Consumer<Path> left) {
    return new OwnFile(wanted, false, left, null);
  }

  /**
   * Returns a file that an earlier run of the job wrote, as it is now.
   *
   * @param left told of each file that is left
   */
  public static OwnFile goingOn(Path wanted, Consumer<Path> left) {
    return new OwnFile(wanted, false, left, Print.of(wanted));
  }

  /** Returns a file that replaces whatever is there; what is there now counts as its own. */
  public static OwnFile replacing(Path wanted) {
    return new OwnFile(wanted, true, _ -> {}, Print.of(wanted));
  }

  /** Returns where it is to be. */
  public Path wanted() {
    return wanted;
  }

  /** Returns where it was written last, or is to be. */
  public Path path() {
    return last.path();
  }

  /** Returns whether what the job wrote last is there. */
  public boolean isThere() {
    Written written = last;
    Print print = Print.of(written.path());
    return print != null && print.equals(written.print());
  }

  /**
   * Writes it: whole, or not at all.
   *
   * @throws IOException if it cannot be written
   */
  public void write(NewFiles.Writing writing) throws IOException {
    Path place = path();
    if (replaces || isThere()) {
      writing.writeTo(place);
    } else {
      place = writeNew(writing);
    }
    last = new Written(place, Print.of(place));
  }

  private Path writeNew(NewFiles.Writing writing) throws IOException {
    for (int number = 1; ; number++) {
      Path place =
          number == 1 ? wanted : wanted.resolveSibling(wanted.getFileName() + "." + number);
      try (NewFiles files = new NewFiles()) {
        files.add(place, writing);
        files.publish(() -> {});
        return place;
      } catch (FileAlreadyExistsException _) {
        left.accept(place);
      }
    }
  }

  /** Deletes what the job wrote last, if it is there. */
  public void delete() throws IOException {
    if (isThere()) {
      Files.deleteIfExists(path());
    }
  }
}
