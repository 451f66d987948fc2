package dev.rowan.formats.file;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file mapped into memory for reading, of any size. Opening reads nothing.
 *
 * <p>Safe for any number of threads. After {@link #close} the bytes must not be used: a use throws
 * {@link IllegalStateException}. The file must not shrink while it is open.
 */
public final class MappedFile implements AutoCloseable {
  private final Path path;
  private final Arena arena;
  private final MemorySegment bytes;

  private MappedFile(Path path, Arena arena, MemorySegment bytes) {
    this.path = path;
    this.arena = arena;
    this.bytes = bytes;
  }

  /**
   * Maps a file.
   *
   * @throws NoSuchFileException if there is none
   * @throws FileSystemException if it is a folder or another thing without bytes of its own
   */
  public static MappedFile open(Path path) throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString(), null, "there is no such file");
    }
    if (!Files.isRegularFile(path)) {
      throw new FileSystemException(path.toString(), null, "this is not a regular file");
    }
    @SuppressWarnings("MustBeClosedChecker") // the mapped file owns it and closes it
    Arena arena = Arena.ofShared();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      MemorySegment bytes =
          channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena).asReadOnly();
      return new MappedFile(path, arena, bytes);
    } catch (IOException | RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  /** Returns the file, as it was named. */
  public Path path() {
    return path;
  }

  /** Returns the bytes, read-only. */
  public MemorySegment bytes() {
    return bytes;
  }

  /** Returns how many bytes there are. */
  public long size() {
    return bytes.byteSize();
  }

  /** Unmaps the file. */
  @Override
  public void close() {
    arena.close();
  }
}
