package dev.rowan.analysis.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NoiseTest {
  @Test
  void isSplitMix64() {
    // the first numbers of seed 1234567 in the reference implementation (Vigna's splitmix64.c)
    Noise noise = new Noise(1234567);
    assertThat(Long.toUnsignedString(noise.bits(0))).isEqualTo("6457827717110365317");
    assertThat(Long.toUnsignedString(noise.bits(1))).isEqualTo("3203168211198807973");
    assertThat(Long.toUnsignedString(noise.bits(2))).isEqualTo("9817491932198370423");
  }

  @Test
  void normalNumbersHaveMean0AndVariance1() {
    Noise noise = new Noise(3).part(4);
    double[] numbers = IntStream.range(0, 20_000).mapToDouble(noise::normal).toArray();
    double mean = IntStream.range(0, 20_000).mapToDouble(i -> numbers[i]).average().orElseThrow();
    double square =
        IntStream.range(0, 20_000)
            .mapToDouble(i -> numbers[i] * numbers[i])
            .average()
            .orElseThrow();
    assertThat(mean).isCloseTo(0, within(0.03)); // four standard errors
    assertThat(square).isCloseTo(1, within(0.04));
  }

  @Test
  void sampleIsAscendingAndDistinctAndWithinBounds() {
    int[] sample = new Noise(5).sample(100, 130);
    assertThat(sample).hasSize(100).isSorted().doesNotHaveDuplicates();
    assertThat(sample[0]).isNotNegative();
    assertThat(sample[99]).isLessThan(130);
    assertThat(new Noise(5).sample(7, 3)).containsExactly(0, 1, 2);
  }
}
