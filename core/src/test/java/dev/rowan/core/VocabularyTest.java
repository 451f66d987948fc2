package dev.rowan.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class VocabularyTest {

  @Test
  void givesTheLowestOfSeveralIdsAndKeepsTheOthers() {
    Vocabulary vocabulary = Vocabulary.ofWords(List.of("a", "b", "a"));
    assertThat(vocabulary.id("a")).hasValue(0);
    assertThat(vocabulary.text(2)).isEqualTo("a");
    assertThat(vocabulary.id("c")).isEmpty();
  }

  @Test
  void tellsBytesApartThatLookAlikeAsText() {
    byte[][] entries = {{(byte) 0xC3}, {(byte) 0xFF}, "�".getBytes(UTF_8)};
    Vocabulary vocabulary = Vocabulary.of(Spelling.PLAIN, entries, new BitSet(), new BitSet());
    assertThat(vocabulary.text(0)).isEqualTo(vocabulary.text(1)).isEqualTo("�");
    assertThat(vocabulary.id(new byte[] {(byte) 0xFF})).hasValue(1);
    assertThat(vocabulary.id("�")).hasValue(2);
  }

  @Test
  void idsWithoutTokenAreNamedAndNeverFound() {
    Vocabulary vocabulary =
        Vocabulary.of(Spelling.PLAIN, Arrays.asList("a", null, ""), new BitSet());
    assertThat(vocabulary.size()).isEqualTo(3);
    assertThat(vocabulary.tokens()).isEqualTo(2);
    assertThat(vocabulary.has(1)).isFalse();
    assertThat(vocabulary.has(99)).isFalse();
    assertThat(vocabulary.has(-1)).isFalse();
    assertThat(vocabulary.text(1)).isEqualTo("[no token 1]");
    assertThat(vocabulary.id("")).hasValue(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> vocabulary.bytes(1))
        .withMessage("id 1 has no token");
  }

  @Test
  void byteLevelTokensReadAsText() {
    BitSet added = new BitSet();
    added.set(4);
    Vocabulary vocabulary =
        Vocabulary.of(Spelling.BYTE_LEVEL, Arrays.asList("Ġcat", "Ċ", "Ã©", "Ã", "<|Ġ|>"), added);
    assertThat(vocabulary.text(0)).isEqualTo(" cat");
    assertThat(vocabulary.text(1)).isEqualTo("\n");
    assertThat(vocabulary.text(2)).isEqualTo("é");
    assertThat(vocabulary.text(3)).isEqualTo("�");
    assertThat(vocabulary.text(4)).isEqualTo("<|Ġ|>");
    assertThat(vocabulary.isAdded(4)).isTrue();
    assertThat(vocabulary.stored(0)).isEqualTo("Ġcat");
  }

  @Test
  void byteLevelSpellingGoesBothWaysForEveryByte() {
    // known ends of the alphabet: byte 0 is U+0100, space U+0120, 0x7F U+0121, 0xAD U+0143
    assertThat(Spelling.byteLevel("\0 \u007f")).isEqualTo("\u0100\u0120\u0121");
    assertThat(Spelling.bytesOfByteLevel("\u0143")).containsExactly(0xAD);
    String text = "naïve 猫 🐈\t";
    assertThat(Spelling.bytesOfByteLevel(Spelling.byteLevel(text))).isEqualTo(text.getBytes(UTF_8));
    assertThat(Spelling.byteLevel(" cat")).isEqualTo("Ġcat");
  }

  @Test
  void otherSpellingsShowAsStored() {
    Vocabulary vocabulary =
        Vocabulary.of(Spelling.WORDPIECE, List.of("cat", "##ing"), new BitSet());
    assertThat(vocabulary.text(1)).isEqualTo("##ing");
  }

  @Test
  void findsEveryEntryOfALargeVocabulary() {
    List<String> words =
        java.util.stream.IntStream.range(0, 100_000).mapToObj(i -> "w" + i * 7919L).toList();
    Vocabulary vocabulary = Vocabulary.ofWords(words);
    for (int i = 0; i < words.size(); i++) {
      assertThat(vocabulary.id(words.get(i))).hasValue(i);
    }
  }

  @Test
  void takesWordsInOnePieceAndCountsThoseThatRepeat() {
    byte[] bytes = "oneanoneone?".getBytes(UTF_8);
    bytes[11] = -1;
    Vocabulary words = Vocabulary.ofWords(bytes, new int[] {3, 5, 8, 11, 11, 12});
    bytes[0] = 'x'; // it has a copy
    assertThat(words.size()).isEqualTo(6);
    assertThat(words.stored(2)).isEqualTo("one");
    assertThat(words.stored(4)).isEmpty();
    assertThat(words.id("one")).hasValue(0);
    assertThat(words.id(new byte[] {-1})).hasValue(5);
    assertThat(words.repeats()).isEqualTo(2);
    assertThat(words.firstRepeat()).hasValue(2);
    assertThat(Vocabulary.ofWords(List.of("a", "b")).firstRepeat()).isEmpty();
  }

  @Test
  void refusesEndsThatAreNone() {
    byte[] bytes = {1, 2, 3};
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Vocabulary.ofWords(bytes, new int[] {2, 1, 3}))
        .withMessageContaining("a spelling ends at 1, before its start");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Vocabulary.ofWords(bytes, new int[] {2}))
        .withMessageContaining("the spellings end at 2 of 3 bytes");
  }
}
