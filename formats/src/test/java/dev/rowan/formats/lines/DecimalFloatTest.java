package dev.rowan.formats.lines;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalFloatTest {

  private static long read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    return DecimalFloat.read(bytes, 0, bytes.length, (byte) ' ');
  }

  private static void agreesWithTheJdk(String text) {
    long found = read(text);
    assertThat(found).as(text).isNotEqualTo(DecimalFloat.NONE);
    assertThat(Float.floatToIntBits(DecimalFloat.value(found)))
        .as(text)
        .isEqualTo(Float.floatToIntBits(Float.parseFloat(text)));
    assertThat(DecimalFloat.next(found)).as(text).isEqualTo(text.length());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "1",
        "-1.5",
        "+2.25",
        ".5",
        "5.",
        "0.1",
        "1e-5",
        "1E+5",
        "-1.25e-05",
        "3.4e38",
        "3.4028235e38",
        "3.4028236e38",
        "3.5e38",
        "1e39",
        "1e400",
        "-1e400",
        "1.17549435e-38",
        "1.1754942e-38",
        "1e-45",
        "7e-46",
        "7.1e-46",
        "1e-400",
        "0e999999999",
        "0.0e-999999999",
        "123456789012345678",
        "1234567890123456789012345678901234567890",
        "0.00000000000000000000000000000000000000000000000000000000000000000001",
        "0.000000000000000000000000012345678901234567",
        // middles between two floats, and one unit beside them in the 20th digit and beyond
        "16777217",
        "16777217.0000000000000000001",
        "16777216.9999999999999999999",
        "16777219",
        "8388608.5",
        "8388609.5",
        "8388608.500000000000000000000001",
        "33554434e0",
        "33554438",
        "1.00000005960464477539062500",
        "1.00000005960464477539062501",
        "1.00000005960464477539062499",
        "0.1000000014901161193847656",
        "-0.12345678901234567",
        "0.012345678901234567",
        "12345678901234567e-17"
      })
  void roundsAsTheJdkDoes(String text) {
    agreesWithTheJdk(text);
  }

  @Test
  void everyFloatSurvivesItsShortestText() {
    SplittableRandom random = new SplittableRandom(20);
    for (int i = 0; i < 200_000; i++) {
      float value = Float.intBitsToFloat(random.nextInt());
      if (Float.isFinite(value)) {
        assertThat(Float.floatToRawIntBits(DecimalFloat.value(read(Float.toString(value)))))
            .isEqualTo(Float.floatToRawIntBits(value));
      }
    }
  }

  @Test
  void roundsTextsOfDoublesAsTheJdkDoes() {
    SplittableRandom random = new SplittableRandom(21);
    for (int i = 0; i < 100_000; i++) {
      agreesWithTheJdk(Double.toString(random.nextDouble() - 0.5));
      // the middle between two floats, written out in full, and its neighbours
      float low = random.nextFloat() + 0x1p-10f;
      double middle = ((double) low + Math.nextUp(low)) / 2;
      agreesWithTheJdk(Double.toString(middle));
      agreesWithTheJdk(Double.toString(Math.nextUp(middle)));
      agreesWithTheJdk(Double.toString(Math.nextDown(middle)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nan", "NaN", "-nan", "inf", "-Infinity", "+INF"})
  void readsWhatIsNoFiniteNumber(String text) {
    float value = DecimalFloat.value(read(text));
    assertThat(Float.isFinite(value)).isFalse();
    assertThat(value < 0).isEqualTo(text.equals("-Infinity"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "+",
        ".",
        "-.",
        "e5",
        "1e",
        "1e+",
        "1.2.3",
        "1,5",
        "0x10",
        "1f",
        "1d",
        "--1",
        "infinite",
        "word",
        "1\u00a0",
        "\u00d9",
        "1_000"
      })
  void refusesWhatIsNoNumber(String text) {
    assertThat(read(text)).isEqualTo(DecimalFloat.NONE);
  }

  @Test
  void stopsAtTheSeparator() {
    byte[] text = "x 1.5 2".getBytes(StandardCharsets.ISO_8859_1);
    long found = DecimalFloat.read(text, 2, text.length, (byte) ' ');
    assertThat(DecimalFloat.value(found)).isEqualTo(1.5f);
    assertThat(DecimalFloat.next(found)).isEqualTo(5);
  }
}
