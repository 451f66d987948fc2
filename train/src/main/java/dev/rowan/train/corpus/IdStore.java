package dev.rowan.train.corpus;

import dev.rowan.formats.file.NewFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the ids of a corpus: on the heap up to a budget, the rest in a temporary file that goes
 * away with the store. Safe for any number of threads.
 */
final class IdStore implements Closeable {
  private static final int PIECE = 1 << 14;

  private final long budget;
  private long onHeap;
  private @Nullable FileChannel spill;
  private long spilled;

  /**
   * Makes an empty store.
   *
   * @param budget bytes of ids to keep on the heap
   */
  IdStore(long budget) {
    this.budget = budget;
  }

  /** Takes the first places of an array. */
  interface Piece {
    void take(int[] ids, int count) throws IOException;
  }

  private record Head(Run run, int length) implements Run {
    @Override
    public void read(int from, int count, int[] target) throws IOException {
      run.read(from, count, target);
    }
  }

  /** A run of ids. */
  interface Run {
    int length();

    /** Copies ids into an array, from its start. */
    void read(int from, int count, int[] target) throws IOException;

    /** Calls for piece after piece, from the first id to the last. */
    default void forEachPiece(Piece piece) throws IOException {
      int[] ids = new int[Math.min(length(), PIECE)];
      for (int from = 0; from < length(); from += PIECE) {
        int count = Math.min(PIECE, length() - from);
        read(from, count, ids);
        piece.take(ids, count);
      }
    }

    /** Returns the first ids alone. */
    default Run head(int length) {
      return new Head(this, length);
    }
  }

  /** Keeps ids; the array is no longer the caller's. */
  Run put(int[] ids) throws IOException {
    long at;
    FileChannel file;
    synchronized (this) {
      if (onHeap + 4L * ids.length <= budget) {
        onHeap += 4L * ids.length;
        return new Held(ids);
      }
      file = spill();
      at = spilled;
      spilled += 4L * ids.length;
    }
    ByteBuffer bytes = ByteBuffer.allocate(4 * ids.length).order(ByteOrder.nativeOrder());
    bytes.asIntBuffer().put(ids);
    try {
      while (bytes.hasRemaining()) {
        file.write(bytes, at + bytes.position());
      }
    } catch (IOException e) {
      throw NewFile.naming(Path.of(System.getProperty("java.io.tmpdir")), e);
    }
    return new Spilled(file, at, ids.length);
  }

  private FileChannel spill() throws IOException {
    FileChannel file = spill;
    if (file == null) {
      Path path = Files.createTempFile("rowan-corpus-", ".ids");
      file =
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
      spill = file;
    }
    return file;
  }

  @Override
  public synchronized void close() throws IOException {
    if (spill != null) {
      spill.close();
    }
  }

  private static final class Held implements Run {
    private final int[] ids;

    Held(int[] ids) {
      this.ids = ids;
    }

    @Override
    public int length() {
      return ids.length;
    }

    @Override
    public void read(int from, int count, int[] target) {
      System.arraycopy(ids, from, target, 0, count);
    }
  }

  private record Spilled(FileChannel file, long at, int length) implements Run {
    @Override
    public void read(int from, int count, int[] target) throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(4 * count).order(ByteOrder.nativeOrder());
      while (bytes.hasRemaining()) {
        if (file.read(bytes, at + 4L * from + bytes.position()) < 0) {
          throw new IOException("the temporary file of the corpus was cut off");
        }
      }
      bytes.flip().asIntBuffer().get(target, 0, count);
    }
  }
}
