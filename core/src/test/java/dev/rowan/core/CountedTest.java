package dev.rowan.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountedTest {
  @Test
  void oneIsNotSeveral() {
    assertThat(Counted.of(0, "row")).isEqualTo("0 rows");
    assertThat(Counted.of(1, "row")).isEqualTo("1 row");
    assertThat(Counted.of(30_522, "row")).isEqualTo("30,522 rows");
    assertThat(Counted.of(1, "row has", "rows have")).isEqualTo("1 row has");
    assertThat(Counted.of(2, "row has", "rows have")).isEqualTo("2 rows have");
  }

  @Test
  void whatIsDoneOneTimeIsDoneOnce() {
    assertThat(Counted.times(1)).isEqualTo("once");
    assertThat(Counted.times(25)).isEqualTo("25 times");
  }
}
