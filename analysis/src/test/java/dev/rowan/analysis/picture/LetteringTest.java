package dev.rowan.analysis.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LetteringTest {
  @Test
  void measuresAsHelveticaDoes() {
    // by hand from Adobe's Helvetica.afm: c 500, a 556, t 278; W 944, i 222, ~ 584
    assertThat(Lettering.width("cat", 10, Scene.Weight.NORMAL)).isCloseTo(13.34, within(1e-9));
    assertThat(Lettering.width("Wi~", 1000, Scene.Weight.NORMAL)).isCloseTo(1750, within(1e-9));
    assertThat(Lettering.width("", 10, Scene.Weight.NORMAL)).isZero();
  }

  @Test
  void marksTakeNoWidthAndWideCharactersTheirs() {
    assertThat(Lettering.width("e\u0301", 10, Scene.Weight.NORMAL))
        .isEqualTo(Lettering.width("e", 10, Scene.Weight.NORMAL));
    assertThat(Lettering.width("日", 10, Scene.Weight.NORMAL)).isGreaterThanOrEqualTo(10);
    assertThat(Lettering.width("😀", 10, Scene.Weight.NORMAL)).isGreaterThanOrEqualTo(10);
  }

  @Test
  void keepsJoinersInsideWordsOfTheirScriptsOnly() {
    assertThat(Lettering.label("می\u200cخواهم")).isEqualTo("می\u200cخواهم");
    assertThat(Lettering.label("a\u200cb")).isEqualTo("a\\u{200c}b");
    assertThat(Lettering.label("\u200dx")).isEqualTo("\\u{200d}x");
  }

  @Test
  void cutsLongTextAtAWholeCharacter() {
    assertThat(Lettering.label("😀".repeat(40))).isEqualTo("😀".repeat(14) + "…");
    assertThat(Lettering.label("x".repeat(28))).isEqualTo("x".repeat(28));
    assertThat(Lettering.label("x".repeat(29))).isEqualTo("x".repeat(28) + "…");
  }

  @Test
  void wrapsBetweenWordsAndLeavesLongWordsWhole() {
    double width = Lettering.width("aaa bbb", 10, Scene.Weight.NORMAL);
    assertThat(Lettering.wrap("aaa bbb ccc " + "d".repeat(90), 10, width))
        .containsExactly("aaa bbb", "ccc", "d".repeat(90));
  }
}
