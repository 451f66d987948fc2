package dev.rowan.formats.model2vec;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.rowan.core.kernel.RowFormat;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.TensorInfo;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * Rows that point into another table and have a weight: {@code i64 row, f64 weight}, native byte
 * order. The row of a token is the row pointed to, times the weight, rounded once to float32.
 *
 * <p>Unlike most formats this one belongs to one file, whose rows it points to. Immutable.
 *
 * @param stored the rows pointed to
 * @param format how they are stored
 * @param rows how many there are; every pointer lies below
 */
record WeightedRows(MemorySegment stored, RowFormat format, long rows) implements RowFormat {
  /** The bytes of a pointer and its weight. */
  static final long BYTES = 16;

  /** Returns the table of tokens whose rows these are. */
  TensorInfo tableOver(TensorInfo stored, long tokens) {
    return new TensorInfo(
        stored.name(),
        new Dtype(stored.dtype().label() + "+mapping", 0, Dtype.Kind.OTHER, Optional.of(this)),
        List.of(tokens, stored.shape().getLast()),
        stored.file(),
        stored.offset(),
        Math.multiplyExact(tokens, BYTES));
  }

  static void set(MemorySegment data, long token, long row, double weight) {
    data.set(JAVA_LONG, token * BYTES, row);
    data.set(JAVA_DOUBLE, token * BYTES + 8, weight);
  }

  @Override
  public String label() {
    return format.label() + "+mapping";
  }

  @Override
  public long rowBytes(int width) {
    return BYTES;
  }

  @Override
  public long storedRows(long tokens) {
    return rows;
  }

  @Override
  public long storedBytes(long tokens, int width) {
    return format.storedBytes(rows, width);
  }

  @Override
  public void decode(MemorySegment data, long offset, int count, float[] target, int targetOffset) {
    long row = data.get(JAVA_LONG_UNALIGNED, offset);
    double weight = data.get(JAVA_DOUBLE_UNALIGNED, offset + 8);
    format.decode(stored, row * format.rowBytes(count), count, target, targetOffset);
    if (weight != 1) {
      for (int i = targetOffset; i < targetOffset + count; i++) {
        target[i] = (float) (target[i] * weight);
      }
    }
  }
}
