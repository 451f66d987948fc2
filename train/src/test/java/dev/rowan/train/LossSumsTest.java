package dev.rowan.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LossSumsTest {
  @Test
  void meansPartsAndEpochsApart() {
    LossSums sums = new LossSums();
    sums.add(30, 10);
    sums.add(60, 20);
    assertThat(sums.endPart()).isEqualTo(3);
    sums.add(10, 10);
    assertThat(sums.endPart()).isOne();
    assertThat(sums.endEpoch()).isEqualTo(2.5); // 100 / 40
    assertThat(sums.endPart()).isNaN();
    assertThat(sums.endEpoch()).isNaN();
  }

  @Test
  void goesOnWhereItWas() {
    LossSums whole = new LossSums();
    whole.add(0.1, 3);
    whole.endPart();
    whole.add(0.7, 4);
    LossSums again = LossSums.of(whole.asText());
    assertThat(again.endPart()).isCloseTo(0.7 / 4, within(1e-7));
    assertThat(again.endEpoch()).isEqualTo(whole.endEpoch()).isCloseTo(0.8 / 7, within(1e-7));
  }

  @Test
  void thereAreSoManyParts() {
    int parts = 0;
    for (long done = 0; done < 7_001; done += 7) {
      parts += LossSums.partEnds(done, Math.min(7_001, done + 7), 7_001) ? 1 : 0;
    }
    assertThat(parts).isEqualTo(LossSums.POINTS);
    assertThat(LossSums.partEnds(0, 5, 5)).isTrue();
    assertThat(LossSums.partEnds(5, 5, 5)).isFalse();
    assertThat(LossSums.partEnds(0, 1, Long.MAX_VALUE)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "0", "0 0 0", "0 0 0 0 0", "0 -1 0 0", "0 0 0 -1", "0 0 0 1e3", "a b c d"})
  void refusesWhatAreNoSums(String text) {
    assertThatThrownBy(() -> LossSums.of(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
