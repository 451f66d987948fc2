package dev.rowan.analysis.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rowan.core.Spelling;
import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReferenceTest {
  private static Optional<Reference> find(Vocabulary vocabulary, int rows) {
    float[] values = new float[rows * 2];
    Arrays.fill(values, 1);
    try (Workers workers = Workers.of(1)) {
      RowScan scan = RowScan.of(Table.of(2, values), workers);
      Encoder encoder = text -> vocabulary.id(text).stream().mapToLong(i -> i).toArray();
      TokenClasses classes =
          TokenClasses.of(Optional.of(vocabulary), rows, Optional.of(encoder), workers);
      return Reference.find(Optional.of(vocabulary), classes, scan);
    }
  }

  /** GPT-2 orders its byte tokens by GPT-2's own table: F5 to FF are ids 177 to 187. */
  @Test
  void impossibleBytesOfGpt2AreItsPublishedReference() {
    List<@Nullable String> tokens = new ArrayList<>();
    List<Integer> order = new ArrayList<>();
    for (int b = 0; b < 256; b++) {
      if ((b >= '!' && b <= '~') || (b >= 0xA1 && b != 0xAD)) {
        order.add(b);
      }
    }
    for (int b = 0; b < 256; b++) {
      if (!order.contains(b)) {
        order.add(b);
      }
    }
    order.forEach(b -> tokens.add(Spelling.byteLevel(new byte[] {(byte) (int) b})));
    Reference reference =
        find(Vocabulary.of(Spelling.BYTE_LEVEL, tokens, new BitSet()), 256).orElseThrow();
    assertThat(reference.kind()).isEqualTo(Reference.Kind.IMPOSSIBLE_BYTES);
    assertThat(reference.ids())
        .containsExactly(177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187);
  }

  @Test
  void declaredUnusedTokensComeBeforePadding() {
    Vocabulary vocabulary =
        Vocabulary.of(
            Spelling.SENTENCEPIECE,
            List.of("a", "<unused0>", "<unused99>", "<|reserved_special_token_3|>", "unused"),
            new BitSet());
    Reference reference = find(vocabulary, 9).orElseThrow();
    assertThat(reference.kind()).isEqualTo(Reference.Kind.DECLARED_UNUSED);
    assertThat(reference.ids()).containsExactly(1, 2, 3);
  }

  @Test
  void paddingRowsServeNext() {
    Reference reference =
        find(Vocabulary.of(Spelling.PLAIN, List.of("a", "b"), new BitSet()), 5).orElseThrow();
    assertThat(reference.kind()).isEqualTo(Reference.Kind.PADDING);
    assertThat(reference.ids()).containsExactly(2, 3, 4);
  }

  @Test
  void shadowedBytesServeLast() {
    // encoding "a" gives the ordinary token 3, so <0x61> is never produced; <0x0A> is
    Vocabulary vocabulary =
        Vocabulary.of(
            Spelling.SENTENCEPIECE, List.of("<0x61>", "\n", "<0xFF>", "a", "<0x80>"), new BitSet());
    Reference reference = find(vocabulary, 5).orElseThrow();
    assertThat(reference.kind()).isEqualTo(Reference.Kind.SHADOWED_BYTES);
    assertThat(reference.ids()).containsExactly(0, 2);
  }

  @Test
  void ordinaryWordsHaveNone() {
    assertThat(find(Vocabulary.ofWords(List.of("a", "b")), 2)).isEmpty();
  }

  @Test
  void readsRangesAndRefusesTherest() {
    assertThat(Reference.parse("3-5,\n#9 4", 10).ids()).containsExactly(3, 4, 5, 9);
    for (String wrong :
        List.of("", " , ", "x", "5-3", "1-2-3", "-4", "10", "0-10", "99999999999999999999")) {
      assertThatIllegalArgumentException().as(wrong).isThrownBy(() -> Reference.parse(wrong, 10));
    }
  }

  @Test
  void joinsRunsForPeople() {
    assertThat(Ranges.of(new long[] {1, 2, 3, 7, 9, 10}, 5)).isEqualTo("1–3, 7, 9–10");
    assertThat(Ranges.of(new long[] {1, 3, 5}, 2)).isEqualTo("1, 3, …");
  }
}
