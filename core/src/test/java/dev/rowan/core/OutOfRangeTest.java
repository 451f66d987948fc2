package dev.rowan.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class OutOfRangeTest {
  @Test
  void saysTheNameTheValueAndTheRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OutOfRange.check("sentence words", 1, 2, 100_000))
        .withMessage("sentence words is 1; it takes 2 to 100,000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OutOfRange.atLeast("k", -12_000, 0))
        .withMessage("k is -12,000; it takes 0 or more");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OutOfRange.check(false, "rate", Double.NaN, "more than 0"))
        .withMessage("rate is NaN; it takes more than 0");
  }

  @Test
  void bothEndsAreInTheRange() {
    OutOfRange.check("k", 1, 1, 2);
    OutOfRange.check("k", 2, 1, 2);
    OutOfRange.atLeast("k", 0, 0);
  }

  @Test
  void keepsItsParts() {
    OutOfRange wrong = new OutOfRange("width", 0, "1 to 9");
    assertThat(wrong.name()).isEqualTo("width");
    assertThat(wrong.range()).isEqualTo("1 to 9");
  }
}
