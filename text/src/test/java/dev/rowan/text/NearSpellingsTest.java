package dev.rowan.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearSpellingsTest {

  // distances worked out by hand
  @ParameterizedTest
  @CsvSource({
    "cat, cat, 0",
    "cat, cats, 1",
    "cat, act, 1",
    "kitten, sitting, 3",
    "kiten, kitten, 1",
    "abcd, badc, 2",
    "ca, abc, 3",
    "house, mouse, 1",
  })
  void countsEdits(String a, String b, int distance) {
    assertThat(NearSpellings.distance(a, b, 9)).isEqualTo(distance);
    assertThat(NearSpellings.distance(b, a, 9)).isEqualTo(distance);
  }

  @Test
  void stopsAtTheBound() {
    assertThat(NearSpellings.distance("kitten", "sitting", 2)).isEqualTo(3);
    assertThat(NearSpellings.distance("aaaaaaaa", "bbbbbbbb", 2)).isEqualTo(3);
  }

  @Test
  void prefersNearerThenWordStartsThenLowerIds() {
    Vocabulary words =
        Vocabulary.of(
            Spelling.WORDPIECE,
            List.of("queens", "##queen", "quean", "queer", "zebra"),
            new BitSet());
    assertThat(NearSpellings.of(words, "quenn", 9)).containsExactly(2L, 1L, 0L, 3L);
  }

  @Test
  void namesEachWordOnce() {
    Vocabulary words =
        Vocabulary.of(Spelling.BYTE_LEVEL, List.of("cats", "Ġcats", "ĠCats"), new BitSet());
    assertThat(NearSpellings.of(words, "catz", 9)).containsExactly(1L);
  }
}
