package dev.rowan.formats.fasttext;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubwordsTest {

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  // hashes as the reference implementation computes them
  @ParameterizedTest
  @CsvSource({"<ca,1066916747", "cat,108289031", "at>,3848351106"})
  void hashesAsFastTextDoes(String gram, long hash) {
    assertThat(Integer.toUnsignedLong(Subwords.hash(utf8(gram)))).isEqualTo(hash);
  }

  @Test
  void countsCharactersAndSignExtendsBytes() {
    // <ко, кот and от> in 2,000,000 buckets, behind 10 words
    Subwords subwords = new Subwords(3, 3, 2_000_000, 10, null);
    assertThat(subwords.rows(utf8("кот"))).containsExactly(10 + 469847, 10 + 1794078, 10 + 249094);
  }

  @Test
  void leavesOutSingleCharactersAtTheEdges() {
    // "a" alone: FNV-1a of the letter a is 0xE40C292C, 3826002220
    Subwords subwords = new Subwords(1, 1, 1_000_000_007, 0, null);
    assertThat(subwords.rows(utf8("a"))).containsExactly(3826002220L % 1_000_000_007);
  }

  @Test
  void wordsShorterThanTheShortestGramHaveNone() {
    assertThat(new Subwords(5, 6, 100, 0, null).rows(utf8("ab"))).isEmpty();
  }
}
