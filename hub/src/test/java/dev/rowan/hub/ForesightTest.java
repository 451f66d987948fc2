package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jumps like those of BERT base's matrices: 768 × 768 four times, then two of 768 × 3072. */
class ForesightTest {
  private static final long SMALL = 2_359_296 + 40;
  private static final long LARGE = 9_437_184 + 40;
  private static final List<Long> LAYER = List.of(SMALL, SMALL, SMALL, SMALL, LARGE, LARGE);

  /** Returns how often a reader that jumps so has to ask: each miss is one question. */
  private static int questions(List<Long> jumps) {
    Foresight foresight = new Foresight();
    List<Long> here = new ArrayList<>();
    int questions = 0;
    long place = 0;
    for (long jump : jumps) {
      place += jump;
      long at = place;
      if (here.stream().anyMatch(guess -> Math.abs(guess - at) < 256)) {
        foresight.met(at);
      } else {
        here.addAll(foresight.missed(at));
        questions++;
      }
    }
    return questions;
  }

  private static List<Long> layers(int count, int growth) {
    List<Long> jumps = new ArrayList<>(List.of(93_763_584L));
    for (int i = 0; i < count; i++) {
      for (long jump : LAYER) {
        jumps.add(jump + (i < 10 ? 0 : growth));
      }
    }
    return jumps;
  }

  @Test
  void knowsALayerAgain() {
    // the first layer 5 (after the table, after one, after three, before and after the large ones),
    // then 1 + 2, 1 + 4, 1 + 8, 1 + 16, 1 + 32 jumps for each question
    assertThat(questions(layers(12, 0))).isLessThanOrEqualTo(11);
  }

  @Test
  void takesNamesForEqualThatHaveADigitMore() {
    assertThat(questions(layers(24, 2))).isLessThanOrEqualTo(14);
  }

  @Test
  void knowsTensorsOfOneSize() {
    assertThat(questions(java.util.Collections.nCopies(100, SMALL))).isLessThanOrEqualTo(9);
  }

  @Test
  void guessesOneAtATimeWhereNothingRepeats() {
    Foresight foresight = new Foresight();
    long place = 0;
    for (int i = 1; i <= 40; i++) {
      place += i * 100_000L;
      assertThat(foresight.missed(place)).hasSizeLessThanOrEqualTo(1);
    }
  }

  @Test
  void guessesNothingAfterAJumpBack() {
    Foresight foresight = new Foresight();
    foresight.missed(SMALL);
    assertThat(foresight.missed(2 * SMALL)).containsExactly(3 * SMALL);
    assertThat(foresight.missed(SMALL / 2)).isEmpty();
    assertThat(foresight.missed(SMALL)).isEmpty();
  }
}
