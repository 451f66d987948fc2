package dev.rowan.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SplitMixTest {
  @Test
  void isSplitMix64() {
    // the first numbers of seed 1234567 in the reference implementation (Vigna's splitmix64.c)
    assertThat(Long.toUnsignedString(SplitMix.first(1234567))).isEqualTo("6457827717110365317");
    assertThat(Long.toUnsignedString(SplitMix.mix(state(2)))).isEqualTo("3203168211198807973");
    assertThat(Long.toUnsignedString(SplitMix.mix(state(3)))).isEqualTo("9817491932198370423");
  }

  @Test
  void symmetricNumbersAreTheUpperBitsWithTheirSign() {
    // the first and third of the numbers above, signed, over 2^63 and cut to 53 bits (Python)
    assertThat(SplitMix.symmetric(state(1))).isEqualTo(0.7001590840428162);
    assertThat(SplitMix.symmetric(state(3))).isEqualTo(-0.9355853918751615);
    assertThat(SplitMix.symmetric(0)).isZero();
  }

  @Test
  void neighbouringStreamsDiffer() {
    Set<Long> seeds = new HashSet<>();
    for (long seed = 0; seed < 30; seed++) {
      for (long number = 0; number < 30; number++) {
        seeds.add(SplitMix.stream(seed, number));
      }
    }
    assertThat(seeds).hasSize(900);
  }

  private static long state(int step) {
    return 1234567 + step * SplitMix.GAMMA;
  }
}
