package dev.rowan.formats.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes a file so that nobody ever sees half of it: under another name in the same folder, forced
 * to disk, then renamed over the old one. Whatever interrupts it, either the old file is there or
 * the new one. If the file's name is a link, the link is replaced, not the file behind it.
 */
public final class NewFile {
  private static final int CHUNK = 1 << 20;

  /** The files of this process that have no name of their own yet. */
  static final Set<Path> DRAFTS = ConcurrentHashMap.newKeySet();

  private final Path target;
  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK);

  private NewFile(Path target, FileChannel channel) {
    this.target = target;
    this.channel = channel;
  }

  /** Writes the bytes of one file. */
  public interface Content {
    /** Appends everything, front to back. */
    void writeTo(NewFile file) throws IOException;
  }

  /**
   * Writes a file.
   *
   * @throws NotDirectoryException if there is no folder to write it in
   * @throws IOException if that fails; the old file, if any, is untouched then
   */
  public static void write(Path target, Content content) throws IOException {
    Path folder = folder(target);
    if (Files.isDirectory(target)) {
      throw new FileSystemException(target.toString(), null, "is a folder; name a file in it");
    }
    Path draft = draft(target, folder);
    DRAFTS.add(draft);
    try {
      try (FileChannel channel = made(target, draft)) {
        content.writeTo(new NewFile(target, channel));
        force(target, channel);
      }
      Files.move(
          draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException | RuntimeException | Error e) {
      Files.deleteIfExists(draft);
      throw e;
    } finally {
      DRAFTS.remove(draft);
    }
    forceFolder(folder);
  }

  /**
   * Checks that files can be made where one is to be written, by making an empty one there, which
   * is deleted.
   *
   * @throws NotDirectoryException if there is no folder
   * @throws IOException if none can be made in it
   */
  public static void checkPlace(Path target) throws IOException {
    Path draft = draft(target, folder(target));
    DRAFTS.add(draft);
    try {
      made(target, draft).close();
      Files.delete(draft);
    } finally {
      DRAFTS.remove(draft);
    }
  }

  static Path folder(Path target) throws IOException {
    Path folder = target.toAbsolutePath().getParent();
    if (folder == null || target.getFileName() == null) {
      throw new IllegalArgumentException("\"" + target + "\" is not the name of a file");
    }
    if (!Files.isDirectory(folder)) {
      throw new NotDirectoryException(folder.toString()); // not the name of the draft in it
    }
    return folder;
  }

  static Path draft(Path target, Path folder) {
    return folder.resolve("." + target.getFileName() + "." + UUID.randomUUID() + ".tmp");
  }

  /** Makes a draft; a failure is told in the words of what was asked for. */
  private static FileChannel made(Path target, Path draft) throws IOException {
    try {
      return FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (FileSystemException e) {
      String reason =
          e instanceof AccessDeniedException
              ? "no permission to write into its folder"
              : e.getReason() == null
                  ? "no file can be made in its folder"
                  : "cannot be written: " + e.getReason();
      FileSystemException refused = new FileSystemException(target.toString(), null, reason);
      refused.initCause(e);
      throw refused;
    }
  }

  /**
   * Deletes whatever is half written, by any thread, for a process that is about to be halted: its
   * writers then fail, or have just succeeded.
   */
  public static void abandonAll() {
    for (Path draft : DRAFTS) {
      try {
        Files.deleteIfExists(draft);
      } catch (IOException e) {
        System.getLogger(NewFile.class.getName())
            .log(System.Logger.Level.WARNING, "{0} stays behind: {1}", draft, e.getMessage());
      }
    }
  }

  /** Appends bytes, from any kind of memory. */
  public void append(MemorySegment bytes) throws IOException {
    MemorySegment chunk = MemorySegment.ofBuffer(buffer.clear());
    for (long from = 0; from < bytes.byteSize(); ) {
      int count = (int) Math.min(CHUNK, bytes.byteSize() - from);
      MemorySegment.copy(bytes, from, chunk, 0, count);
      buffer.clear().limit(count);
      try {
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
      } catch (IOException e) {
        throw naming(target, e);
      }
      from += count;
    }
  }

  private static void force(Path target, FileChannel channel) throws IOException {
    try {
      channel.force(true);
    } catch (IOException e) {
      throw naming(target, e);
    }
  }

  /**
   * Returns a failure of a channel, such as a full disk, that names the file: channels do not know
   * theirs. One that is closed, as interrupts do it, is returned as it is.
   */
  public static IOException naming(Path file, IOException failure) {
    return failure instanceof ClosedChannelException || failure instanceof FileSystemException
        ? failure
        : (IOException)
            new FileSystemException(
                    file.toString(), null, "cannot be written: " + failure.getMessage())
                .initCause(failure);
  }

  static void forceFolder(Path folder) {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException _) {
      // not every system lets a folder be opened; the file itself is already safe on disk
    }
  }
}
