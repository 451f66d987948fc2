package dev.rowan.formats.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * A file mapped into memory for reading, of any size. Opening reads nothing.
 *
 * <p>Safe for any number of threads. After {@link #close} the bytes must not be used: a use throws
 * {@link IllegalStateException}. The file must not shrink while it is open.
 */
public final class MappedFile implements Stretches, AutoCloseable {
  /** What to tell of a file whose bytes were lost, see {@link #isLost}. */
  public static final String LOST =
      "a file changed or became shorter while it was read, or its disk failed; do not trust what was shown of it, and run this again when nobody writes to the file";

  private final Path path;
  private final Arena arena;
  private final FileChannel channel;
  private final MemorySegment bytes;

  private MappedFile(Path path, Arena arena, FileChannel channel, MemorySegment bytes) {
    this.path = path;
    this.arena = arena;
    this.channel = channel;
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
      throw Missing.at(path, "file");
    }
    if (!Files.isRegularFile(path)) {
      throw new FileSystemException(path.toString(), null, "this is not a regular file");
    }
    @SuppressWarnings("MustBeClosedChecker") // the mapped file owns it and closes it
    Arena arena = Arena.ofShared();
    FileChannel channel = null;
    try {
      channel = FileChannel.open(path, StandardOpenOption.READ);
      MemorySegment bytes =
          channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena).asReadOnly();
      return new MappedFile(path, arena, channel, bytes);
    } catch (IOException | RuntimeException | Error e) {
      arena.close();
      if (channel != null) {
        channel.close();
      }
      throw e;
    }
  }

  /**
   * Returns whether a failure says that mapped bytes are gone, as they are when somebody makes the
   * file shorter. The JDK has no exception of its own for that.
   */
  public static boolean isLost(Throwable failure) {
    return failure instanceof InternalError
        && String.valueOf(failure.getMessage()).contains("unsafe memory access");
  }

  /** Returns the file, as it was named. */
  @Override
  public Path path() {
    return path;
  }

  /** Returns the bytes, read-only. */
  public MemorySegment bytes() {
    return bytes;
  }

  /** Returns how many bytes there are. */
  @Override
  public long size() {
    return bytes.byteSize();
  }

  @Override
  public MemorySegment stretch(long from, long count) {
    return bytes.asSlice(from, count);
  }

  /**
   * Copies bytes by reading the file, for those who use them once: to map a page costs twice as
   * much as to read it.
   *
   * @param from the first byte
   * @param target native memory, to be filled
   * @throws IndexOutOfBoundsException if the file ends before the target is full
   * @throws UncheckedIOException if the file cannot be read
   */
  public void copy(long from, MemorySegment target) {
    Objects.checkFromIndexSize(from, target.byteSize(), size());
    ByteBuffer rest = target.asByteBuffer();
    try {
      while (rest.hasRemaining() && channel.read(rest, from + rest.position()) > 0) {}
    } catch (ClosedChannelException e) {
      // an interrupted thread closed the channel for all; the mapping stays and tells the same
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long done = rest.position();
    MemorySegment.copy(bytes, from + done, target, done, target.byteSize() - done);
  }

  /** Unmaps the file; again does no harm. */
  @Override
  public void close() {
    if (!arena.scope().isAlive()) {
      return;
    }
    arena.close();
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
