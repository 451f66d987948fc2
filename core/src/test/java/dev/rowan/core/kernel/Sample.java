package dev.rowan.core.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Seeded rows in any format and place, and what they hold, worked out without the kernels. */
final class Sample {
  static final long SEED = Long.getLong("rowan.seed", 20260301L);

  /** One number, about one vector of each width, and widths of models. */
  static final int[] WIDTHS = {
    1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 300, 384, 702, 768, 1021, 4098
  };

  /** The id of the first row, so that a kernel that forgets it is caught. */
  static final long FIRST_ID = 5;

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Where the bytes lie. */
  enum Place {
    HEAP,
    NATIVE
  }

  /** A format that no kernel knows: one signed byte a number, in eighths. */
  enum Eighths implements RowFormat {
    EIGHTHS;

    @Override
    public String label() {
      return "eighths";
    }

    @Override
    public long rowBytes(int width) {
      return width;
    }

    @Override
    public void decode(
        MemorySegment data, long offset, int count, float[] target, int targetOffset) {
      for (int i = 0; i < count; i++) {
        target[targetOffset + i] = data.get(ValueLayout.JAVA_BYTE, offset + i) / 8f;
      }
    }
  }

  /** Returns the formats that are read by numbers, in each place. */
  static Stream<Arguments> formatsAndPlaces() {
    List<RowFormat> formats = new ArrayList<>(List.of(FloatFormat.values()));
    formats.add(Eighths.EIGHTHS);
    return formats.stream()
        .flatMap(format -> Stream.of(Place.values()).map(place -> Arguments.of(format, place)));
  }

  /** Returns patterns of infinities and NaN of each float format, in each place. */
  static Stream<Arguments> brokenNumbers() {
    return Stream.of(
            Arguments.of(
                FloatFormat.F32, new int[] {0x7F800000, 0xFF800000, 0x7FC00000, 0xFF800001}),
            Arguments.of(FloatFormat.F16, new int[] {0x7C00, 0xFC00, 0x7E00, 0xFC01}),
            Arguments.of(FloatFormat.BF16, new int[] {0x7F80, 0xFF80, 0x7FC0, 0xFF81}))
        .flatMap(a ->
            Stream.of(Place.values()).map(place -> Arguments.of(a.get()[0], a.get()[1], place)));
  }

  final RowBlock block;
  final double[][] numbers;

  private Sample(RowBlock block) {
    this.block = block;
    this.numbers = new double[(int) block.count()][block.width()];
    for (int r = 0; r < numbers.length; r++) {
      for (int i = 0; i < block.width(); i++) {
        numbers[r][i] = number(r, i);
      }
    }
  }

  /** Makes rows of numbers about −1 to 1; {@code shift} bytes lie before the first. */
  static Sample of(RowFormat format, int rows, int width, Place place, int shift) {
    Random random = new Random(SEED + 31L * rows + width);
    long rowBytes = format.rowBytes(width);
    RowBlock block =
        new RowBlock(
            allocate(place, shift + rows * rowBytes),
            shift,
            FIRST_ID,
            rows,
            width,
            format,
            rowBytes);
    for (int r = 0; r < rows; r++) {
      for (int i = 0; i < width; i++) {
        int bits = randomBits(format, random);
        set(block, r, i, bits);
      }
    }
    return new Sample(block);
  }

  private static int randomBits(RowFormat format, Random random) {
    float value = random.nextFloat(-1, 1);
    return switch (format) {
      case FloatFormat.F32 -> Float.floatToRawIntBits(value);
      case FloatFormat.BF16 -> Float.floatToRawIntBits(value) >>> 16;
      // any sign and fraction, exponents from subnormal to 2^0
      case FloatFormat.F16 -> random.nextInt(16 << 10) | random.nextInt(2) << 15;
      default -> random.nextInt(-8, 9);
    };
  }

  /** Returns the same rows with the number at one place replaced by a bit pattern. */
  Sample with(int row, int i, int bits) {
    set(block, row, i, bits);
    return new Sample(block);
  }

  private static MemorySegment allocate(Place place, long bytes) {
    return switch (place) {
      case HEAP -> MemorySegment.ofArray(new byte[(int) bytes]);
      case NATIVE -> Arena.ofAuto().allocate(bytes, 64);
    };
  }

  private static void set(RowBlock block, int row, int i, int bits) {
    long at = block.offset() + row * block.rowBytes();
    switch (block.format()) {
      case FloatFormat.F32 -> block.data().set(INT, at + 4L * i, bits);
      case FloatFormat _ -> block.data().set(SHORT, at + 2L * i, (short) bits);
      default -> block.data().set(ValueLayout.JAVA_BYTE, at + i, (byte) bits);
    }
  }

  private double number(int row, int i) {
    long at = block.offset() + row * block.rowBytes();
    return switch (block.format()) {
      case FloatFormat.F32 -> ieee(block.data().get(INT, at + 4L * i), 8, 23);
      case FloatFormat.BF16 -> ieee(block.data().get(SHORT, at + 2L * i), 8, 7);
      case FloatFormat.F16 -> ieee(block.data().get(SHORT, at + 2L * i), 5, 10);
      default -> block.data().get(ValueLayout.JAVA_BYTE, at + i) / 8.0;
    };
  }

  /** Returns the value of an IEEE 754 pattern by the definition of the standard (section 3.4). */
  static double ieee(int bits, int exponentBits, int fractionBits) {
    int bias = (1 << (exponentBits - 1)) - 1;
    int exponent = (bits >>> fractionBits) & ((1 << exponentBits) - 1);
    int fraction = bits & ((1 << fractionBits) - 1);
    int sign = ((bits >>> (exponentBits + fractionBits)) & 1) == 0 ? 1 : -1;
    if (exponent == (1 << exponentBits) - 1) {
      return fraction != 0 ? Double.NaN : sign * Double.POSITIVE_INFINITY;
    }
    if (exponent == 0) {
      return sign * Math.scalb((double) fraction, 1 - bias - fractionBits);
    }
    return sign
        * Math.scalb((double) (fraction + (1 << fractionBits)), exponent - bias - fractionBits);
  }

  /** Returns queries of numbers about −1 to 1, row-major. */
  static float[] queries(int count, int width) {
    Random random = new Random(SEED ^ (31L * count + width));
    float[] values = new float[count * width];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat(-1, 1);
    }
    return values;
  }
}
