package dev.rowan.core.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The rows of one tile, decoded as {@link PanelTiles} reads them, and the bytes of the tile behind
 * it, which are touched meanwhile. Scratch space for one thread.
 */
final class DecodedTile {
  private static final int STRIDE = PanelTiles.STRIDE;

  /** What is touched where nothing is to be had by it. */
  private static final MemorySegment NOTHING =
      Arena.global().allocate((long) PanelTiles.TOUCH * STRIDE, 64);

  /** Sums to begin with. Zeros just written to {@code dots} would be read back slowly. */
  private static final float[] ZEROS = new float[PackedQueries.ROWS * 4 * Lanes.COUNT];

  private final RowBlock rows;
  private final Panel decoder;
  private final int width;
  private final float[] panel = new float[PackedQueries.ROWS * STRIDE];
  private final float[] wide; // whole rows, where those are longer than the panel's

  private final boolean touches;
  private final MemorySegment touched;
  private final long lastTouch; // where the last touches may begin
  private long ahead;
  private int from;

  DecodedTile(RowBlock rows) {
    this.rows = rows;
    this.width = rows.width();
    this.decoder = new Panel(rows, PackedQueries.ROWS, Math.max(width, STRIDE));
    this.wide = new float[width > STRIDE ? PackedQueries.ROWS * width : 0];
    long last = rows.data().byteSize() - (long) PanelTiles.TOUCH * width;
    this.touches = rows.data().isNative() && last >= 0;
    this.touched = touches ? rows.data() : NOTHING;
    this.lastTouch = last;
  }

  /** Decodes rows, and turns to their first piece. */
  void decode(long first, int count) {
    decoder.decode(first, count, width > STRIDE ? wide : panel);
    long next = rows.offset() + (first + PackedQueries.ROWS) * rows.rowBytes();
    ahead = touches ? Math.min(next, lastTouch) : 0;
  }

  /**
   * Turns to the piece of at most {@link PanelTiles#STRIDE} columns that begins at {@code from}.
   */
  void turnTo(int from) {
    this.from = from;
    if (width > STRIDE) {
      for (int r = 0; r < PackedQueries.ROWS; r++) {
        System.arraycopy(wide, r * width + from, panel, r * STRIDE, columns());
      }
    }
  }

  private int columns() {
    return Math.min(STRIDE, width - from);
  }

  /**
   * Multiplies this piece with a block of queries, and adds the sums of the pieces before it.
   *
   * @param query where the block's numbers for the first column of this piece are
   * @param v vectors of the block: 4, 2 or 1
   */
  void multiply(float[] packed, int query, int v, float[] dots) {
    float[] before = from == 0 ? ZEROS : dots;
    int columns = columns();
    long touch = touches ? ahead + (long) PanelTiles.TOUCH * from : 0;
    switch (v) {
      case 4 -> PanelTiles.sixByFour(panel, columns, packed, query, before, dots, touched, touch);
      case 2 -> PanelTiles.sixByTwo(panel, columns, packed, query, before, dots, touched, touch);
      default -> PanelTiles.sixByOne(panel, columns, packed, query, before, dots, touched, touch);
    }
  }
}
