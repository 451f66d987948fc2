package dev.rowan.analysis.edit;

import dev.rowan.core.Workers;
import java.util.concurrent.atomic.AtomicLong;

/** Whether every finite number stays finite in the dtype it is stored in. */
final class RangeCheck {
  private static final int TURN_ROWS = 1024;
  private static final float LEAST_TOO_LARGE = 65520; // rounds to infinity in binary16

  private RangeCheck() {}

  /**
   * Reads every row if it is stored as f16 and not as it was; other dtypes have the range of f32 or
   * more.
   *
   * @throws IllegalArgumentException if a number lies beyond
   */
  static void check(EditedRows rows, Workers workers) {
    boolean half = rows.numbers().dtype().label().equals("F16");
    if (!half || rows.numbers().areVerbatim(rows.tensor().info().dtype())) {
      return;
    }
    AtomicLong first = new AtomicLong(Long.MAX_VALUE);
    workers.run(
        Math.ceilDiv(rows.layout().rows(), (long) TURN_ROWS),
        () -> {
          Blend.Reader reader = rows.reader();
          float[] row = new float[rows.width()];
          return turn -> {
            long from = turn * TURN_ROWS;
            for (long id = from; id < Math.min(from + TURN_ROWS, rows.layout().rows()); id++) {
              reader.read(id, row);
              for (float value : row) {
                if (Math.abs(value) >= LEAST_TOO_LARGE && Float.isFinite(value)) {
                  first.accumulateAndGet(id, Math::min);
                }
              }
            }
          };
        });
    if (first.get() != Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          "%s: row %d holds a number beyond 65,504, which F16 cannot; choose BF16 or F32"
              .formatted(rows.tensor().title(), first.get()));
    }
  }
}
