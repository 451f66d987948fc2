package dev.rowan.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FloatFormatTest {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int PATTERNS = 1 << 16;

  @Test
  void f16DecodesEveryPatternExactly() {
    checkEveryPattern(FloatFormat.F16, 5, 10);
  }

  @Test
  void bf16DecodesEveryPatternExactly() {
    checkEveryPattern(FloatFormat.BF16, 8, 7);
  }

  private static void checkEveryPattern(FloatFormat format, int exponentBits, int fractionBits) {
    MemorySegment data = Arena.ofAuto().allocate(2L * PATTERNS + 1).asSlice(1);
    for (int bits = 0; bits < PATTERNS; bits++) {
      data.set(SHORT, 2L * bits, (short) bits);
    }
    float[] decoded = new float[PATTERNS];
    format.decode(data, 0, PATTERNS, decoded, 0);
    int nans = 0;
    for (int bits = 0; bits < PATTERNS; bits++) {
      double exact = Sample.ieee(bits, exponentBits, fractionBits);
      if (Double.isNaN(exact)) {
        assertThat(decoded[bits]).isNaN();
        nans++;
      } else if (Float.floatToRawIntBits(decoded[bits]) != Float.floatToRawIntBits((float) exact)) {
        assertThat(decoded[bits]).as("pattern %04x", bits).isEqualTo((float) exact);
      }
    }
    assertThat(nans).isEqualTo(2 * ((1 << fractionBits) - 1));
  }

  @Test
  void f16EncodesEveryValueToItsOwnPattern() {
    checkRoundTrip(FloatFormat.F16, 5, 10);
  }

  @Test
  void bf16EncodesEveryValueToItsOwnPattern() {
    checkRoundTrip(FloatFormat.BF16, 8, 7);
  }

  private static void checkRoundTrip(FloatFormat format, int exponentBits, int fractionBits) {
    MemorySegment data = Arena.ofAuto().allocate(2);
    for (int bits = 0; bits < PATTERNS; bits++) {
      float value = (float) Sample.ieee(bits, exponentBits, fractionBits);
      format.encode(new float[] {value}, 0, 1, data, 0);
      int encoded = data.get(SHORT, 0) & 0xFFFF;
      if (Float.isNaN(value)) {
        assertThat(Sample.ieee(encoded, exponentBits, fractionBits)).isNaN();
      } else if (encoded != bits && !(value == 0 && (bits & 0x7FFF) == 0)) {
        assertThat(encoded).isEqualTo(bits);
      }
    }
  }

  // as libtorch 2.10 converts on a CPU
  @ParameterizedTest
  @CsvSource({
    "1.00390625, 1.0",
    "1.01171875, 1.015625",
    "3.4e38, Infinity",
    "65520, 65536",
    "-1.01171875, -1.015625"
  })
  void bf16RoundsToNearestTiesToEven(float value, float rounded) {
    assertThat(roundTrip(FloatFormat.BF16, value)).isEqualTo(rounded);
  }

  @ParameterizedTest
  @CsvSource({
    "65519, 65504",
    "65520, Infinity",
    "2049, 2048",
    "2051, 2052",
    "2.9802322e-8, 0",
    "2.99e-8, 5.9604645e-8",
    "-65520, -Infinity"
  })
  void f16RoundsToNearestTiesToEven(float value, float rounded) {
    assertThat(roundTrip(FloatFormat.F16, value)).isEqualTo(rounded);
  }

  private static float roundTrip(FloatFormat format, float value) {
    MemorySegment data = Arena.ofAuto().allocate(2);
    format.encode(new float[] {value}, 0, 1, data, 0);
    float[] back = new float[1];
    format.decode(data, 0, 1, back, 0);
    return back[0];
  }

  @Test
  void bf16KeepsNanWhosePayloadIsInTheDroppedBits() {
    assertThat(Sample.ieee(FloatFormat.toBfloat16(Float.intBitsToFloat(0x7F800001)), 8, 7)).isNaN();
    assertThat(Sample.ieee(FloatFormat.toBfloat16(Float.intBitsToFloat(0xFFFFFFFF)), 8, 7)).isNaN();
  }

  @Test
  void everyPartOfTheRowIsCheckedAgainstTheData() {
    MemorySegment data = Arena.ofAuto().allocate(8);
    for (FloatFormat format : FloatFormat.values()) {
      int count = 8 / format.bytes() + 1;
      assertThatThrownBy(() -> format.decode(data, 0, count, new float[9], 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }
}
