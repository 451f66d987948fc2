package dev.rowan.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.text.Resolution.Candidate;
import dev.rowan.text.Resolution.Several;
import dev.rowan.text.Resolution.Single;
import dev.rowan.text.Resolution.Unknown;
import dev.rowan.text.TokenResolver.TokenizerSource;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TokenResolverTest {
  private static final Vocabulary GPT =
      vocabulary(
          Spelling.BYTE_LEVEL,
          "can",
          "Ġcan",
          "Ġman",
          "man",
          "Paris",
          "ĠParis",
          "ĠÃ©",
          "Ã©",
          "Ġcat",
          "<|end|>",
          "ĠCan");
  private static final Vocabulary BERT =
      vocabulary(
          Spelling.WORDPIECE,
          "[UNK]",
          "cat",
          "##cat",
          "cafe",
          "##ing",
          "kitten",
          "king",
          "1",
          "#1",
          "##z");
  private static final Vocabulary LLAMA =
      vocabulary(Spelling.SENTENCEPIECE, "<unk>", "cat", "▁cat", "▁Dog", "<0x41>", "▁");

  private static Vocabulary vocabulary(Spelling spelling, String... stored) {
    BitSet added = new BitSet();
    for (int id = 0; id < stored.length; id++) {
      if (stored[id].startsWith("<|")) {
        added.set(id);
      }
    }
    return Vocabulary.of(spelling, List.of(stored), added);
  }

  private static Resolution resolve(Vocabulary vocabulary, String typed) {
    return resolve(vocabulary, typed, TokenizerSource.none());
  }

  private static Resolution resolve(
      Vocabulary vocabulary, String typed, TokenizerSource tokenizer) {
    try {
      return TokenResolver.of(Optional.of(vocabulary), vocabulary.size(), tokenizer).resolve(typed);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Candidate chosen(Resolution resolution) {
    assertThat(resolution).isInstanceOf(Single.class);
    return ((Single) resolution).token();
  }

  private static TokenizerSource splittingInto(long... ids) {
    Tokenizer tokenizer =
        new Tokenizer() {
          @Override
          public long[] encode(String text, SpecialTokens special) {
            return ids;
          }

          @Override
          public void close() {}
        };
    return () -> Optional.of(tokenizer);
  }

  @Test
  void byteLevelWordMeansTheOneWithASpace() {
    assertThat(chosen(resolve(GPT, "can"))).isEqualTo(new Candidate(1, Form.SPACE));
  }

  @Test
  void listsTheOtherSpellingsOfAWord() {
    assertThat(((Single) resolve(GPT, "can")).others())
        .containsExactly(new Candidate(0, Form.BARE), new Candidate(10, Form.SPACE_OTHER_CASE));
  }

  @Test
  void leadingSpaceMeansExactlyThatToken() {
    assertThat(chosen(resolve(GPT, " man"))).isEqualTo(new Candidate(2, Form.EXACT));
  }

  @Test
  void storedSpaceMarkMeansExactlyThatToken() {
    assertThat(chosen(resolve(GPT, "Ġman"))).isEqualTo(new Candidate(2, Form.EXACT));
  }

  @Test
  void byteLevelFindsLettersBeyondAscii() {
    assertThat(chosen(resolve(GPT, "é"))).isEqualTo(new Candidate(6, Form.SPACE));
  }

  @Test
  void byteLevelFallsBackToTheFormWithoutASpace() {
    assertThat(chosen(resolve(GPT, "<|end|>"))).isEqualTo(new Candidate(9, Form.BARE));
  }

  @Test
  void byteLevelTriesOtherCases() {
    assertThat(chosen(resolve(GPT, "paris"))).isEqualTo(new Candidate(5, Form.SPACE_OTHER_CASE));
  }

  @Test
  void numberSignMeansTheRow() {
    assertThat(chosen(resolve(GPT, "#3"))).isEqualTo(new Candidate(3, Form.ID));
  }

  @Test
  void idBeyondTheTableIsUnknownAndNamesTheRange() {
    assertThat(resolve(GPT, "#11"))
        .isEqualTo(new Unknown("#11", "the table has 11 rows, #0 to #10", List.of()));
  }

  @Test
  void idBeyondLongIsUnknown() {
    assertThat(resolve(GPT, "#99999999999999999999")).isInstanceOf(Unknown.class);
  }

  @Test
  void wordpieceWordMeansTheWordStart() {
    assertThat(resolve(BERT, "cat"))
        .isEqualTo(
            new Single(
                "cat", new Candidate(1, Form.BARE), List.of(new Candidate(2, Form.CONTINUATION))));
  }

  @Test
  void wordpieceContinuationCanBeTyped() {
    assertThat(chosen(resolve(BERT, "##ing"))).isEqualTo(new Candidate(4, Form.EXACT));
  }

  @Test
  void wordpieceFindsAContinuationWithoutItsMark() {
    assertThat(chosen(resolve(BERT, "ing"))).isEqualTo(new Candidate(4, Form.CONTINUATION));
  }

  @Test
  void uncasedVocabularyLowersAndStripsAccents() {
    assertThat(chosen(resolve(BERT, "Café"))).isEqualTo(new Candidate(3, Form.OTHER_ACCENTS));
  }

  @Test
  void anotherCaseGoesBeforeOtherAccents() {
    Vocabulary words = vocabulary(Spelling.PLAIN, "resume", "Résumé");
    assertThat(resolve(words, "résumé"))
        .isEqualTo(
            new Single(
                "résumé",
                new Candidate(1, Form.OTHER_CASE),
                List.of(new Candidate(0, Form.OTHER_ACCENTS))));
    Vocabulary spaced = vocabulary(Spelling.BYTE_LEVEL, "Ġe", "Ã©");
    assertThat(chosen(resolve(spaced, "É"))).isEqualTo(new Candidate(1, Form.OTHER_CASE));
    Vocabulary pieces = vocabulary(Spelling.SENTENCEPIECE, "▁e", "é");
    assertThat(chosen(resolve(pieces, "É"))).isEqualTo(new Candidate(1, Form.OTHER_CASE));
    Vocabulary cased = vocabulary(Spelling.WORDPIECE, "[UNK]", "cafe", "Cafe", "##café");
    assertThat(chosen(resolve(cased, "Café"))).isEqualTo(new Candidate(2, Form.OTHER_ACCENTS));
  }

  @Test
  void theStringOfTheVocabularyGoesBeforeOtherSpellings() {
    // GPT-2 stores the byte C3, with which é and ã begin, as Ã, and the letter Ã as two bytes
    Vocabulary bytes = vocabulary(Spelling.BYTE_LEVEL, "Ġa", "Ã", "a");
    assertThat(chosen(resolve(bytes, "Ã"))).isEqualTo(new Candidate(1, Form.EXACT));
  }

  @Test
  void aWordThatWordVectorsDoNotHaveIsNoMatterOfATokenizer() {
    Vocabulary words = vocabulary(Spelling.PLAIN, "fox");
    assertThat(resolve(words, "oxen", splittingInto()))
        .isEqualTo(new Unknown("oxen", "the vocabulary has no such word", List.of()));
  }

  @Test
  void sentencePieceWordMeansTheOneWithASpace() {
    assertThat(chosen(resolve(LLAMA, "cat"))).isEqualTo(new Candidate(2, Form.SPACE));
    assertThat(chosen(resolve(LLAMA, "▁cat"))).isEqualTo(new Candidate(2, Form.EXACT));
    assertThat(chosen(resolve(LLAMA, "<0x41>"))).isEqualTo(new Candidate(4, Form.BARE));
  }

  @Test
  void wordOfSeveralTokensCarriesItsPieces() {
    assertThat(resolve(BERT, "kingz", splittingInto(6, 9)))
        .isEqualTo(new Several("kingz", List.of(6L, 9L), List.of(6L, 4L)));
  }

  @Test
  void wordThatNeedsTheUnknownTokenIsUnknown() {
    assertThat(resolve(BERT, "猫", splittingInto(0))).isInstanceOf(Unknown.class);
  }

  @Test
  void unknownWordSuggestsNearSpellings() {
    assertThat(resolve(BERT, "kiten"))
        .isEqualTo(new Unknown("kiten", "the vocabulary has no such token", List.of(5L)));
  }

  @Test
  void blankIsUnknown() {
    assertThat(resolve(BERT, "  ")).isInstanceOf(Unknown.class);
  }

  @Test
  void withoutAVocabularyOnlyIdsAreUnderstood() throws IOException {
    TokenResolver resolver = TokenResolver.of(Optional.empty(), 5, TokenizerSource.none());
    assertThat(chosen(resolver.resolve("#4"))).isEqualTo(new Candidate(4, Form.ID));
    assertThat(resolver.resolve("cat"))
        .isEqualTo(
            new Unknown(
                "cat", "this file has no vocabulary, so rows are named #0 to #4", List.of()));
  }

  @Test
  void anIdNamesTheTokensThatAreSpelledLikeIt() throws IOException {
    Vocabulary words = vocabulary(Spelling.PLAIN, "a", "#0", "#2", "#9");
    TokenResolver plain = TokenResolver.of(Optional.of(words), 4, TokenizerSource.none());
    assertThat(plain.resolve("#0"))
        .isEqualTo(
            new Single("#0", new Candidate(0, Form.ID), List.of(new Candidate(1, Form.EXACT))));
    assertThat(plain.resolve("#2")) // its own id
        .isEqualTo(new Single("#2", new Candidate(2, Form.ID), List.of()));
    assertThat(plain.resolve("#9"))
        .isEqualTo(
            new Unknown(
                "#9",
                "the table has 4 rows, #0 to #3; the token that is spelled like that is #3",
                List.of()));
    Vocabulary spaced = vocabulary(Spelling.BYTE_LEVEL, "a", "Ġ#0", "#0");
    assertThat(TokenResolver.of(Optional.of(spaced), 3, TokenizerSource.none()).resolve("#0"))
        .isEqualTo(
            new Single(
                "#0",
                new Candidate(0, Form.ID),
                List.of(new Candidate(1, Form.SPACE), new Candidate(2, Form.BARE))));
    Vocabulary pieces = vocabulary(Spelling.WORDPIECE, "[UNK]", "###0", "a");
    assertThat(TokenResolver.of(Optional.of(pieces), 3, TokenizerSource.none()).resolve("#0"))
        .isEqualTo(new Single("#0", new Candidate(0, Form.ID), List.of()));
  }

  @Test
  void tokenBeyondTheTableIsNoAnswer() throws IOException {
    TokenResolver resolver = TokenResolver.of(Optional.of(GPT), 8, TokenizerSource.none());
    assertThat(resolver.resolve("cat")).isInstanceOf(Unknown.class);
  }

  @Test
  void aTokenBeyondTheTableIsNoTypingError() throws IOException {
    Vocabulary four = vocabulary(Spelling.PLAIN, "a", "b", "c", "d");
    assertThat(TokenResolver.of(Optional.of(four), 3, () -> Optional.empty()).resolve("d"))
        .isEqualTo(
            new Resolution.Unknown("d", "it is token #3, but the table ends at row #2", List.of()));
  }
}
