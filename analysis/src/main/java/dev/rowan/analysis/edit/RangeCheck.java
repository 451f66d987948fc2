package dev.rowan.analysis.edit;

import dev.rowan.core.Workers;
import dev.rowan.formats.tensor.Doubles;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/** Whether every finite number stays finite in the dtype it is stored in. */
final class RangeCheck {
  private static final int TURN_ROWS = 1024;

  // the least magnitudes that round to infinity: half a step above the greatest number
  private static final double BEYOND_F32 = 0x1.FFFFFFp127;
  private static final double BEYOND_F16 = 65520;
  private static final double BEYOND_BF16 = 0x1.FFp127;

  private RangeCheck() {}

  /**
   * Reads every row if it is stored in less range than it had.
   *
   * @throws IllegalArgumentException if a number lies beyond
   */
  static void check(EditedRows rows, Workers workers) {
    if (rows.numbers().areVerbatim(rows.tensor().info().dtype())) {
      return;
    }
    Doubles.of(rows.tensor().table())
        .ifPresent(doubles ->
            refuse(
                rows,
                () -> id -> isBeyond(rows, doubles, id),
                "3.4e38, and edits compute in float32",
                workers));
    switch (rows.numbers().dtype().label()) {
      case "F16" ->
          refuse(
              rows,
              made(rows, BEYOND_F16),
              "65,504, which F16 cannot; choose BF16 or F32",
              workers);
      case "BF16" ->
          refuse(rows, made(rows, BEYOND_BF16), "3.39e38, which BF16 cannot; choose F32", workers);
      default -> {} // has the range of float32 or more
    }
  }

  private static boolean isBeyond(EditedRows rows, Doubles doubles, long id) {
    long source = rows.layout().source(id);
    for (int i = 0; source >= 0 && i < rows.width(); i++) {
      if (isBeyond(doubles.number(source, i), BEYOND_F32)) {
        return true;
      }
    }
    return false;
  }

  private static Supplier<LongPredicate> made(EditedRows rows, double limit) {
    return () -> {
      Blend.Reader reader = rows.reader();
      float[] row = new float[rows.width()];
      return id -> {
        reader.read(id, row);
        for (float value : row) {
          if (isBeyond(value, limit)) {
            return true;
          }
        }
        return false;
      };
    };
  }

  private static boolean isBeyond(double number, double limit) {
    return Math.abs(number) >= limit && Double.isFinite(number);
  }

  /** Finds the first row with a number beyond, whatever the number of threads. */
  private static void refuse(
      EditedRows rows, Supplier<LongPredicate> tests, String limit, Workers workers) {
    AtomicLong first = new AtomicLong(Long.MAX_VALUE);
    long count = rows.layout().rows();
    workers.run(
        Math.ceilDiv(count, (long) TURN_ROWS),
        () -> {
          LongPredicate test = tests.get();
          return turn -> {
            long from = turn * TURN_ROWS;
            for (long id = from; id < Math.min(from + TURN_ROWS, count); id++) {
              if (test.test(id)) {
                first.accumulateAndGet(id, Math::min);
                return;
              }
            }
          };
        });
    if (first.get() != Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          "%s: row %d holds a number beyond %s"
              .formatted(rows.tensor().title(), first.get(), limit));
    }
  }
}
