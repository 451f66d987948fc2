package dev.rowan.formats.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes a folder so that nobody ever sees half of it: under another name beside it, each file
 * forced to disk, then renamed. A folder that holds something is never replaced.
 */
public final class NewFolder {
  private static final String MARK = ".writing"; // behind the name of the draft
  private static final byte[] MARK_TEXT =
      "rowan holds this file locked while it writes the folder beside it\n"
          .getBytes(StandardCharsets.US_ASCII);
  private static final Pattern DRAFT =
      Pattern.compile("\\..+\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.tmp");

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
   * @throws FileAlreadyExistsException if a file, a link, or a folder that is not empty, is there
   */
  public static void check(Path target) throws IOException {
    if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (Files.isSymbolicLink(target)) {
      throw new FileAlreadyExistsException(
          target.toString(), null, "a folder is to be written but a link of that name is there");
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
   * Removes what writers that were killed left in a folder: drafts beside which lies a file that a
   * writer holds locked while it runs, and no process holds now. Other hidden folders stay.
   *
   * @return the drafts that were there, sorted
   */
  public static List<Path> removeLeftovers(Path folder) throws IOException {
    List<Path> marks = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, ".*" + MARK)) {
      entries.forEach(marks::add);
    }
    marks.sort(null);
    List<Path> removed = new ArrayList<>();
    for (Path mark : marks) {
      String name = mark.getFileName().toString();
      Path draft = mark.resolveSibling(name.substring(0, name.length() - MARK.length()));
      if (DRAFT.matcher(draft.getFileName().toString()).matches() && isAbandoned(mark)) {
        if (Files.isDirectory(draft, LinkOption.NOFOLLOW_LINKS)) {
          remove(draft);
          removed.add(draft);
        }
        Files.deleteIfExists(mark);
      }
    }
    return removed;
  }

  /** Returns whether a file was written by us and its writer holds it no more. */
  private static boolean isAbandoned(Path mark) {
    if (!Files.isRegularFile(mark, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (FileChannel channel =
        FileChannel.open(mark, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer start = ByteBuffer.allocate(MARK_TEXT.length);
      channel.read(start, 0);
      // the system frees the locks of a process that dies, however it does
      return Arrays.equals(start.array(), MARK_TEXT) && channel.tryLock() != null;
    } catch (IOException | OverlappingFileLockException _) {
      return false; // no proof: ours, or a file system without locks
    }
  }

  /**
   * Writes a folder.
   *
   * @param target where it is to be; its parent must be there
   * @throws FileAlreadyExistsException as {@link #check}, also of what comes while it is written
   * @throws IOException if writing fails; whatever the content throws, nothing of it is left
   */
  public static void write(Path target, Content content) throws IOException {
    check(target);
    Path parent = target.toAbsolutePath().getParent();
    if (parent == null) {
      throw new IllegalArgumentException("\"" + target + "\" is not the name of a folder");
    }
    Path draft = parent.resolve("." + target.getFileName() + "." + UUID.randomUUID() + ".tmp");
    Path mark = draft.resolveSibling(draft.getFileName() + MARK);
    try (FileChannel channel =
        FileChannel.open(mark, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(MARK_TEXT));
      lock(channel);
      writeDraft(target, draft, content);
    } catch (AccessDeniedException e) {
      if (!mark.toString().equals(e.getFile())) {
        throw e; // of what the content reads
      }
      throw new FileSystemException(
          target.toString(), null, "no permission to write into its folder");
    } finally {
      Files.deleteIfExists(mark);
    }
    force(parent);
  }

  private static void lock(FileChannel channel) {
    try {
      channel.tryLock();
    } catch (IOException _) {
      // a file system without locks: nobody will be able to tell, and the draft stays if we die
    }
  }

  private static void writeDraft(Path target, Path draft, Content content) throws IOException {
    Files.createDirectory(draft);
    try {
      content.writeTo(draft);
      force(draft);
      move(draft, target);
    } catch (FileSystemException e) {
      remove(draft);
      throw named(e, draft, target);
    } catch (IOException | RuntimeException | Error e) {
      remove(draft);
      throw e;
    }
  }

  /** Systems rename a folder over nothing but an empty one. */
  private static void move(Path draft, Path target) throws IOException {
    try {
      Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      check(target);
      throw e;
    }
  }

  /** Returns a failure, such as a full disk, that names what was asked for instead of the draft. */
  private static FileSystemException named(FileSystemException e, Path draft, Path target) {
    Optional<String> inside =
        Stream.of(Optional.ofNullable(e.getOtherFile()), Optional.ofNullable(e.getFile()))
            .flatMap(Optional::stream)
            .filter(file -> file.startsWith(draft.toString()))
            .findFirst();
    if (inside.isEmpty()) {
      return e;
    }
    String asked = target + inside.get().substring(draft.toString().length());
    String reason = e.getReason() == null ? "cannot be written" : e.getReason();
    FileSystemException named = new FileSystemException(asked, null, reason);
    named.initCause(e);
    return named;
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
