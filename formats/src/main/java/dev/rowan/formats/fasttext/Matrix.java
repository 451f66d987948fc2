package dev.rowan.formats.fasttext;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** A matrix of a fastText model, in the mapped file. */
sealed interface Matrix {
  /** Numbers as all fastText files store them. */
  ValueLayout.OfFloat FLOAT = JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Returns how many rows there are. */
  long rows();

  /** Returns how many bytes a row takes in {@link #data}. */
  long rowBytes();

  /** Returns the bytes of the rows. */
  MemorySegment data();

  /** Returns the byte of the file at which they start. */
  long offset();

  /** Adds a row to a sum, in float32 as fastText does. */
  void addRow(long row, float[] sum);

  /**
   * Reads a matrix.
   *
   * @param width how wide it must be
   */
  static Matrix read(Input input, boolean quantized, int width, String what) {
    return quantized ? Quantized.read(input, width, what) : Dense.read(input, width, what);
  }

  private static void check(Input input, String what, long rows, long columns, int width) {
    if (rows < 0 || columns != width) {
      throw input.wrong(
          "%s has shape %d × %d; rows of %d numbers are expected"
              .formatted(what, rows, columns, width));
    }
  }

  /**
   * Floats in full.
   *
   * <pre>i64 m, i64 n, m × n f32</pre>
   */
  record Dense(long rows, int width, MemorySegment data, long offset) implements Matrix {
    static Dense read(Input input, int width, String what) {
      long rows = input.int64(what);
      check(input, what, rows, input.int64(what), width);
      long offset = input.position();
      return new Dense(rows, width, input.take(rows, 4L * width, what), offset);
    }

    @Override
    public long rowBytes() {
      return 4L * width;
    }

    @Override
    public void addRow(long row, float[] sum) {
      long at = row * 4 * width;
      for (int i = 0; i < width; i++) {
        sum[i] += data.get(FLOAT, at + 4L * i);
      }
    }
  }

  /**
   * Product-quantised rows: a row is cut into parts, and each part is one of 256 centroids of its
   * place; the row's norm may be one of 256 too.
   *
   * <pre>
   *   u8 qnorm, i64 m, i64 n, i32 codesize, codes u8[codesize], quantizer
   *   if qnorm: norm codes u8[m], quantizer of 1 × 1
   * </pre>
   */
  record Quantized(
      long rows,
      MemorySegment data,
      long offset,
      Quantizer parts,
      MemorySegment normCodes,
      MemorySegment norms)
      implements Matrix {

    static Quantized read(Input input, int width, String what) {
      boolean hasNorms = input.flag(what);
      long rows = input.int64(what);
      check(input, what, rows, input.int64(what), width);
      int codeSize = input.int32(what);
      long offset = input.position();
      MemorySegment codes = input.take(codeSize, 1, what);
      Quantizer parts = Quantizer.read(input, width, what);
      if (rows > Integer.MAX_VALUE || codeSize != rows * parts.count()) {
        throw input.wrong(
            "%s has %,d codes; %,d rows of %d parts need %,d"
                .formatted(what, codeSize, rows, parts.count(), rows * parts.count()));
      }
      MemorySegment normCodes = MemorySegment.NULL;
      MemorySegment norms = MemorySegment.NULL;
      if (hasNorms) {
        normCodes = input.take(rows, 1, what);
        norms = Quantizer.read(input, 1, what).centroids();
      }
      return new Quantized(rows, codes, offset, parts, normCodes, norms);
    }

    @Override
    public long rowBytes() {
      return parts.count();
    }

    @Override
    public void addRow(long row, float[] sum) {
      float norm = 1;
      if (norms.byteSize() > 0) {
        norm = norms.get(FLOAT, 4L * (normCodes.get(JAVA_BYTE, row) & 0xFF));
      }
      for (int part = 0; part < parts.count(); part++) {
        int code = data.get(JAVA_BYTE, row * parts.count() + part) & 0xFF;
        parts.add(part, code, norm, sum);
      }
    }
  }

  /**
   * The centroids of a product quantizer.
   *
   * <pre>i32 dim nsubq dsub lastdsub, f32[dim × 256]: for each part 256 centroids of dsub numbers,
   * for the last part of lastdsub</pre>
   */
  record Quantizer(int count, int size, int lastSize, MemorySegment centroids) {
    private static final int CENTROIDS = 256;

    static Quantizer read(Input input, int width, String what) {
      int dim = input.int32(what);
      int count = input.int32(what);
      int size = input.int32(what);
      int lastSize = input.int32(what);
      boolean fits =
          dim == width
              && size > 0
              && lastSize > 0
              && lastSize <= size
              && count > 0
              && (count - 1L) * size + lastSize == dim;
      if (!fits) {
        throw input.wrong(
            "the quantizer of %s has %d parts of %d and a last one of %d; together they should be %d"
                .formatted(what, count, size, lastSize, width));
      }
      MemorySegment centroids = input.take((long) dim * CENTROIDS, 4, what);
      return new Quantizer(count, size, lastSize, centroids);
    }

    void add(int part, int code, float factor, float[] sum) {
      boolean last = part == count - 1;
      int length = last ? lastSize : size;
      long from = 4L * ((long) part * CENTROIDS * size + (long) code * length);
      for (int i = 0; i < length; i++) {
        sum[part * size + i] += factor * centroids.get(FLOAT, from + 4L * i);
      }
    }
  }
}
