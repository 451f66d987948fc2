package dev.rowan.train;

import dev.rowan.core.Table;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.train.kernel.WindowKernels;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The numbers that are learned: input rows, which become the table, and output rows.
 *
 * <p>Rows are padded to whole cache lines and begin on one, where the array does not lie too
 * unluckily: the 16 bytes of its header and 48 more stand before them. Behind the output rows
 * stands one of zeros, which pads windows; behind either are spare rows, for threads to work in.
 */
final class Weights {
  /** Where row 0 begins in either array. */
  static final int FIRST = 12;

  private static final int MOST_NUMBERS = Integer.MAX_VALUE - 8;

  private final int width;
  private final int stride;
  private final int inputRows;
  private final int outputRows;
  private final float[] input;
  private final float[] output;
  private int packedInputs; // the first rows, which lie together
  private int packedOutputs;

  private Weights(int width, int inputRows, int spareInputs, int outputRows, int spareOutputs) {
    this.width = width;
    this.stride = WindowKernels.stride(width);
    this.inputRows = inputRows;
    this.outputRows = outputRows;
    this.input = new float[FIRST + (inputRows + spareInputs) * stride];
    this.output = new float[FIRST + (outputRows + 1 + spareOutputs) * stride];
  }

  /**
   * Returns rows of zeros.
   *
   * @throws IllegalArgumentException if they do not fit an array, or the memory
   */
  static Weights zeros(
      int width, int inputRows, int spareInputs, int outputRows, int spareOutputs) {
    check(width, (long) inputRows + spareInputs, (long) outputRows + spareOutputs);
    return new Weights(width, inputRows, spareInputs, outputRows, spareOutputs);
  }

  /**
   * Checks that rows can be had.
   *
   * @throws IllegalArgumentException if they do not fit an array, or the memory
   */
  static void check(int width, long inputs, long outputRows) {
    long stride = WindowKernels.stride(width);
    long outputs = outputRows + 1;
    if (Math.max(inputs, outputs) * stride + FIRST > MOST_NUMBERS) {
      throw new IllegalArgumentException(
          "%,d rows of width %,d are more than one machine's block holds, %,d rows; keep fewer"
                  .formatted(inputs, width, MOST_NUMBERS / stride)
              + " words, or narrower rows");
    }
    long bytes = 4 * stride * (inputs + outputs);
    long heap = Runtime.getRuntime().maxMemory();
    if (bytes > heap - (heap >> 3)) {
      throw new IllegalArgumentException(
          "the rows take %,d MB but Java may use %,d MB; keep fewer words, narrower rows, or give"
                  .formatted(bytes >> 20, heap >> 20)
              + " Java more with ROWAN_JAVA_OPTS=-Xmx…");
    }
  }

  int width() {
    return width;
  }

  int stride() {
    return stride;
  }

  int inputRows() {
    return inputRows;
  }

  int outputRows() {
    return outputRows;
  }

  float[] input() {
    return input;
  }

  float[] output() {
    return output;
  }

  /** Returns where a row begins. */
  int offset(int row) {
    return FIRST + row * stride;
  }

  /** Returns where the row of zeros begins in the output. */
  int zeros() {
    return offset(outputRows);
  }

  /** Returns where a spare input row begins. */
  int spareInput(int number) {
    return offset(inputRows + number);
  }

  /** Returns where a spare output row begins. */
  int spareOutput(int number) {
    return offset(outputRows + 1 + number);
  }

  /**
   * Returns how many spare rows, of either kind, there is room for: in an array, and in as much
   * memory as the rows themselves take or {@code least} bytes, or what is free if that is less.
   */
  static long room(int width, int inputRows, int outputRows, long least) {
    long rowBytes = 4L * WindowKernels.stride(width);
    long own = rowBytes * ((long) inputRows + outputRows);
    long heap = Runtime.getRuntime().maxMemory();
    long bytes = Math.clamp(Math.max(own, least), 0, Math.max(0, heap / 2 - own));
    long places = (MOST_NUMBERS - FIRST) * 4L / rowBytes - Math.max(inputRows, outputRows + 1L);
    return Math.clamp(bytes / rowBytes, 0, Math.max(0, places));
  }

  /** Fills an input row evenly from ±½/d, as word2vec does, the same for the same seed and row. */
  void fill(int row, Draw draw, long seed) {
    initial(row, draw, seed, input, offset(row));
  }

  /** Writes what {@link #fill} fills a row with. */
  void initial(int row, Draw draw, long seed, float[] target, int at) {
    draw.seed(seed, -1, row);
    for (int k = 0; k < width; k++) {
      float even = (draw.bits() >>> 40) * 0x1p-24f; // in [0, 1)
      target[at + k] = (even - 0.5f) / width;
    }
  }

  /** Returns the bytes of the padded input rows, as a checkpoint keeps them. */
  MemorySegment inputBytes() {
    return bytes(input, inputRows);
  }

  /** Returns the bytes of the padded output rows. */
  MemorySegment outputBytes() {
    return bytes(output, outputRows);
  }

  private MemorySegment bytes(float[] rows, int count) {
    return MemorySegment.ofArray(rows).asSlice(4L * FIRST, 4L * count * stride);
  }

  /** Returns a copy of the first input rows as a table. */
  Table copyOfInput(int rows) {
    return copy(input, rows);
  }

  /** Returns a copy of all output rows as a table. */
  Table copyOfOutput() {
    return copy(output, outputRows);
  }

  private Table copy(float[] from, int rows) {
    MemorySegment packed = MemorySegment.ofArray(new float[Math.multiplyExact(rows, width)]);
    MemorySegment padded = MemorySegment.ofArray(from);
    for (int row = 0; row < rows; row++) {
      MemorySegment.copy(padded, 4L * offset(row), packed, 4L * row * width, 4L * width);
    }
    return Table.over(packed, rows, width, FloatFormat.F32);
  }

  /** Moves the first input rows together where they are, until {@link #unpack}. */
  Table packedInput(int rows) {
    packedInputs = rows;
    return packed(input, rows);
  }

  /** As {@link #packedInput}, for all output rows. */
  Table packedOutput() {
    packedOutputs = outputRows;
    return packed(output, outputRows);
  }

  /** Moves rows that were packed back; their tables then hold something else. */
  void unpack() {
    unpack(input, packedInputs);
    unpack(output, packedOutputs);
    packedInputs = 0;
    packedOutputs = 0;
  }

  private void unpack(float[] rows, int count) {
    for (int row = count - 1; row >= 0; row--) { // never over an earlier row
      int at = offset(row);
      System.arraycopy(rows, row * width, rows, at, width);
      Arrays.fill(rows, at + width, at + stride, 0);
    }
  }

  private Table packed(float[] from, int rows) {
    for (int row = 0; row < rows; row++) {
      System.arraycopy(from, offset(row), from, row * width, width); // never over a later row
    }
    MemorySegment packed = MemorySegment.ofArray(from).asSlice(0, 4L * rows * width);
    return Table.over(packed, rows, width, FloatFormat.F32);
  }

  /** Returns whether every input row is finite. */
  boolean isFinite() {
    float zero = 0;
    for (float value : input) {
      zero += 0 * value; // 0, or NaN from NaN and the infinities
    }
    return zero == 0;
  }
}
