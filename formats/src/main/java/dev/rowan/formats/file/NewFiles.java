package dev.rowan.formats.file;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Files that appear under their names together, where nothing is, or not at all: each is written
 * under another name in its folder and then gets its own as a second one, which the system refuses
 * where something came meanwhile. What others put there is never replaced.
 *
 * <p>File systems without links get the name by an empty file that is then replaced, so that a file
 * written into that within microseconds would be lost; and what has its name there keeps it.
 *
 * <p>For one thread.
 */
public final class NewFiles implements AutoCloseable {
  private final List<Draft> drafts = new ArrayList<>();
  private final List<Draft> named = new ArrayList<>();

  private record Draft(Path target, Path path) {}

  /** Makes a group of no files. */
  public NewFiles() {}

  /** Writes a file. */
  public interface Writing {
    /** Writes all of it under a name, as {@link NewFile} does. */
    void writeTo(Path draft) throws IOException;
  }

  /** Does what belongs to the files. */
  public interface Rest {
    /** Does so. */
    void run() throws IOException;
  }

  /**
   * Writes a file, which has another name until {@link #publish}.
   *
   * @throws FileAlreadyExistsException if something of its name is there already
   * @throws IOException if it cannot be written
   */
  public void add(Path target, Writing writing) throws IOException {
    Path folder = NewFile.folder(target);
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw taken(target);
    }
    // the writer makes a longer name of this one
    Path path = NewFile.draft(Path.of("rowan"), folder);
    NewFile.DRAFTS.add(path);
    drafts.add(new Draft(target, path));
    try {
      writing.writeTo(path);
    } catch (FileSystemException e) {
      if (!path.toString().equals(e.getFile())) {
        throw e; // of what is read
      }
      String reason = e.getReason() == null ? "cannot be written" : e.getReason();
      FileSystemException named = new FileSystemException(target.toString(), null, reason);
      named.initCause(e);
      throw named;
    }
  }

  /**
   * Gives the files their names and then does the rest; if either fails, none keeps its name.
   *
   * @throws FileAlreadyExistsException if something came under one of the names
   */
  public void publish(Rest rest) throws IOException {
    try {
      for (Draft draft : drafts) {
        name(draft);
        NewFile.forceFolder(NewFile.folder(draft.target));
      }
      rest.run();
    } catch (IOException | RuntimeException | Error e) {
      for (Draft draft : named) {
        // not what replaced it meanwhile
        if (Files.exists(draft.target) && Files.isSameFile(draft.path, draft.target)) {
          Files.delete(draft.target);
        }
      }
      throw e;
    }
  }

  private void name(Draft draft) throws IOException {
    try {
      Files.createLink(draft.target, draft.path);
      named.add(draft);
    } catch (FileAlreadyExistsException _) {
      throw taken(draft.target);
    } catch (FileSystemException | UnsupportedOperationException _) {
      reserve(draft.target);
      Files.move(
          draft.path,
          draft.target,
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static void reserve(Path target) throws IOException {
    try {
      Files.createFile(target);
    } catch (FileAlreadyExistsException _) {
      throw taken(target);
    }
  }

  private static FileAlreadyExistsException taken(Path target) {
    return new FileAlreadyExistsException(
        target.toString(), null, "is there already and is left as it is");
  }

  /** Takes the other names away, and what was not published. */
  @Override
  public void close() throws IOException {
    for (Draft draft : drafts) {
      Files.deleteIfExists(draft.path);
      NewFile.DRAFTS.remove(draft.path);
    }
  }
}
