package dev.rowan.formats.fasttext;

import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.core.kernel.RowFormat;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Rows of words that are means of several stored rows. They are composed in blocks when somebody
 * first asks and kept off-heap: at most 4 × V × d bytes, freed with the file.
 *
 * <p>Unlike most formats this one belongs to one file: the place of a row's own bytes tells which
 * word it is. Safe for any number of threads; two may compose the same block at once, to the same
 * bits.
 */
final class ComposedRows implements RowFormat {
  /** Few enough that one lookup stays quick, many enough that keeping them costs little beside. */
  private static final int BLOCK = 64;

  private final String label;
  private final MemorySegment stored;
  private final long rowBytes;
  private final int rows;
  private final Composer composer;
  private final Arena arena;
  private final AtomicReferenceArray<@Nullable MemorySegment> blocks;

  /** Makes the row of a word. */
  interface Composer {
    /** Writes d numbers to the front of {@code target}. */
    void compose(int word, float[] target);
  }

  /**
   * Makes a format.
   *
   * @param stored the words' own rows, in the mapped file
   * @param rowBytes the bytes that each takes
   * @param arena owns what is composed
   */
  ComposedRows(
      String label, MemorySegment stored, long rowBytes, int rows, Composer composer, Arena arena) {
    this.label = label;
    this.stored = stored;
    this.rowBytes = rowBytes;
    this.rows = rows;
    this.composer = composer;
    this.arena = arena;
    this.blocks = new AtomicReferenceArray<>(Math.ceilDiv(rows, BLOCK));
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public long rowBytes(int width) {
    return rowBytes;
  }

  @Override
  public void decode(MemorySegment data, long offset, int count, float[] target, int targetOffset) {
    long place = data.address() + offset - stored.address();
    if (!data.isNative() || place < 0 || place % rowBytes != 0 || place / rowBytes >= rows) {
      throw new IndexOutOfBoundsException("these bytes are not a row of the file's own table");
    }
    int word = (int) (place / rowBytes);
    long at = 4L * count * (word % BLOCK);
    FloatFormat.F32.decode(block(word / BLOCK, count), at, count, target, targetOffset);
  }

  private MemorySegment block(int index, int width) {
    MemorySegment known = blocks.get(index);
    if (known != null) {
      return known;
    }
    int first = index * BLOCK;
    int count = Math.min(BLOCK, rows - first);
    MemorySegment made = arena.allocate(4L * width * count, 64);
    float[] row = new float[width];
    for (int i = 0; i < count; i++) {
      composer.compose(first + i, row);
      FloatFormat.F32.encode(row, 0, width, made, 4L * width * i);
    }
    return blocks.compareAndSet(index, null, made) ? made : block(index, width);
  }
}
