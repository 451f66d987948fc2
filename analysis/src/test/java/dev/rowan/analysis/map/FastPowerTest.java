package dev.rowan.analysis.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class FastPowerTest {
  @Test
  void isStrictPowToSixDigits() {
    Noise noise = new Noise(8);
    for (int i = 0; i < 20_000; i++) {
      double x = StrictMath.exp(60 * noise.uniform(2L * i) - 30);
      double exponent = 4 * noise.uniform(2L * i + 1) - 2;
      double expected = StrictMath.pow(x, exponent);
      assertThat(FastPower.of(x, exponent)).isCloseTo(expected, within(1e-6 * expected));
    }
  }
}
