package dev.rowan.analysis.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TokenClassesTest {
  private static TokenClass[] classes(Vocabulary vocabulary, Encoder encoder) {
    try (Workers workers = Workers.of(1)) {
      TokenClasses classes =
          TokenClasses.of(
              Optional.of(vocabulary), vocabulary.size(), Optional.of(encoder), workers);
      TokenClass[] all = new TokenClass[vocabulary.size()];
      Arrays.setAll(all, classes::of);
      return all;
    }
  }

  /** Longest match from the left over whole words, {@code ##} inside, as WordPiece does. */
  @Test
  void continuationsAreTriedInsideAWord() {
    List<@Nullable String> words =
        Arrays.asList("[PAD]", "ing", "##ing", "##q", "ʒ", "Upper", "walk", null);
    Vocabulary vocabulary = Vocabulary.of(Spelling.WORDPIECE, words, new BitSet());
    Encoder encoder =
        text -> {
          String rest = text.toLowerCase(java.util.Locale.ROOT);
          long[] ids = new long[0];
          while (!rest.isEmpty()) {
            int end = rest.length();
            String mark = ids.length == 0 ? "" : "##";
            while (end > 0 && vocabulary.id(mark + rest.substring(0, end)).isEmpty()) {
              end--;
            }
            if (end == 0) {
              return new long[] {99}; // the unknown token
            }
            ids = Arrays.copyOf(ids, ids.length + 1);
            ids[ids.length - 1] = vocabulary.id(mark + rest.substring(0, end)).orElseThrow();
            rest = rest.substring(end);
          }
          return ids;
        };
    assertThat(classes(vocabulary, encoder))
        .containsExactly(
            TokenClass.SPECIAL,
            TokenClass.REACHABLE,
            TokenClass.REACHABLE,
            TokenClass.REACHABLE,
            TokenClass.REACHABLE,
            TokenClass.UNREACHABLE, // the tokenizer makes letters small
            TokenClass.REACHABLE,
            TokenClass.NONE);
  }

  @Test
  void bytesThatAreNoTextAreUndecodable() {
    String lone = Spelling.byteLevel(new byte[] {(byte) 0xF5});
    Vocabulary vocabulary =
        Vocabulary.of(Spelling.BYTE_LEVEL, List.of("a", lone, "Ġa"), new BitSet());
    Encoder encoder =
        text -> vocabulary.id(Spelling.byteLevel(text)).stream().mapToLong(i -> i).toArray();
    assertThat(classes(vocabulary, encoder))
        .containsExactly(TokenClass.REACHABLE, TokenClass.UNDECODABLE, TokenClass.REACHABLE);
  }

  /**
   * A tokenizer that puts a space in front, as SentencePiece does: "▁a" must be tried behind a
   * guard.
   */
  @Test
  void aGuardUndoesTheSpaceThatATokenizerAdds() {
    Vocabulary vocabulary =
        Vocabulary.of(
            Spelling.SENTENCEPIECE,
            List.of("<unk>", "<0x61>", "<0xF5>", "▁a", "a", "»", "▁»"),
            new BitSet());
    Encoder encoder =
        text -> {
          String rest = ("▁" + text.replace(' ', '▁'));
          long[] ids = new long[0];
          while (!rest.isEmpty()) {
            int end = Math.min(2, rest.length());
            while (end > 0 && vocabulary.id(rest.substring(0, end)).isEmpty()) {
              end--;
            }
            ids = Arrays.copyOf(ids, ids.length + 1);
            ids[ids.length - 1] =
                end == 0 ? 0 : vocabulary.id(rest.substring(0, end)).orElseThrow();
            rest = rest.substring(Math.max(1, end));
          }
          return ids;
        };
    assertThat(classes(vocabulary, encoder))
        .containsExactly(
            TokenClass.SPECIAL,
            TokenClass.UNREACHABLE, // the ordinary "a" shadows it
            TokenClass.UNDECODABLE,
            TokenClass.REACHABLE,
            TokenClass.REACHABLE,
            TokenClass.REACHABLE,
            TokenClass.REACHABLE);
  }
}
