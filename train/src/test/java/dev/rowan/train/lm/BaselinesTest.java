package dev.rowan.train.lm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class BaselinesTest {
  private static final int END = 3;

  /** a b, a b, a c, b: words 0, 1, 2 and the marker 3. */
  private static final LanguageText TEXT =
      new LanguageText(new int[] {END, 0, 1, END, 0, 1, END, 0, 2, END, 1, END}, END);

  @Test
  void unigramsAreCountsPlusOne() {
    Baselines counted = Baselines.of(TEXT);
    // 11 tokens to predict: a 3, b 3, c 1, end 4
    assertThat(counted.unigram(0)).isCloseTo(4.0 / 15, within(1e-15));
    assertThat(counted.unigram(2)).isCloseTo(2.0 / 15, within(1e-15));
    assertThat(counted.unigram(END)).isCloseTo(5.0 / 15, within(1e-15));
  }

  /**
   * By hand. Trigrams: ^^a 3, ^^b 1, ^ab 2, ^ac 1, ab^ 2, ac^ 1, ^b^ 1: n₁ = 4, n₂ = 2, D₃ = 4/8.
   * Pairs by how many words come before them: ^a 1, ^b 1, ab 1, ac 1, b^ 2 (a and ^), c^ 1: n₁ = 5,
   * n₂ = 1, D₂ = 5/7. Endings by how many words come before: a 1, b 2, c 1, ^ 2: n₁ = 2, n₂ = 2, D₁
   * = 2/6, six pairs, four words.
   *
   * <p>P(b | ^ a) = (2 − ½)/3 + ½·2/3 · P(b | a); P(b | a) = (1 − 5/7)/2 + 5/7·2/2 · P(b); P(b) =
   * (2 − ⅓)/6 + ⅓·4/6 · ¼ = 1/3.
   */
  @Test
  void trigramEqualsTheFormulaByHand() {
    double lowest = (2 - 1 / 3.0) / 6 + 1 / 3.0 * 4 / 6 / 4;
    double middle = (1 - 5 / 7.0) / 2 + 5 / 7.0 * 2 / 2 * lowest;
    double expected = (2 - 0.5) / 3 + 0.5 * 2 / 3 * middle;
    assertThat(Baselines.of(TEXT).trigram(END, 0, 1)).isCloseTo(expected, within(1e-12));
  }

  @Test
  void probabilitiesSumToOneAfterSeenAndUnseenWords() {
    Baselines counted = Baselines.of(TEXT);
    for (int first = 0; first <= END; first++) {
      for (int second = 0; second <= END; second++) {
        double sum = 0;
        for (int token = 0; token <= END; token++) {
          assertThat(counted.trigram(first, second, token)).isPositive();
          sum += counted.trigram(first, second, token);
        }
        assertThat(sum).isCloseTo(1, within(1e-12));
      }
    }
  }

  @Test
  void perplexityIsTheInverseGeometricMean() {
    Baselines counted = Baselines.of(TEXT);
    LanguageText two = new LanguageText(new int[] {END, 0, END}, END);
    double expected = 1 / Math.sqrt(counted.unigram(0) * counted.unigram(END));
    assertThat(counted.unigramOn(two).value()).isCloseTo(expected, within(1e-12));
  }
}
