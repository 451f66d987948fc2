package dev.rowan.formats.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Says why a path leads to nothing. */
public final class Missing {
  private Missing() {}

  /**
   * Returns what to throw for a path that does not exist.
   *
   * @param what what it should lead to, such as {@code file}
   */
  public static IOException at(Path path, String what) {
    if (!Files.isSymbolicLink(path)) {
      return new NoSuchFileException(path.toString(), null, "there is no such " + what);
    }
    try {
      Path _ = path.toRealPath();
    } catch (NoSuchFileException _) {
      return new NoSuchFileException(path.toString(), null, "this link leads to nothing");
    } catch (IOException _) {
      return new FileSystemException(
          path.toString(), null, "this link leads back to itself, or to where nobody may look");
    }
    return new NoSuchFileException(path.toString(), null, "there is no such " + what);
  }
}
