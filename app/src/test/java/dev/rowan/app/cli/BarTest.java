package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BarTest {

  @ParameterizedTest
  @CsvSource({
    "1, 4, ████",
    "0.5, 4, ██",
    "0.53125, 4, ██▏",
    "2, 2, ██",
    "0, 4, ''",
    "-1, 4, ''",
    "NaN, 4, ''",
  })
  void drawsToAnEighth(double share, int columns, String bar) {
    assertThat(Bar.of(share, columns)).isEqualTo(bar);
  }
}
